//! Reads position tables and compares. The form is described in `tests/positions.rs`.

mod claims;

use rookery_core::board::{Board, Move, Uci};
use rookery_core::id::Seat;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Judges every case of a table; all failures are said at once.
pub(crate) fn check(table: &str) {
    let cases: Vec<Case> = table.split("\n\n").map(Case::parse).collect();
    assert!(
        cases.iter().all(|case| !case.expected.is_empty()),
        "a case expects nothing"
    );
    let failures: Vec<String> = cases.iter().flat_map(Case::failures).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

struct Case {
    name: String,
    from: String,
    moves: Vec<String>,
    expected: Vec<String>,
}

impl Case {
    fn parse(text: &str) -> Case {
        let mut case = Case {
            name: String::new(),
            from: START.to_owned(),
            moves: Vec::new(),
            expected: Vec::new(),
        };
        for line in text.lines() {
            match line.split_once(' ') {
                Some(("#", name)) => name.clone_into(&mut case.name),
                Some(("from", "start")) => {}
                Some(("from", fen)) => fen.clone_into(&mut case.from),
                Some(("play", moves)) => case.moves.extend(moves.split(' ').map(str::to_owned)),
                Some(("=>", expected)) => case.expected.push(expected.to_owned()),
                _ => panic!("not a line of a table: {line}"),
            }
        }
        case
    }

    fn failures(&self) -> Vec<String> {
        let boards = self.boards();
        let last = boards.last().expect("the start is a position");
        let fails = |expected: &&String| !self.holds(&boards, last, expected);
        let failing = self.expected.iter().filter(fails);
        failing
            .map(|text| format!("{}: {text}", self.name))
            .collect()
    }

    fn boards(&self) -> Vec<Board> {
        let mut boards = vec![Board::from_fen(&self.from).expect(&self.name)];
        for text in &self.moves {
            let mut board = boards[boards.len() - 1].clone();
            board.play(find(&board, text).unwrap_or_else(|| panic!("{}: {text}", self.name)));
            boards.push(board);
        }
        boards
    }

    fn holds(&self, boards: &[Board], board: &Board, expected: &str) -> bool {
        let (what, rest) = expected.split_once(' ').unwrap_or((expected, ""));
        let words: Vec<&str> = rest.split_whitespace().collect();
        match (what, &words[..]) {
            ("fen", _) => board.fen() == rest,
            ("legal", moves) => moves.iter().all(|text| find(board, text).is_some()),
            ("illegal", moves) => moves.iter().all(|text| find(board, text).is_none()),
            ("only", moves) => same_moves(board, moves),
            ("check", []) => board.is_check(),
            ("mate", []) => board.is_checkmate() && board.legal_moves().is_empty(),
            ("stalemate", []) => board.is_stalemate() && board.legal_moves().is_empty(),
            ("no", ["stalemate"]) => !board.is_stalemate(),
            ("checkers", [count]) => board.checkers() == number(count),
            ("moves", [count]) => board.legal_moves().len() == number(count),
            ("castling", [rights]) => board.fen().split(' ').nth(2) == Some(rights),
            ("dead", []) => board.is_dead(),
            ("not", ["dead"]) => !board.is_dead(),
            ("white", ["can", "mate"]) => board.can_mate(Seat::White),
            ("black", ["can", "mate"]) => board.can_mate(Seat::Black),
            ("black", ["cannot", "mate"]) => !board.can_mate(Seat::Black),
            ("occurrence", [count]) => occurrence(boards, board) == number(count),
            ("half_moves", [count]) => board.half_moves() as usize == number(count),
            ("ends", [ending]) => claims::ending(&self.from, &self.moves) == Some(*ending),
            ("threefold" | "fifty", claim) => claims::holds(&self.from, &self.moves, what, claim),
            ("perft", counts) => holds_perft(board, counts),
            _ => panic!("{}: {expected} is not an expectation", self.name),
        }
    }
}

fn find(board: &Board, text: &str) -> Option<Move> {
    text.parse().ok().and_then(|uci| board.legal(uci))
}

fn number(text: &str) -> usize {
    text.parse().expect("a number")
}

fn same_moves(board: &Board, moves: &[&str]) -> bool {
    let mut wanted: Vec<String> = moves.iter().map(|&text| text.to_owned()).collect();
    let legal = board.legal_moves().into_iter();
    let mut found: Vec<String> = legal.map(|mv| Uci::of(mv).to_string()).collect();
    wanted.sort_unstable();
    found.sort_unstable();
    wanted == found
}

fn occurrence(boards: &[Board], board: &Board) -> usize {
    boards
        .iter()
        .filter(|seen| seen.key() == board.key())
        .count()
}

fn holds_perft(board: &Board, counts: &[&str]) -> bool {
    (1..)
        .zip(counts)
        .all(|(depth, count)| perft(board, depth) == number(count))
}

fn perft(board: &Board, depth: u32) -> usize {
    let moves = board.legal_moves();
    if depth == 1 {
        return moves.len();
    }
    let line = |mv| {
        let mut after = board.clone();
        after.play(mv);
        perft(&after, depth - 1)
    };
    moves.into_iter().map(line).sum()
}
