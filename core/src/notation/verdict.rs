//! How a game ended, in words, with the article that says so. Names what was decided elsewhere.

use std::borrow::Borrow;
use std::fmt;

use super::{Language, perpetual};
use crate::game::{Birth, Ending, Event, Outcome, Score};
use crate::id::Seat;
use crate::laws::Profile;

/// The end of a game in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// By which act or rule.
    pub ending: &'static str,
    /// Who got what.
    pub score: &'static str,
    /// The article of the game's own Laws; none for rules of the house.
    pub article: Option<&'static str>,
    language: Language,
}

/// Names the outcome of the game that was born so and went so. A repetition forced by unbroken checks
/// is called perpetual check.
pub fn verdict<E: Borrow<Event>>(
    outcome: Outcome,
    birth: &Birth,
    events: &[E],
    language: Language,
) -> Verdict {
    let ending = if repeats(outcome.ending) && perpetual::is_perpetual_check(birth, events) {
        perpetual_name(language)
    } else {
        ending_name(outcome, language)
    };
    let score = score_name(outcome.score, language);
    Verdict {
        ending,
        score,
        article: article(outcome, birth.terms.profile),
        language,
    }
}

/// `Checkmate, White wins` or `将死，白方胜`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let comma = match self.language {
            Language::En => ", ",
            Language::ZhHans => "，",
        };
        write!(f, "{}{comma}{}", self.ending, self.score)
    }
}

/// The name of a score.
pub const fn score_name(score: Score, language: Language) -> &'static str {
    let (en, zh) = match score {
        Score::WhiteWins => ("White wins", "白方胜"),
        Score::BlackWins => ("Black wins", "黑方胜"),
        Score::Draw => ("draw", "和棋"),
        Score::BothLose => ("both lose", "双方判负"),
        Score::Void => ("no result", "无结果"),
    };
    in_language(language, en, zh)
}

/// The name of a side.
pub(super) const fn seat_name(seat: Seat, language: Language) -> &'static str {
    match seat {
        Seat::White => in_language(language, "White", "白方"),
        Seat::Black => in_language(language, "Black", "黑方"),
    }
}

const fn in_language(language: Language, en: &'static str, zh: &'static str) -> &'static str {
    match language {
        Language::En => en,
        Language::ZhHans => zh,
    }
}

fn repeats(ending: Ending) -> bool {
    matches!(
        ending,
        Ending::Threefold | Ending::AutomaticThreefold | Ending::Fivefold
    )
}

const fn perpetual_name(language: Language) -> &'static str {
    in_language(language, "Perpetual check", "长将")
}

const fn ending_name(outcome: Outcome, language: Language) -> &'static str {
    let drawn = matches!(outcome.score, Score::Draw);
    let (en, zh) = match outcome.ending {
        Ending::Checkmate => ("Checkmate", "将死"),
        Ending::Stalemate => ("Stalemate", "逼和"),
        Ending::DeadPosition => ("Neither side can mate", "双方均无法将死对方"),
        Ending::Resignation if drawn => ("Resignation against a bare king", "向单王认输"),
        Ending::Resignation => ("Resignation", "认输"),
        Ending::Time if drawn => ("Time against a side that cannot win", "超时，对方无法取胜"),
        Ending::Time => ("Time", "超时"),
        Ending::WrongClaim if drawn => (
            "Time after a wrong claim against a bare king",
            "提和不成立，罚时后超时，对方单王",
        ),
        Ending::WrongClaim => ("Time after a wrong claim", "提和不成立，罚时后超时"),
        Ending::Agreement => ("Agreement", "双方同意和棋"),
        Ending::Threefold => ("Threefold repetition", "三次重复局面"),
        Ending::Fifty => ("Fifty-move rule", "五十回合规则"),
        Ending::AutomaticThreefold => ("Automatic threefold repetition", "三次重复局面，自动判和"),
        Ending::AutomaticFifty => ("Automatic fifty-move rule", "五十回合规则，自动判和"),
        Ending::Fivefold => ("Fivefold repetition", "五次重复局面"),
        Ending::SeventyFive => ("Seventy-five-move rule", "七十五回合规则"),
        Ending::Adjudicated => ("Limit of moves", "达到着数上限"),
        Ending::Aborted => ("Aborted", "对局中止"),
        Ending::NoFirstMove => ("No first move in time", "未按时走出第一着"),
        Ending::Absence => ("Absence", "离线未归"),
    };
    in_language(language, en, zh)
}

/// 000's articles for the classic profile, today's FIDE Laws for the others.
const fn article(outcome: Outcome, profile: Profile) -> Option<&'static str> {
    let drawn = matches!(outcome.score, Score::Draw);
    let (classic, fide) = match outcome.ending {
        Ending::Checkmate => ("10.1", "FIDE 5.1.1"),
        Ending::Stalemate => ("10.3", "FIDE 5.2.1"),
        Ending::DeadPosition => ("10.4", "FIDE 5.2.2"),
        Ending::Resignation if drawn => ("10.5", "FIDE 5.1.2"),
        Ending::Resignation => ("10.2", "FIDE 5.1.2"),
        Ending::Time if drawn => ("10.5", "FIDE 6.9"),
        Ending::Time => ("10.14", "FIDE 6.9"),
        Ending::WrongClaim if drawn => ("10.5", "FIDE 9.5.3"),
        Ending::WrongClaim => ("10.13", "FIDE 9.5.3"),
        Ending::Agreement => ("10.6", "FIDE 5.2.3"),
        Ending::Threefold => ("10.10", "FIDE 9.2"),
        Ending::Fifty => ("10.12", "FIDE 9.3"),
        Ending::AutomaticThreefold | Ending::AutomaticFifty => {
            ("FIDE online 5.4", "FIDE online 5.4")
        }
        Ending::Fivefold => ("FIDE 9.6.1", "FIDE 9.6.1"),
        Ending::SeventyFive => ("FIDE 9.6.2", "FIDE 9.6.2"),
        Ending::Adjudicated | Ending::Aborted | Ending::NoFirstMove | Ending::Absence => {
            return None;
        }
    };
    match profile {
        Profile::Classic => Some(classic),
        Profile::Fide2023 | Profile::FideOnline => Some(fide),
    }
}
