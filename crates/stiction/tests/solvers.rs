//! The direct solver against problems with known difficulties, one binary.

#[path = "solvers/cap.rs"]
mod cap;
#[path = "solvers/cliques.rs"]
mod cliques;
#[path = "solvers/cone.rs"]
mod cone;
#[path = "solvers/problems.rs"]
mod problems;
#[path = "solvers/random.rs"]
mod random;
#[path = "solvers/reader.rs"]
mod reader;
#[path = "solvers/scene.rs"]
mod scene;
#[path = "solvers/solved.rs"]
mod solved;
#[path = "solvers/steps.rs"]
mod steps;
