//! The lobby's words: wishes in, what is open out.

use rookery_core::board::Board;
use rookery_core::clock::TimeControl;
use rookery_core::game::{Player, Terms};
use rookery_core::id::Seat;
use rookery_core::laws::Profile;
use rookery_core::lobby::{Challenge, ColourWish, Pairing, Pool, Seek, Wish};
use rookery_core::time::Millis;
use rookery_protocol as wire;

use super::terms::control_to_wire;
use super::{
    game_to_wire, player_to_wire, profile_from_wire, profile_to_wire, seat_to_wire,
    terms as terms_to_wire,
};
use crate::gateway::{Identity, Kind};
use crate::lobby::Called;

/// Clocks between these are played: shorter ones measure the network, longer ones are for adjournment.
const SHORTEST: Millis = Millis(500);
const LONGEST: Millis = Millis::from_mins(24 * 60);

/// What a seek asks for, under `profile` when it names none.
pub fn wish_of_seek(seek: &wire::Seek, profile: Profile) -> Result<Wish, wire::ErrorCode> {
    Ok(Wish {
        control: control_from_wire(&seek.control)?,
        profile: seek.profile.map_or(profile, profile_from_wire),
        rated: seek.rated,
        colour: seek.colour.map_or(ColourWish::Random, colour_from_wire),
        start_fen: None,
    })
}

/// What a challenge proposes, under `profile` when it names none.
pub fn wish_of_challenge(
    challenge: &wire::Challenge,
    profile: Profile,
) -> Result<Wish, wire::ErrorCode> {
    let start_fen = challenge.start_fen.as_ref().map(ToString::to_string);
    let playable = start_fen
        .as_ref()
        .is_none_or(|fen| !challenge.rated && Board::from_fen(fen).is_ok());
    if !playable {
        return Err(wire::ErrorCode::PositionNotAllowed);
    }
    Ok(Wish {
        control: control_from_wire(&challenge.control)?,
        profile: challenge.profile.map_or(profile, profile_from_wire),
        rated: challenge.rated,
        colour: challenge
            .colour
            .map_or(ColourWish::Random, colour_from_wire),
        start_fen,
    })
}

/// The wish to play again what was played, colours changed: the wish of whoever sat at `seat`.
pub fn wish_of_rematch(terms: &Terms, seat: Seat) -> Wish {
    Wish {
        control: terms.control.clone(),
        profile: terms.profile,
        rated: terms.rated,
        colour: ColourWish::Seat(seat.other()),
        start_fen: terms.start_fen.clone(),
    }
}

/// A time control that is played here.
pub fn control_from_wire(control: &wire::Control) -> Result<TimeControl, wire::ErrorCode> {
    let read = control.as_str().parse::<TimeControl>().ok();
    read.filter(|control| control.base() >= SHORTEST && control.expected() <= LONGEST)
        .ok_or(wire::ErrorCode::ControlNotAllowed)
}

/// A seek as everybody sees it.
pub fn open_seek(seek: &Seek) -> wire::OpenSeek {
    wire::OpenSeek {
        seek: game_to_wire(seek.id),
        by: identity_of(&seek.by),
        control: control_to_wire(&seek.wish.control),
        rated: seek.wish.rated,
        colour: colour_to_wire(seek.wish.colour),
        profile: profile_to_wire(seek.wish.profile),
        window: seek.window,
    }
}

/// A pool as everybody sees it.
pub fn pool_view(pool: &Pool) -> wire::PoolView {
    wire::PoolView {
        control: control_to_wire(&pool.control),
        rated: pool.rated,
        profile: profile_to_wire(pool.profile),
        waiting: u32::try_from(pool.waiting()).unwrap_or(u32::MAX),
    }
}

/// A challenge as both sides see it; `terms` are those of the game it would become.
pub fn challenge_view(challenge: &Challenge, terms: &Terms) -> wire::ChallengeView {
    wire::ChallengeView {
        id: game_to_wire(challenge.id),
        from: identity_of(&challenge.from),
        to: challenge.to.as_ref().map(identity_of),
        terms: terms_to_wire(terms),
        colour: colour_to_wire(challenge.wish.colour),
        rematch_of: challenge.rematch_of.map(game_to_wire),
        expires_at: challenge.expires_at.0,
    }
}

/// What the player at `seat` is told when a game of his begins.
pub fn paired(
    pairing: &Pairing,
    seat: Seat,
    terms: &Terms,
    starts_at: u64,
    origin: wire::Origin,
) -> wire::Paired {
    wire::Paired {
        game: game_to_wire(pairing.game),
        seat: seat_to_wire(seat),
        opponent: identity_of(&pairing.players[seat.other()]),
        terms: terms_to_wire(terms),
        starts_at,
        origin,
    }
}

/// A player who is there, as games carry him.
pub fn player_of(who: &Identity) -> Player {
    Player {
        id: who.player,
        name: who.name.clone(),
        bot: who.bot,
        guest: who.kind == Kind::Guest,
    }
}

/// A player found by name, as games carry him: guests are found by none.
pub fn player_called(called: Called) -> Player {
    Player {
        id: called.player,
        name: called.name,
        bot: called.bot,
        guest: false,
    }
}

/// A player who is there, as everybody sees him.
pub fn identity(who: &Identity) -> wire::Identity {
    identity_of(&player_of(who))
}

fn identity_of(player: &Player) -> wire::Identity {
    wire::Identity {
        id: player_to_wire(player.id),
        name: player.name.clone(),
        bot: player.bot,
        guest: player.guest,
    }
}

fn colour_from_wire(colour: wire::ColourWish) -> ColourWish {
    match colour {
        wire::ColourWish::White => ColourWish::Seat(Seat::White),
        wire::ColourWish::Black => ColourWish::Seat(Seat::Black),
        wire::ColourWish::Random => ColourWish::Random,
    }
}

fn colour_to_wire(colour: ColourWish) -> wire::ColourWish {
    match colour {
        ColourWish::Seat(Seat::White) => wire::ColourWish::White,
        ColourWish::Seat(Seat::Black) => wire::ColourWish::Black,
        ColourWish::Random => wire::ColourWish::Random,
    }
}
