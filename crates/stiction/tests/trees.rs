#[path = "trees/oracle.rs"]
mod oracle;
#[path = "trees/runge_kutta.rs"]
mod runge_kutta;
#[path = "trees/urdf.rs"]
mod urdf;
