//! How much time each side gets, and when.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::time::Millis;

/// The most stages of a time control; three are usual at the longest events.
pub const MAX_STAGES: usize = 4;

/// The most moves of one stage: as many as the longest game has.
pub const MAX_STAGE_MOVES: u32 = 600;

/// Moves for which increments are counted into the expected length of a game (FIDE guideline A.1).
const EXPECTED_MOVES: u64 = 60;

/// What a move earns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bonus {
    /// Added after every move, used or not; zero is sudden death.
    Fischer(Millis),
    /// The time the move took is given back, at most this much.
    Bronstein(Millis),
}

/// One period of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    /// Moves of one side to make in it; none = the rest of the game.
    pub moves: Option<u32>,
    /// Time added when it begins.
    pub base: Millis,
    /// What each move in it earns.
    pub bonus: Bonus,
}

/// One to [`MAX_STAGES`] stages, all but the last with a number of moves (at most
/// [`MAX_STAGE_MOVES`]). Written as PGN writes it
/// (section 9.6): seconds, `40/5400+30:1800+30`; a Bronstein delay of three seconds is `300d3`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    stages: Vec<Stage>,
}

/// A text that is not a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a time control is written like 180+2, 300d3 or 40/5400+30:1800+30 (seconds)")]
pub struct ParseControlError;

impl TimeControl {
    /// The time control of these stages; none when there are too many, none, or a stage but the last
    /// has no number of moves (or the last one has).
    pub fn new(stages: Vec<Stage>) -> Option<TimeControl> {
        let (last, before) = stages.split_last()?;
        let counted = before.iter().all(|stage| {
            stage
                .moves
                .is_some_and(|moves| (1..=MAX_STAGE_MOVES).contains(&moves))
        });
        let well_formed = counted && last.moves.is_none() && stages.len() <= MAX_STAGES;
        well_formed.then_some(TimeControl { stages })
    }

    /// One stage: `base` and `increment` added after each move.
    pub fn fischer(base: Millis, increment: Millis) -> TimeControl {
        TimeControl {
            stages: vec![Stage {
                moves: None,
                base,
                bonus: Bonus::Fischer(increment),
            }],
        }
    }

    /// The stages in order; never empty.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// What each side begins with.
    pub fn base(&self) -> Millis {
        self.stages[0].base
    }

    /// The time one side is expected to need: all bases and sixty times the first bonus (FIDE A.1).
    pub fn expected(&self) -> Millis {
        let (Bonus::Fischer(each) | Bonus::Bronstein(each)) = self.stages[0].bonus;
        let bases = self.stages.iter().map(|stage| stage.base.0).sum::<u64>();
        Millis(bases + each.0 * EXPECTED_MOVES)
    }
}

fn write_seconds(span: Millis, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}", span.0 / 1000)?;
    match span.0 % 1000 {
        0 => Ok(()),
        millis => f.write_str(format!(".{millis:03}").trim_end_matches('0')),
    }
}

fn parse_seconds(text: &str) -> Result<Millis, ParseControlError> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.is_empty() || fraction.len() > 3 {
        return Err(ParseControlError);
    }
    let fraction = parse_number(&format!("{fraction:0<3}"))?;
    Ok(Millis(
        u64::from(parse_number(whole)?) * 1000 + u64::from(fraction),
    ))
}

/// At most six digits: eleven days in seconds.
fn parse_number(text: &str) -> Result<u32, ParseControlError> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || text.is_empty() || text.len() > 6 {
        return Err(ParseControlError);
    }
    text.parse().map_err(|_| ParseControlError)
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write_seconds(self.base, f)?;
        match self.bonus {
            Bonus::Fischer(each) if each.is_zero() => Ok(()),
            Bonus::Fischer(each) => f.write_str("+").and_then(|()| write_seconds(each, f)),
            Bonus::Bronstein(each) => f.write_str("d").and_then(|()| write_seconds(each, f)),
        }
    }
}

impl FromStr for Stage {
    type Err = ParseControlError;

    fn from_str(text: &str) -> Result<Stage, ParseControlError> {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(parse_number(moves)?), rest),
            None => (None, text),
        };
        let (base, bonus) = if let Some((base, each)) = rest.split_once('+') {
            (base, Bonus::Fischer(parse_seconds(each)?))
        } else if let Some((base, each)) = rest.split_once('d') {
            (base, Bonus::Bronstein(parse_seconds(each)?))
        } else {
            (rest, Bonus::Fischer(Millis::ZERO))
        };
        Ok(Stage {
            moves,
            base: parse_seconds(base)?,
            bonus,
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, stage) in self.stages.iter().enumerate() {
            let separator = if index == 0 { "" } else { ":" };
            write!(f, "{separator}{stage}")?;
        }
        Ok(())
    }
}

impl FromStr for TimeControl {
    type Err = ParseControlError;

    fn from_str(text: &str) -> Result<TimeControl, ParseControlError> {
        let stages = text
            .split(':')
            .map(str::parse)
            .collect::<Result<Vec<Stage>, _>>()?;
        TimeControl::new(stages).ok_or(ParseControlError)
    }
}

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TimeControl, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_as_pgn_writes_them() {
        let table = [
            ("180+2", Some("180+2")),
            ("300d3", Some("300d3")),
            ("60", Some("60")),
            ("90+0", Some("90")),
            ("0.5+0.125", Some("0.5+0.125")),
            ("40/5400+30:1800+30", Some("40/5400+30:1800+30")),
            ("40/7200:20/3600:1800d5", Some("40/7200:20/3600:1800d5")),
            ("", None),
            ("+2", None),
            ("60+", None),
            ("60+-1", None),
            ("1e3", None),
            ("60.0001", None),
            ("1000000", None),
            ("40/60", None),
            ("60:60", None),
            ("0/60:60", None),
            ("+40/60:60", None),
            ("601/60:60", None),
            ("4000000000/1:4000000000/1:1", None),
            ("1/1:1/1:1/1:1/1:1", None),
        ];
        for (text, written) in table {
            let control = text
                .parse::<TimeControl>()
                .ok()
                .map(|control| control.to_string());
            assert_eq!(control.as_deref(), written, "{text:?}");
        }
    }

    #[test]
    fn the_expected_time_counts_sixty_bonuses_and_every_base() {
        for (text, seconds) in [("180+2", 300), ("40/5400+30:1800+30", 9000), ("300d3", 480)] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.expected(), Millis::from_secs(seconds), "{text}");
        }
    }
}
