//! Who owns the games of this node: drivers that decide, journal, then tell; the router that finds
//! them; the filing of what is finished. Knows no socket, no player's session, no rule of chess.

mod filing;
mod router;

pub use filing::{FileError, FinishedGame, Registrar};
pub use router::Router;
