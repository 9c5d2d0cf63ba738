//! What is asked over HTTP: the REST interface, and the listener for operators. Judges no move.

mod config;

pub use config::HttpConfig;
