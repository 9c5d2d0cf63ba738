//! Players over the wire: a client of the protocol, and the runs that use it. Knows what a stranger
//! knows: the protocol, and from the referee's library how chess is played. Not the server.

pub mod client;
pub mod clocks;
pub mod script;
