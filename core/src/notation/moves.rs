//! Move text: written as shortly as SAN allows, read as people write it. Knows one position at a time.

use shakmaty::{CastlingSide, File, Rank, Role, Square};

use super::Language;
use crate::board::{Board, Move};

/// Why a text names no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveTextError {
    /// It does not look like a move at all.
    #[error("this is not a move")]
    NotAMove,
    /// No legal move fits it.
    #[error("the move is not legal")]
    Illegal,
    /// More than one legal move fits it.
    #[error("the move is ambiguous")]
    Ambiguous,
}

/// The longest text read as a move, in bytes: `后a1-a8xb8=后 e.p.++!!` and some blanks.
const MAX_TEXT: usize = 48;

/// Letters of the men, as SAN, simplified and traditional Chinese write them.
const LETTERS: [(char, &str); 6] = [
    ('K', "王"),
    ('Q', "后後"),
    ('R', "车車"),
    ('B', "象"),
    ('N', "马馬"),
    ('P', "兵"),
];

/// What is written after a capture en passant: 000's appendix, the older English books, common habit.
const EN_PASSANT_MARKS: [&str; 5] = ["e.p.", "e.p", "ep", "en pt", "en passant"];

/// A SAN text in a language: `Nf3+` is 马f3+, `exd8=Q#` is 兵exd8=后#, `e4` is 兵e4. Castling is
/// written O-O in both.
pub fn move_text(san: &str, language: Language) -> String {
    match language {
        Language::En => san.to_owned(),
        Language::ZhHans => {
            let pawn = san
                .starts_with(|first: char| first.is_ascii_lowercase())
                .then_some('兵');
            pawn.into_iter()
                .chain(san.chars().map(chinese_letter))
                .collect()
        }
    }
}

fn chinese_letter(sign: char) -> char {
    let letter = LETTERS.iter().find(|(latin, _)| *latin == sign);
    letter
        .and_then(|(_, chinese)| chinese.chars().next())
        .unwrap_or(sign)
}

/// The legal move that a text names: SAN with or without its check sign, `0-0` for castling, `e8Q` for
/// `e8=Q`, `exd6 e.p.`, the long form `Ng1-f3`, UCI, Chinese letters of the men. A capture may be
/// written without `x`, but not a quiet move with it.
pub fn read_move(board: &Board, text: &str) -> Result<Move, MoveTextError> {
    if text.len() > MAX_TEXT {
        return Err(MoveTextError::NotAMove);
    }
    if let Some(mv) = text.parse().ok().and_then(|uci| board.legal(uci)) {
        return Ok(mv);
    }
    let sketch = Sketch::parse(text).ok_or(MoveTextError::NotAMove)?;
    let mut fitting = board
        .legal_moves()
        .into_iter()
        .filter(|&mv| sketch.fits(mv));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (None, _) => Err(MoveTextError::Illegal),
        (Some(_), Some(_)) => Err(MoveTextError::Ambiguous),
    }
}

/// What a text says of a move.
enum Sketch {
    Castle(CastlingSide),
    Plain(Plain),
}

struct Plain {
    /// None when only squares are given.
    role: Option<Role>,
    file: Option<File>,
    rank: Option<Rank>,
    captures: bool,
    en_passant: bool,
    to: Square,
    promotion: Option<Role>,
}

impl Sketch {
    fn parse(text: &str) -> Option<Sketch> {
        let text = text.trim_end_matches(['+', '#', '!', '?']).trim();
        let (text, en_passant) = without_en_passant_mark(text);
        let text: String = text.chars().filter_map(latin_sign).collect();
        match text.replace('0', "O").as_str() {
            "O-O" => Some(Sketch::Castle(CastlingSide::KingSide)),
            "O-O-O" => Some(Sketch::Castle(CastlingSide::QueenSide)),
            _ => Plain::parse(&text, en_passant).map(Sketch::Plain),
        }
    }

    fn fits(&self, mv: Move) -> bool {
        match self {
            Sketch::Castle(side) => mv.castling_side() == Some(*side),
            Sketch::Plain(plain) => !mv.is_castle() && plain.fits(mv),
        }
    }
}

