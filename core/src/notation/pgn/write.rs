//! Games to PGN text, in the export format: tags in their order, lines under eighty columns, nothing in
//! a value or a comment that could be taken for PGN.

use super::{PgnGame, PgnMove, command};
use crate::board::Board;
use crate::game::Score;
use crate::id::Seat;

/// The tags every game has, in this order, and what an unknown one says (PGN standard, 8.1.1).
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// Lines of eighty and more columns are discouraged (PGN standard, 4.3).
const MAX_COLUMNS: usize = 79;

/// The game as PGN, with the empty line that parts it from another.
pub fn write(game: &PgnGame) -> String {
    let mut lines = Lines::default();
    write_tags(game, &mut lines);
    write_moves(game, &mut lines);
    lines.text.push_str("\n\n");
    lines.text
}

/// As PGN writes a score: it knows no game that both have lost.
fn result(score: Score) -> &'static str {
    match score {
        Score::BothLose => Score::Void.as_pgn(),
        score => score.as_pgn(),
    }
}

fn write_tags(game: &PgnGame, lines: &mut Lines) {
    for (name, unknown) in ROSTER {
        lines.tag(
            name,
            game.tag(name)
                .filter(|value| !value.is_empty())
                .unwrap_or(unknown),
        );
    }
    lines.tag("Result", result(game.result));
    if game.start != Board::default() {
        lines.tag("SetUp", "1");
        lines.tag("FEN", &game.start.fen());
    }
    let in_roster = |name: &str| ROSTER.iter().any(|(roster, _)| *roster == name);
    for (name, value) in game.tags.iter().filter(|(name, _)| !in_roster(name)) {
        lines.tag(name, value);
    }
    lines.text.push('\n');
}

fn write_moves(game: &PgnGame, lines: &mut Lines) {
    let (mut number, mut turn) = (game.start.move_number(), game.start.turn());
    game.preamble.iter().for_each(|text| lines.comment(text));
    let mut numbered = false;
    for played in &game.moves {
        match turn {
            Seat::White => lines.word(&format!("{number}.")),
            Seat::Black if !numbered => lines.word(&format!("{number}...")),
            Seat::Black => {}
        }
        write_move(played, lines);
        numbered = played.comments.is_empty() && played.clock.is_none() && played.credit.is_none();
        number += u32::from(turn == Seat::Black);
        turn = turn.other();
    }
    lines.word(result(game.result));
}

fn write_move(played: &PgnMove, lines: &mut Lines) {
    lines.word(&played.san);
    played
        .nags
        .iter()
        .for_each(|nag| lines.word(&format!("${nag}")));
    let clock = played
        .clock
        .map(|span| command::write(command::CLOCK, span));
    let credit = played.credit.map(|span| command::write(command::LAG, span));
    let commands: Vec<String> = clock.into_iter().chain(credit).collect();
    if !commands.is_empty() {
        lines.word(&format!("{{{}}}", commands.join(" ")));
    }
    played.comments.iter().for_each(|text| lines.comment(text));
}

/// Text broken between words.
#[derive(Default)]
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn tag(&mut self, name: &str, value: &str) {
        let escaped: String = value
            .chars()
            .map(printable)
            .fold(String::new(), |mut text, sign| {
                if matches!(sign, '"' | '\\') {
                    text.push('\\');
                }
                text.push(sign);
                text
            });
        self.text.push_str(&format!("[{name} \"{escaped}\"]\n"));
    }

    /// A comment in braces; it cannot hold braces itself.
    fn comment(&mut self, text: &str) {
        let text: String = text.chars().map(printable).map(without_brace).collect();
        let text = text.split_whitespace().collect::<Vec<_>>();
        if let Some((last, words)) = text.split_last() {
            let mut brace = "{";
            for word in words {
                self.word(&format!("{brace}{word}"));
                brace = "";
            }
            self.word(&format!("{brace}{last}}}"));
        }
    }

    /// A word that is not broken. A percent sign never begins a line: it would hide it.
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column == 0 {
            self.column = width;
        } else if self.column + 1 + width > MAX_COLUMNS && !word.starts_with('%') {
            self.text.push('\n');
            self.column = width;
        } else {
            self.text.push(' ');
            self.column += 1 + width;
        }
        self.text.push_str(word);
    }
}

/// Control characters, line ends among them, become blanks.
fn printable(sign: char) -> char {
    if sign.is_control() || matches!(sign, '\u{2028}' | '\u{2029}') {
        ' '
    } else {
        sign
    }
}

fn without_brace(sign: char) -> char {
    match sign {
        '{' => '(',
        '}' => ')',
        sign => sign,
    }
}
