//! Players over the wire: a client of the protocol, and the runs that use it. Knows what a stranger
//! knows: the protocol, and from the referee's library how chess is played. Not the server.

pub mod cli;
pub mod client;
pub mod clocks;
pub mod crash;
pub mod dice;
pub mod replay;
pub mod report;
pub mod rig;
pub mod script;
pub mod verdict;
