//! PGN written and read back on games drawn by lot, and read from text that was spoilt by lot.

#![allow(clippy::unwrap_used)]

use std::sync::OnceLock;

use proptest::prelude::*;
use rookery_core::board::Board;
use rookery_core::game::{Ending, Score};
use rookery_core::notation::pgn::{PgnGame, parse, termination_of, write};
use rookery_core::time::Millis;

/// Starts that make rare moves common.
const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
];

const RESULTS: [Score; 4] = [Score::WhiteWins, Score::BlackWins, Score::Draw, Score::Void];

/// A half-move drawn by lot and what is noted about it.
#[derive(Clone, Debug)]
struct Note {
    choice: usize,
    clock: Option<u64>,
    credit: Option<u64>,
    glyph: Option<u8>,
    comment: Option<String>,
}

/// Text without what PGN cannot hold: braces, blanks that are not single, commands, control signs.
fn comment() -> impl Strategy<Value = String> {
    "[a-z0-9%;()\\[\\]\"\\\\$王长将é.]{1,12}( [a-z0-9%;()\"\\\\$马]{1,90}){0,3}"
}

fn note() -> impl Strategy<Value = Note> {
    let clock = prop::option::of(0..3_600_000_u64);
    let credit = prop::option::of(1..500_u64);
    (
        any::<usize>(),
        clock,
        credit,
        prop::option::of(any::<u8>()),
        prop::option::of(comment()),
    )
        .prop_map(|(choice, clock, credit, glyph, comment)| Note {
            choice,
            clock,
            credit,
            glyph,
            comment,
        })
}

fn game() -> impl Strategy<Value = PgnGame> {
    let values = prop::collection::vec("[^\\p{C}\\p{Z}]([^\\p{C}\\p{Zl}\\p{Zp}]{0,40})", 6);
    let start = prop::sample::select(&STARTS);
    let notes = prop::collection::vec(note(), 0..60);
    let result = prop::sample::select(&RESULTS);
    (values, start, notes, result, prop::option::of(comment())).prop_map(
        |(values, start, notes, result, preamble)| {
            let mut game = PgnGame::new(Board::from_fen(start).unwrap());
            let names = ["Event", "Site", "Date", "Round", "White", "Black"];
            names
                .iter()
                .zip(values)
                .for_each(|(name, value)| game.set_tag(name, value));
            preamble.into_iter().for_each(|text| game.annotate(text));
            notes.iter().for_each(|note| play(&mut game, note));
            game.set_result(result);
            game
        },
    )
}

fn play(game: &mut PgnGame, note: &Note) {
    let legal = game.end().legal_moves();
    if legal.is_empty() {
        return;
    }
    let played = game.play(legal[note.choice % legal.len()]);
    played.clock = note.clock.map(Millis);
    played.credit = note.credit.map(Millis);
    played.nags.extend(note.glyph);
    played.comments.extend(note.comment.clone());
}

/// A long text to spoil: a few games with everything in them.
fn sample() -> &'static str {
    static SAMPLE: OnceLock<String> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let mut game = PgnGame::new(Board::default());
        game.set_tag("White", "a \"quoted\" \\ name");
        for uci in ["e2e4", "d7d5", "e4e5", "f7f5", "e5f6", "g8f6", "g1f3", "e7e5", "f1e2", "f8e7"] {
            let mv = game.end().legal(uci.parse().unwrap()).unwrap();
            let played = game.play(mv);
            played.clock = Some(Millis(61_500));
            played.comments.push("a note".to_owned());
            played.nags.push(5);
        }
        let variation = "[White \"B\"]\n\n1. e4 e5 (1... c5 {Sicilian} (1... e6)) 2. 马f3! $1 ; rest\n2... Nc6 0-1\n";
        write(&game) + variation + &write(&game)
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(games in prop::collection::vec(game(), 1..4)) {
        let text: String = games.iter().map(write).collect();
        prop_assert_eq!(parse(&text), Ok(games), "{}", text);
    }

    #[test]
    fn spoilt_text_is_read_or_refused(
        spots in prop::collection::vec((any::<prop::sample::Index>(), "[\\[\\](){}\"\\\\;%$.0-9a-hNKO=+#x\\n é马\u{0}-]{0,3}", 0..4_usize), 1..6),
    ) {
        let mut signs: Vec<char> = sample().chars().collect();
        for (place, inserted, dropped) in spots {
            let at = place.index(signs.len() + 1);
            let until = (at + dropped).min(signs.len());
            signs.splice(at..until, inserted.chars());
        }
        let text: String = signs.into_iter().collect();
        match parse(&text) {
            // What was understood can be written and is then understood the same way.
            Ok(games) => {
                let again = parse(&games.iter().map(write).collect::<String>()).unwrap();
                let lines = |games: &[PgnGame]| -> Vec<String> {
                    games.iter().map(|game| game.end().fen()).collect()
                };
                prop_assert_eq!(lines(&games), lines(&again), "{}", text);
            }
            Err(error) => prop_assert!(error.line <= text.lines().count() + 1, "{error}"),
        }
    }

    #[test]
    fn any_text_at_all_is_read_or_refused(text in "\\PC{0,200}") {
        let _ = parse(&text);
    }
}

/// The games that `rookery-loadtest replay` is tried on.
const SELF_PLAYED: &str = include_str!("../../loadtest/games/selfplay.pgn");

#[test]
fn self_played_games_end_as_they_say() {
    let games = parse(SELF_PLAYED).unwrap();
    assert!(games.len() >= 220);
    for game in &games {
        let word = game.tag("Termination").unwrap();
        let (end, round) = (game.end(), game.tag("Round").unwrap());
        let on_board = end.is_checkmate() || end.is_stalemate() || end.is_dead();
        let so = match termination_of(word).unwrap() {
            Ending::Checkmate => end.is_checkmate(),
            Ending::Stalemate => end.is_stalemate(),
            Ending::DeadPosition => end.is_dead(),
            Ending::Threefold => occurrences(game) == 3,
            Ending::Fifty => end.half_moves() == 100 && occurrences(game) < 3,
            _ => !on_board,
        };
        assert!(so, "game {round} did not end by {word}");
    }
    let text: String = games.iter().map(write).collect();
    assert_eq!(parse(&text), Ok(games));
}

fn occurrences(game: &PgnGame) -> usize {
    let mut board = game.start().clone();
    let mut keys = vec![board.key()];
    for played in game.moves() {
        board.play(board.legal(played.uci).unwrap());
        keys.push(board.key());
    }
    keys.iter().filter(|&&key| key == board.key()).count()
}
