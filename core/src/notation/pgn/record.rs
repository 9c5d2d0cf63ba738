//! A game's events to PGN: who, when, by which terms, every move with its clock, and what was said
//! between the moves. Takes the words of the record, judges nothing.

use std::borrow::Borrow;

use time::OffsetDateTime;
use time::macros::format_description;

use super::{PgnGame, command, termination};
use crate::board::Uci;
use crate::game::{Birth, ClaimRule, ClockReading, Event, Outcome, PauseReason, Player, What};
use crate::id::Seat;
use crate::laws::{Profile, WrongClaim};
use crate::notation::verdict::seat_name;
use crate::notation::{Language, verdict};
use crate::time::{Millis, Timestamp};

/// A record that cannot be replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the record cannot be replayed from event {0} on")]
pub struct BrokenRecord(pub u32);

/// The game that these events tell of. Its place is left unknown: set the tag `Site`.
pub fn of_record<E: Borrow<Event>>(birth: &Birth, events: &[E]) -> Result<PgnGame, BrokenRecord> {
    let mut game = PgnGame::new(birth.terms.start_board().ok_or(BrokenRecord(0))?);
    set_tags(&mut game, birth);
    for event in events.iter().map(Borrow::borrow) {
        tell(&mut game, event).ok_or(BrokenRecord(event.seq.0))?;
    }
    if let Some(What::Ended { outcome, .. }) = events.last().map(|last| &last.borrow().what) {
        end(&mut game, *outcome, birth, events);
    }
    Ok(game)
}

fn set_tags(game: &mut PgnGame, birth: &Birth) {
    let terms = &birth.terms;
    let (date, hour) = utc(birth.starts_at).unwrap_or_default();
    game.set_tag(
        "Event",
        if terms.rated {
            "Rated game"
        } else {
            "Casual game"
        },
    );
    game.set_tag("Date", &*date);
    game.set_tag("Round", "-");
    game.set_tag("UTCDate", date);
    game.set_tag("UTCTime", hour);
    game.set_tag("TimeControl", terms.control.to_string());
    game.set_tag("Profile", profile_name(terms.profile));
    game.set_tag("GameId", birth.game.to_string());
    game.set_tag("Termination", "unterminated");
    if let Some(price) = terms.wrong_claim {
        game.set_tag("WrongClaim", price_text(price));
    }
    for seat in Seat::BOTH {
        set_player_tags(game, seat, &birth.players[seat]);
    }
}

fn set_player_tags(game: &mut PgnGame, seat: Seat, player: &Player) {
    let side = seat_name(seat, Language::En);
    game.set_tag(side, &*player.name);
    game.set_tag(
        &format!("{side}Type"),
        if player.bot { "program" } else { "human" },
    );
}

/// Tells one event; none when it does not follow from those before.
fn tell(game: &mut PgnGame, event: &Event) -> Option<()> {
    match &event.what {
        What::Moved {
            uci,
            clock,
            credit,
            offer,
            ..
        } => {
            play(game, *uci, clock, *credit)?;
            if *offer {
                say(game, game.end().turn().other(), "offers a draw");
            }
        }
        What::Offered {
            seat,
            irregular: false,
        } => say(game, *seat, "offers a draw"),
        What::Offered {
            seat,
            irregular: true,
        } => {
            say(game, *seat, "offers a draw on the opponent's time");
        }
        What::Declined { seat } => say(game, *seat, "declines the draw"),
        What::Claimed {
            seat,
            rule,
            announced,
            right,
            clock,
            ..
        } => {
            claim(game, *seat, (*rule, *announced), *right, clock)?;
        }
        What::TakebackProposed { seat } => say(game, *seat, "proposes a takeback"),
        What::TakebackDeclined { seat } => say(game, *seat, "declines the takeback"),
        What::TakenBack { plies, .. } => take_back(game, *plies as usize)?,
        What::Paused { reason, .. } => game.annotate(format!("clocks stopped: {}", cause(*reason))),
        What::Resumed { .. } => game.annotate("clocks go on"),
        What::Born(_) | What::Ended { .. } => {}
    }
    Some(())
}

fn play(game: &mut PgnGame, uci: Uci, clock: &ClockReading, credit: Millis) -> Option<()> {
    let mover = game.end().turn();
    let mv = game.end().legal(uci)?;
    let played = game.play(mv);
    played.clock = Some(clock.left[mover]);
    played.credit = (!credit.is_zero()).then_some(credit);
    Some(())
}

fn say(game: &mut PgnGame, seat: Seat, what: &str) {
    game.annotate(format!("{} {what}", seat_name(seat, Language::En)));
}

fn claim(
    game: &mut PgnGame,
    seat: Seat,
    (rule, announced): (ClaimRule, Option<Uci>),
    right: bool,
    clock: &ClockReading,
) -> Option<()> {
    let rule = match rule {
        ClaimRule::Threefold => "threefold repetition",
        ClaimRule::Fifty => "fifty moves",
    };
    let with = match announced {
        Some(uci) => format!(" with {}", game.end().san(game.end().legal(uci)?)),
        None => String::new(),
    };
    let verdict = if right { "right" } else { "wrong" };
    let (white, black) = (
        command::span(clock.left.white),
        command::span(clock.left.black),
    );
    let text = format!("claims a draw by {rule}{with}: {verdict}; clocks {white} and {black}");
    say(game, seat, &text);
    Some(())
}

/// What was taken back stays readable in a comment.
fn take_back(game: &mut PgnGame, plies: usize) -> Option<()> {
    let kept = game.moves().len().checked_sub(plies)?;
    let taken: Vec<&str> = game.moves()[kept..]
        .iter()
        .map(|played| &*played.san)
        .collect();
    let text = format!("taken back: {}", taken.join(" "));
    game.take_back(plies);
    game.annotate(text);
    Some(())
}

fn end<E: Borrow<Event>>(game: &mut PgnGame, outcome: Outcome, birth: &Birth, events: &[E]) {
    let verdict = verdict(outcome, birth, events, Language::En);
    let article = verdict
        .article
        .map(|article| format!(" ({article})"))
        .unwrap_or_default();
    game.annotate(format!("{verdict}{article}"));
    game.set_tag("Termination", termination(outcome.ending));
    game.set_result(outcome.score);
}

/// Date and time of day, both in UTC; none beyond the year 9999.
fn utc(at: Timestamp) -> Option<(String, String)> {
    let seconds = i64::try_from(at.0 / 1000).ok()?;
    let instant = OffsetDateTime::from_unix_timestamp(seconds).ok()?;
    let date = instant
        .format(format_description!("[year].[month].[day]"))
        .ok()?;
    let hour = instant
        .format(format_description!("[hour]:[minute]:[second]"))
        .ok()?;
    Some((date, hour))
}

const fn profile_name(profile: Profile) -> &'static str {
    match profile {
        Profile::Classic => "classic",
        Profile::Fide2023 => "fide2023",
        Profile::FideOnline => "fide_online",
    }
}

/// `-300.000s +0.000s`: what the claimant loses and the opponent gains.
fn price_text(price: WrongClaim) -> String {
    format!("-{} +{}", price.claimant_loses, price.opponent_gains)
}

const fn cause(reason: PauseReason) -> &'static str {
    match reason {
        PauseReason::Recovery => "the server was away",
        PauseReason::NodeLost => "the server of the player was away",
        PauseReason::Stall => "the server was slow",
    }
}