impl Plain {
    fn parse(text: &str, en_passant: bool) -> Option<Plain> {
        let (text, promotion) = without_promotion(text);
        let (text, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
        let to = Square::from_ascii(to.as_bytes()).ok()?;
        let captures = text.ends_with(['x', ':']);
        let text = text.strip_suffix(['x', ':', '-']).unwrap_or(text);
        let (letter, mut origin) = match text.chars().next() {
            Some(letter) if letter.is_ascii_uppercase() => (Some(letter), &text[1..]),
            _ => (None, text),
        };
        let file = origin.chars().next().and_then(File::from_char);
        origin = &origin[usize::from(file.is_some())..];
        let rank = origin.chars().next().and_then(Rank::from_char);
        origin = &origin[usize::from(rank.is_some())..];
        let role = match letter {
            Some(letter) => Some(Role::from_char(letter)?),
            None if file.is_some() && rank.is_some() => None,
            None => Some(Role::Pawn),
        };
        let plain = Plain {
            role,
            file,
            rank,
            captures,
            en_passant,
            to,
            promotion,
        };
        origin.is_empty().then_some(plain)
    }

    fn fits(&self, mv: Move) -> bool {
        let from = mv.from();
        mv.to() == self.to
            && self.role.is_none_or(|role| role == mv.role())
            && self
                .file
                .is_none_or(|file| from.is_some_and(|from| from.file() == file))
            && self
                .rank
                .is_none_or(|rank| from.is_some_and(|from| from.rank() == rank))
            && (!self.captures || mv.is_capture())
            && (!self.en_passant || mv.is_en_passant())
            && self.promotion == mv.promotion()
    }
}

fn without_en_passant_mark(text: &str) -> (&str, bool) {
    let unmarked = EN_PASSANT_MARKS
        .iter()
        .find_map(|mark| text.strip_suffix(mark));
    (
        unmarked
            .unwrap_or(text)
            .trim_end()
            .trim_end_matches(['+', '#']),
        unmarked.is_some(),
    )
}

/// Chinese letters become Latin, every dash a hyphen, `×` an `x`; blanks go.
fn latin_sign(sign: char) -> Option<char> {
    match sign {
        _ if sign.is_whitespace() => None,
        '–' | '—' | '−' => Some('-'),
        '×' => Some('x'),
        _ => {
            let letter = LETTERS.iter().find(|(_, chinese)| chinese.contains(sign));
            Some(letter.map_or(sign, |(latin, _)| *latin))
        }
    }
}

/// `e8=Q`, `e8Q`, `e8/Q` and `e8(Q)` without their last part, and what it says.
fn without_promotion(text: &str) -> (&str, Option<Role>) {
    let bare = text.strip_suffix(')').unwrap_or(text);
    let mut signs = bare.chars();
    let role = signs
        .next_back()
        .filter(char::is_ascii_uppercase)
        .and_then(Role::from_char);
    let square = signs.as_str().trim_end_matches(['=', '/', '(']);
    match role {
        Some(role) if square.ends_with(['1', '8']) => (square, Some(role)),
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Uci;

    fn read(fen: &str, text: &str) -> Result<String, MoveTextError> {
        let board = Board::from_fen(fen).unwrap();
        read_move(&board, text).map(|mv| Uci::of(mv).to_string())
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    const PROMOTION: &str = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
    const KNIGHTS: &str = "4k2r/8/8/8/8/1N3N2/8/4K3 w - - 0 41";
    const PINNED: &str = "b3k3/8/8/8/8/1N3N2/8/7K w - - 0 41";
    const CAPTURE: &str = "4k3/8/8/3p4/4P3/2N5/8/4K3 w - - 0 1";

    #[test]
    fn moves_are_read_as_people_write_them() {
        for (fen, text, uci) in [
            (START, "Nf3", "g1f3"),
            (START, "Nf3+", "g1f3"),
            (START, "Nf3!?", "g1f3"),
            (START, "Ng1-f3", "g1f3"),
            (START, "Ngf3", "g1f3"),
            (START, "g1-f3", "g1f3"),
            (START, "g1f3", "g1f3"),
            (START, "马f3", "g1f3"),
            (START, "馬g1—f3", "g1f3"),
            (START, "e4", "e2e4"),
            (START, "Pe4", "e2e4"),
            (START, "兵e4", "e2e4"),
            (START, "兵 e2 - e4", "e2e4"),
            (CASTLING, "O-O", "e1g1"),
            (CASTLING, "0-0", "e1g1"),
            (CASTLING, "0-0-0+", "e1c1"),
            (CASTLING, "O–O", "e1g1"),
            (CASTLING, "e1g1", "e1g1"),
            (EN_PASSANT, "exd6", "e5d6"),
            (EN_PASSANT, "exd6 e.p.", "e5d6"),
            (EN_PASSANT, "exd6ep", "e5d6"),
            (EN_PASSANT, "ed6 en pt", "e5d6"),
            (EN_PASSANT, "exd6+ e.p.", "e5d6"),
            (EN_PASSANT, "exd6 e.p.+", "e5d6"),
            (PROMOTION, "a8=Q+", "a7a8q"),
            (PROMOTION, "a8Q", "a7a8q"),
            (PROMOTION, "a8(N)", "a7a8n"),
            (PROMOTION, "axb8/R", "a7b8r"),
            (PROMOTION, "兵a8=车", "a7a8r"),
            (PROMOTION, "a7xb8=B", "a7b8b"),
            (CAPTURE, "Nd5", "c3d5"),
            (CAPTURE, "N×d5", "c3d5"),
            (CAPTURE, "N:d5", "c3d5"),
            (PINNED, "Nd2", "b3d2"),
            (KNIGHTS, "Nbd2", "b3d2"),
            (KNIGHTS, "Nb3d2", "b3d2"),
        ] {
            assert_eq!(read(fen, text).as_deref(), Ok(uci), "{text}");
        }
    }

    #[test]
    fn what_names_no_move_is_told_apart() {
        use MoveTextError::{Ambiguous, Illegal, NotAMove};
        for (fen, text, error) in [
            (KNIGHTS, "Nd2", Ambiguous),
            (CAPTURE, "Ned5", Illegal),
            (KNIGHTS, "Nd3", Illegal),
            (START, "Nxf3", Illegal),
            (START, "e5", Illegal),
            (START, "e2e5", Illegal),
            (START, "O-O", Illegal),
            (CASTLING, "Kg1", Illegal),
            (CASTLING, "e1h1", Illegal),
            (PROMOTION, "a8", Illegal),
            (PROMOTION, "a8=K", Illegal),
            (CAPTURE, "exd5 e.p.", Illegal),
            (START, "", NotAMove),
            (START, "+", NotAMove),
            (START, "e.p.", NotAMove),
            (START, "--", NotAMove),
            (START, "Z0", NotAMove),
            (START, "0000", NotAMove),
            (START, "O-O-O-O", NotAMove),
            (START, "Ni9", NotAMove),
            (START, "Xf3", NotAMove),
            (START, "Ngg1f3", NotAMove),
            (START, "nf3", NotAMove),
            (START, "马", NotAMove),
            (START, "f\u{301}3", NotAMove),
        ] {
            assert_eq!(read(fen, text), Err(error), "{text}");
        }
        assert_eq!(read(START, &"马".repeat(100)), Err(NotAMove));
    }

    #[test]
    fn moves_are_written_in_both_languages_and_read_back() {
        for (fen, uci, en, zh) in [
            (START, "g1f3", "Nf3", "马f3"),
            (START, "e2e4", "e4", "兵e4"),
            (CASTLING, "e1g1", "O-O", "O-O"),
            (CASTLING, "a1a8", "Rxa8+", "车xa8+"),
            (CASTLING, "e1e2", "Ke2", "王e2"),
            (EN_PASSANT, "e5d6", "exd6", "兵exd6"),
            (PROMOTION, "a7b8q", "axb8=Q+", "兵axb8=后+"),
            (PROMOTION, "a7a8b", "a8=B", "兵a8=象"),
            (KNIGHTS, "b3d2", "Nbd2", "马bd2"),
        ] {
            let board = Board::from_fen(fen).unwrap();
            let mv = board.legal(uci.parse().unwrap()).unwrap();
            let san = board.san(mv).to_string();
            assert_eq!(san, en);
            assert_eq!(move_text(&san, Language::En), en);
            assert_eq!(move_text(&san, Language::ZhHans), zh);
            assert_eq!(read_move(&board, zh), Ok(mv), "{zh}");
        }
    }
}
