//! The shell around the referee: everything that touches the world. Decides no rule of chess.

pub mod bus;
pub mod clock;
pub mod gateway;
pub mod shards;
pub mod stores;
pub mod translate;
