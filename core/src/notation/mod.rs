//! Chess as people write it: moves and endings in English and Chinese, games as PGN. Knows what
//! happened in a game, never what may happen next.

mod moves;
mod perpetual;
pub mod pgn;
mod verdict;

pub use moves::{MoveTextError, move_text, read_move};
pub use verdict::{Verdict, score_name, verdict};

/// A language that moves and endings are named in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Language {
    /// English: K Q R B N.
    #[default]
    En,
    /// Simplified Chinese: 王 后 车 象 马 兵.
    ZhHans,
}
