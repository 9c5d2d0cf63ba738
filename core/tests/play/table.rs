//! Reads scenario tables. The form is described in `tests/scenarios.rs`.

use std::fmt;
use std::str::SplitWhitespace;

use rookery_core::game::{AbsenceClaim, Act, ClaimRule, Terms};
use rookery_core::id::{BySeat, Seat};
use rookery_core::laws::Profile;
use rookery_core::time::Millis;

pub(super) struct Case {
    pub(super) name: String,
    pub(super) terms: Terms,
    pub(super) delay: Millis,
    pub(super) clocks: Option<BySeat<Millis>>,
    /// With their numbers in the file.
    pub(super) lines: Vec<(usize, Line)>,
}

pub(super) enum Line {
    Act(Action),
    Expect(Expected),
}

pub(super) struct Action {
    pub(super) at: Millis,
    pub(super) doing: Doing,
}

pub(super) enum Doing {
    Command {
        seat: Seat,
        act: Act,
        id: Option<u64>,
        ply: Option<u32>,
        lag: Millis,
        ruling: String,
    },
    Presence {
        seat: Seat,
        online: bool,
    },
    Lost {
        seat: Seat,
    },
    Stall {
        span: Millis,
    },
    Wait,
    Restart {
        alive: Millis,
    },
}

#[derive(PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) result: String,
    pub(super) left: BySeat<Millis>,
    pub(super) runs: Option<Seat>,
    pub(super) offer: Option<Seat>,
    pub(super) takeback: Option<Seat>,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "=> {}", self.result)?;
        for (seat, name) in [(Seat::White, "white"), (Seat::Black, "black")] {
            let left = self.left[seat].0;
            let (minutes, millis) = (left / 60_000, left % 60_000);
            write!(
                f,
                ", {name} {minutes}:{:02}.{:03}",
                millis / 1000,
                millis % 1000
            )?;
            f.write_str(if self.runs == Some(seat) { " runs" } else { "" })?;
        }
        for (what, seat) in [("offer", self.offer), ("takeback", self.takeback)] {
            if let Some(seat) = seat {
                write!(
                    f,
                    ", {what} {}",
                    if seat == Seat::White {
                        "white"
                    } else {
                        "black"
                    }
                )?;
            }
        }
        Ok(())
    }
}

/// The cases of a table. A line that cannot be read is a mistake in the table.
pub(super) fn parse(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut name = "";
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if let Some(title) = line.strip_prefix('#') {
            name = title.trim();
        } else if let Some(terms) = line.strip_prefix("game ") {
            cases.push(parse_game(name, terms));
        } else {
            let case = cases.last_mut().expect("a table begins with a game");
            if let Some(clocks) = line.strip_prefix("clocks ") {
                let mut spans = clocks.split_whitespace().map(seconds);
                let mut next = || spans.next().expect("two clocks");
                case.clocks = Some(BySeat {
                    white: next(),
                    black: next(),
                });
            } else if let Some(expected) = line.strip_prefix("=> ") {
                case.lines
                    .push((number, Line::Expect(parse_expected(expected))));
            } else {
                case.lines.push((number, Line::Act(parse_action(line))));
            }
        }
    }
    cases
}

fn parse_game(name: &str, text: &str) -> Case {
    let (head, fen) = match text.split_once(" from ") {
        Some((head, fen)) => (head, Some(fen.to_owned())),
        None => (text, None),
    };
    let mut words = head.split_whitespace();
    let profile = match words.next() {
        Some("classic") => Profile::Classic,
        Some("fide2023") => Profile::Fide2023,
        Some("fide_online") => Profile::FideOnline,
        other => panic!("{name}: no profile {other:?}"),
    };
    let control = words.next().and_then(|word| word.parse().ok());
    let mut terms = Terms {
        control: control.unwrap_or_else(|| panic!("{name}: no time control in {text}")),
        profile,
        wrong_claim: None,
        rated: fen.is_none(),
        lag_credit: false,
        first_move: None,
        absence_grace: None,
        start_fen: fen,
    };
    let mut delay = Millis::ZERO;
    while let Some(word) = words.next() {
        match word {
            "casual" => terms.rated = false,
            "lag" => terms.lag_credit = true,
            "first" => terms.first_move = words.next().map(seconds),
            "grace" => terms.absence_grace = words.next().map(seconds),
            "delay" => delay = words.next().map(seconds).expect("a delay has a length"),
            other => panic!("{name}: {other} is no term"),
        }
    }
    Case {
        name: name.to_owned(),
        terms,
        delay,
        clocks: None,
        lines: Vec::new(),
    }
}

