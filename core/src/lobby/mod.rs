//! Where players meet: who waits for whom, and who is paired with whom. Pure: ids, time and the toss of
//! a coin are brought by the caller. Knows no points yet, no socket, and no live game.

mod challenges;
mod pools;
mod seeks;
#[cfg(test)]
mod tests;

use crate::clock::TimeControl;
use crate::game::Player;
use crate::id::{BySeat, GameId, Seat};
use crate::laws::Profile;

pub use challenges::{Challenge, Challenges, ChallengesFull, Gone};
pub use pools::{Pool, Pools, PoolsFull};
pub use seeks::{Seek, Seeks, SeeksFull};

/// The colour a player would like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourWish {
    /// That one.
    Seat(Seat),
    /// Whichever.
    #[default]
    Random,
}

/// What a player would like to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The clock.
    pub control: TimeControl,
    /// By which Laws.
    pub profile: Profile,
    /// Whether points and ratings are at stake.
    pub rated: bool,
    /// The colour of whoever wishes.
    pub colour: ColourWish,
    /// Another position to start from (FEN); casual only.
    pub start_fen: Option<String>,
}

/// Two who will play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The game: the id of the seek or challenge it comes from.
    pub game: GameId,
    /// Who sits where.
    pub players: BySeat<Player>,
    /// What they play.
    pub wish: Wish,
}

impl Pairing {
    /// Seats `by`, whose wish it is, and `other`, who has none: by the wish, else by the coin.
    pub fn of(game: GameId, by: Player, other: Player, wish: Wish, coin: bool) -> Pairing {
        let seat = match wish.colour {
            ColourWish::Seat(seat) => seat,
            ColourWish::Random if coin => Seat::White,
            ColourWish::Random => Seat::Black,
        };
        let players = match seat {
            Seat::White => BySeat {
                white: by,
                black: other,
            },
            Seat::Black => BySeat {
                white: other,
                black: by,
            },
        };
        Pairing {
            game,
            players,
            wish,
        }
    }
}
