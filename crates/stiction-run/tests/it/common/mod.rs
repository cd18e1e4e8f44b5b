//! What several test modules share.

pub mod choreonoid;
