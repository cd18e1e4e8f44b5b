//! Pieces of SDFormat for worlds of our own.

/// A world with a gravity \[m/s²\] and Gazebo's defaults of physics.
pub fn world(gravity: &str, elements: &str) -> String {
    format!("<sdf version='1.6'><world name='w'><gravity>{gravity}</gravity>{elements}</world></sdf>")
}

/// A plane at z = 0 with friction 100 and 50, as the model `ground_plane` of Gazebo has it.
pub const GROUND: &str = "<model name='ground_plane'><static>true</static><link name='link'><collision name='collision'><geometry><plane/>\
                          </geometry><surface><friction><ode><mu>100</mu><mu2>50</mu2></ode></friction></surface></collision></link></model>";

pub fn model(name: &str, pose: &str, inside: &str) -> String {
    format!("<model name='{name}'><pose>{pose}</pose><allow_auto_disable>false</allow_auto_disable>{inside}</model>")
}

pub fn link(name: &str, pose: &str, inside: &str) -> String {
    format!("<link name='{name}'><pose>{pose}</pose>{inside}</link>")
}

/// A mass \[kg\], the pose of its centre, and its principal moments \[kg m²\].
pub fn inertial(mass: f64, pose: &str, [xx, yy, zz]: [f64; 3]) -> String {
    format!(
        "<inertial><pose>{pose}</pose><mass>{mass}</mass><inertia><ixx>{xx}</ixx><iyy>{yy}</iyy><izz>{zz}</izz></inertia></inertial>"
    )
}

/// Principal moments of a cuboid \[kg m²\].
pub fn moments_of_box(mass: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [y * y + z * z, z * z + x * x, x * x + y * y].map(|sum| mass * sum / 12.0)
}

pub fn collision(pose: &str, geometry: &str, surface: &str) -> String {
    format!(
        "<collision name='collision'><pose>{pose}</pose><geometry>{geometry}</geometry><surface>{surface}</surface></collision>"
    )
}

pub fn cuboid([x, y, z]: [f64; 3]) -> String {
    format!("<box><size>{x} {y} {z}</size></box>")
}

pub fn sphere(radius: f64) -> String {
    format!("<sphere><radius>{radius}</radius></sphere>")
}

pub fn cylinder(radius: f64, length: f64) -> String {
    format!("<cylinder><radius>{radius}</radius><length>{length}</length></cylinder>")
}

/// A joint of a type between two links, at the child, and the rest of it.
pub fn joint(name: &str, kind: &str, parent: &str, child: &str, inside: &str) -> String {
    format!("<joint name='{name}' type='{kind}'><parent>{parent}</parent><child>{child}</child>{inside}</joint>")
}
