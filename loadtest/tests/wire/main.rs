//! The built server as its users meet it: whole stories over the wire, and what bad input does to it and
//! to those who play beside it.
//!
//! The program is `ROOKERY_BIN`, or the `rookery` beside these tests in `target/` (`cargo test --workspace`
//! builds it; `cargo build -p rookery-server` does for this package alone).
#![allow(clippy::unwrap_used, reason = "a test says what is wrong by panicking")]

mod commands;
mod doors;
mod frames;
mod house;
mod process;
mod raw;
mod stories;
