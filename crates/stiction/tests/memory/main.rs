//! Tests that count allocations, one program with an allocator that counts.

mod integrators;
mod meshes;
mod solvers;
mod substeps;
mod trees;
mod wires;

use stiction_testing::counting::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
