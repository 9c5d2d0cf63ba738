//! The gateway over real sockets, on a loopback port, with the rest of the server played by stand-ins.
//! Time is moved by hand where it matters, so nothing waits for it.

mod client;
mod desk;
mod front;
mod hostile;
mod play;
mod watch;
mod world;
