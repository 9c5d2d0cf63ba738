//! The shell around the referee: everything that touches the world. Decides no rule of chess.

pub mod accounts;
pub mod app;
pub mod bus;
pub mod chatlog;
pub mod clock;
pub mod config;
pub mod gateway;
pub mod http;
pub mod lobby;
pub mod settle;
pub mod shards;
pub mod stores;
pub mod translate;
