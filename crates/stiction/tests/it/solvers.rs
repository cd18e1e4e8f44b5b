//! The direct solver against problems with known difficulties, one binary.

mod cap;
mod cliques;
mod cone;
mod problems;
mod random;
mod reader;
mod scene;
mod solved;
mod steps;