fn parse_action(line: &str) -> Action {
    let (line, ruling) = line.split_once(" => ").unwrap_or((line, "done"));
    let mut words = line.split_whitespace();
    let mut next = || {
        words
            .next()
            .unwrap_or_else(|| panic!("{line} ends too soon"))
    };
    let at = seconds(next());
    let seat = match next() {
        "white" => Seat::White,
        "black" => Seat::Black,
        "wait" => {
            return Action {
                at,
                doing: Doing::Wait,
            };
        }
        "stall" => {
            let span = seconds(next());
            return Action {
                at,
                doing: Doing::Stall { span },
            };
        }
        "restart" => {
            let alive = seconds(next());
            return Action {
                at,
                doing: Doing::Restart { alive },
            };
        }
        other => panic!("{line}: who is {other}?"),
    };
    let doing = match next() {
        "gone" => Doing::Presence {
            seat,
            online: false,
        },
        "back" => Doing::Presence { seat, online: true },
        "lost" => Doing::Lost { seat },
        verb => parse_command(line, seat, verb, words, ruling),
    };
    Action { at, doing }
}

fn parse_command(
    line: &str,
    seat: Seat,
    verb: &str,
    words: SplitWhitespace<'_>,
    ruling: &str,
) -> Doing {
    let mut rest: Vec<&str> = words.collect();
    let mut option = |name: &str| {
        let at = rest.iter().position(|&word| word == name)?;
        let value = rest[at + 1];
        rest.drain(at..at + 2);
        Some(value)
    };
    let id = option("id").map(|id| id.parse().expect("a number"));
    let ply = option("ply").map(|ply| ply.parse().expect("a number"));
    let lag = option("lag").map_or(Millis::ZERO, seconds);
    Doing::Command {
        seat,
        act: parse_act(verb, &rest).unwrap_or_else(|| panic!("{line}: what is {verb} {rest:?}?")),
        id,
        ply,
        lag,
        ruling: ruling.trim().to_owned(),
    }
}

fn parse_act(verb: &str, rest: &[&str]) -> Option<Act> {
    Some(match (verb, rest) {
        ("offer", []) => Act::Offer,
        ("accept", []) => Act::Accept,
        ("decline", []) => Act::Decline,
        ("withdraw", []) => Act::Withdraw,
        ("resign", []) => Act::Resign,
        ("abort", []) => Act::Abort,
        ("takeback", []) => Act::ProposeTakeback,
        ("takeback", ["accept"]) => Act::AcceptTakeback,
        ("takeback", ["decline"]) => Act::DeclineTakeback,
        ("claim", ["absence", "win"]) => Act::ClaimAbsence {
            claim: AbsenceClaim::Win,
        },
        ("claim", ["absence", "draw"]) => Act::ClaimAbsence {
            claim: AbsenceClaim::Draw,
        },
        ("claim", [rule, announced @ ..]) => Act::Claim {
            rule: match *rule {
                "threefold" => ClaimRule::Threefold,
                "fifty" => ClaimRule::Fifty,
                _ => return None,
            },
            announced: match announced {
                [] => None,
                [uci] => Some(uci.parse().ok()?),
                _ => return None,
            },
        },
        (uci, []) => Act::Move {
            uci: uci.parse().ok()?,
            offer: false,
        },
        (uci, ["offer"]) => Act::Move {
            uci: uci.parse().ok()?,
            offer: true,
        },
        _ => return None,
    })
}

fn parse_expected(text: &str) -> Expected {
    let mut parts = text.split(", ");
    let mut expected = Expected {
        result: parts.next().unwrap_or_default().to_owned(),
        left: BySeat::default(),
        runs: None,
        offer: None,
        takeback: None,
    };
    for part in parts {
        let words: Vec<&str> = part.split_whitespace().collect();
        let seat = |name: &str| {
            if name == "white" {
                Seat::White
            } else {
                Seat::Black
            }
        };
        match words[..] {
            ["offer", name] => expected.offer = Some(seat(name)),
            ["takeback", name] => expected.takeback = Some(seat(name)),
            [name, left] => expected.left[seat(name)] = clock(left),
            [name, left, "runs"] => {
                expected.left[seat(name)] = clock(left);
                expected.runs = Some(seat(name));
            }
            _ => panic!("{part} is nothing to expect"),
        }
    }
    expected
}

/// `1.5` and `90`: seconds.
fn seconds(text: &str) -> Millis {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let fraction = format!("{fraction:0<3}");
    let number = |text: &str| {
        text.parse::<u64>()
            .unwrap_or_else(|_| panic!("{text} is no number"))
    };
    Millis(number(whole) * 1000 + number(&fraction))
}

/// `14:59.000`: minutes and seconds.
fn clock(text: &str) -> Millis {
    let (minutes, rest) = text
        .split_once(':')
        .expect("a clock is written like 14:59.000");
    Millis::from_mins(minutes.parse().expect("minutes")) + seconds(rest)
}
