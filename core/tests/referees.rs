//! The real referee against the naive one, on games drawn by lot: the same legal moves, check, mate,
//! stalemate, dead positions, FEN, and the same positions held to be the same.

#![allow(clippy::unwrap_used)]

mod naive_board;

use naive_board::{NaiveBoard, Step, uci};
use rookery_core::board::{Board, PositionKey, Uci};
use rookery_core::notation::{Language, move_text, read_move};

/// Games from each start. A failing one is named by its number and replays.
const GAMES: u64 = 160;

/// Half-moves of one game at most.
const PLIES: usize = 60;

/// From the usual start, and from where castling, en passant, promotion, pins, repetition, mate and
/// dead positions are near.
const STARTS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/4k3/3bn3/8/4K3/3BN3/8 w - - 90 60",
    "3qk3/3p4/8/2P1P3/2p1p3/8/3P4/3QK3 b - - 0 1",
    "8/8/8/8/8/5k2/5p2/5K1R w - - 0 1",
    "k7/8/1q6/8/8/6Q1/8/7K w - - 0 1",
];

#[test]
fn both_referees_agree_on_quiet_starts() {
    agree_from(&STARTS[..2], GAMES / 2);
}

#[test]
fn both_referees_agree_where_castling_and_pawns_matter() {
    agree_from(&STARTS[2..6], GAMES);
}

#[test]
fn both_referees_agree_where_few_men_are_left() {
    agree_from(&STARTS[6..], GAMES * 2);
}

fn agree_from(starts: &[&str], games: u64) {
    for start in starts {
        for seed in 1..=games {
            play(start, seed);
        }
    }
}

fn play(start: &str, seed: u64) {
    let mut lot = Lot(seed);
    let mut real = Board::from_fen(start).unwrap();
    let mut naive = NaiveBoard::from_fen(start);
    let mut history: Vec<(PositionKey, String)> = Vec::new();
    for ply in 0..PLIES {
        let steps = naive.legal_steps();
        let at = format!("from {start}, game {seed}, ply {ply}: {}", naive.fen());
        compare(&real, &naive, &steps, &at);
        let key = (real.key(), naive.key());
        for (seen, seen_naive) in &history {
            assert_eq!(
                *seen == key.0,
                *seen_naive == key.1,
                "{at}: the same as {seen_naive}?"
            );
        }
        history.push(key);
        if steps.is_empty() {
            return;
        }
        let step = lot.choose(&naive, &steps);
        let mv = real.legal(uci(step).parse().unwrap()).expect(&at);
        let san = real.san(mv).to_string();
        for language in [Language::En, Language::ZhHans] {
            assert_eq!(
                read_move(&real, &move_text(&san, language)),
                Ok(mv),
                "{at}: {san}"
            );
        }
        real.play(mv);
        naive = naive.after(step);
    }
}

fn compare(real: &Board, naive: &NaiveBoard, steps: &[Step], at: &str) {
    let stuck = steps.is_empty();
    let mut expected: Vec<String> = steps.iter().copied().map(uci).collect();
    let mut found: Vec<String> = real
        .legal_moves()
        .into_iter()
        .map(|mv| Uci::of(mv).to_string())
        .collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected, "{at}");
    assert_eq!(real.fen(), naive.fen(), "{at}");
    assert_eq!(real.is_check(), naive.is_check(), "{at}");
    assert_eq!(real.is_checkmate(), stuck && naive.is_check(), "{at}");
    assert_eq!(real.is_stalemate(), stuck && !naive.is_check(), "{at}");
    assert_eq!(real.is_dead(), naive.is_dead(), "{at}");
}

/// Numbers drawn from a seed (splitmix64).
struct Lot(u64);

impl Lot {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % count as u64) as usize
    }

    /// Any step; one in three times one that changes more than a square.
    fn choose(&mut self, board: &NaiveBoard, steps: &[Step]) -> Step {
        let rare: Vec<Step> = steps
            .iter()
            .copied()
            .filter(|step| board.is_rare(step))
            .collect();
        match &rare[..] {
            [_, ..] if self.below(3) == 0 => rare[self.below(rare.len())],
            _ => steps[self.below(steps.len())],
        }
    }
}
