//! What the doorways of a position refuse, and what makes two positions the same.

use super::*;

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap()
}

fn is_legal(board: &Board, text: &str) -> bool {
    text.parse().is_ok_and(|uci| board.legal(uci).is_some())
}

#[test]
fn a_key_is_small() {
    assert_eq!(size_of::<PositionKey>(), 40);
}

#[test]
fn impossible_positions_are_refused() {
    for (why, fen) in [
        ("no text", ""),
        ("no king", "8/8/8/8/8/8/8/K7 w - - 0 1"),
        ("two kings", "kk6/8/8/8/8/8/8/K7 w - - 0 1"),
        ("a pawn on the last rank", "k6P/8/8/8/8/8/8/K7 w - - 0 1"),
        (
            "the side that moved is in check",
            "k7/8/8/8/8/8/8/RK6 w - - 0 1",
        ),
        ("castling without its rook", "4k3/8/8/8/8/8/8/4K3 w K - 0 1"),
        (
            "castling with a king elsewhere",
            "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1",
        ),
        (
            "nobody stepped past that square",
            "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1",
        ),
        (
            "the double step answered a check it could not stop",
            "q6k/8/8/3pP3/8/8/8/7K w - d6 0 1",
        ),
        ("three checkers", "4k3/8/5N2/1B6/8/8/8/K3R3 b - - 0 1"),
        (
            "ten queens and eight pawns",
            "QQQQQQQQ/QQ5k/8/8/8/8/PPPPPPPP/K7 b - - 0 1",
        ),
        ("a pocket", "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1"),
        ("checks left to give", "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1"),
        ("a promoted man", "4k3/8/8/8/8/8/8/Q~3K3 w - - 0 1"),
        (
            "a counter out of all reason",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 4000000000",
        ),
        ("a seventh field", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x"),
        ("endless text", &" ".repeat(MAX_SILLY)),
    ] {
        assert_eq!(Board::from_fen(fen), Err(FenError), "{why}: {fen}");
    }
}

const MAX_SILLY: usize = 10_000;

#[test]
fn an_en_passant_square_with_a_legal_history_is_accepted() {
    for fen in [
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
        "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        "8/8/8/8/3Pp3/8/R6k/K7 b - d3 0 1",
    ] {
        assert!(Board::from_fen(fen).is_ok(), "{fen}");
    }
}

#[test]
fn a_move_has_one_text() {
    let castling = board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert!(is_legal(&castling, "e1g1") && is_legal(&castling, "e1c1"));
    for text in [
        "e1h1", "e1a1", "E1G1", "0000", "e1e1", "@@e4", "Q@e4", "e1g", "e1g1q", "e1 g1", "",
    ] {
        assert!(!is_legal(&castling, text), "{text}");
    }
    let promotion = board("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    for text in ["a7a8", "a7a8Q", "a7a8k", "a7a8p", "a7a8=q", "a7a8qq"] {
        assert!(!is_legal(&promotion, text), "{text}");
    }
    assert!(is_legal(&promotion, "a7a8n"));
}

#[test]
fn equal_boards_have_equal_counters() {
    let one = board("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let other = board("4k3/8/8/8/8/8/8/4K2R w K - 7 9");
    assert_ne!(one, other);
    assert_eq!(one.key(), other.key());
}

#[test]
fn a_key_tells_apart_what_article_10_10_tells_apart() {
    let same = board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").key();
    for (what, fen) in [
        ("side to move", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"),
        ("white's wing", "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1"),
        ("white's other wing", "r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1"),
        ("black's wing", "r3k2r/8/8/8/8/8/8/R3K2R w KQq - 0 1"),
        ("black's other wing", "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1"),
        ("kind of man", "r3k2r/8/8/8/8/8/8/R3K1NR w KQkq - 0 1"),
        ("colour of a man", "r3k2r/8/8/8/8/8/8/R3K1nR w KQkq - 0 1"),
    ] {
        assert_ne!(board(fen).key(), same, "{what}");
    }
}

#[test]
fn a_key_knows_the_en_passant_file_only_while_the_capture_is_legal() {
    let with = |fen: &str| board(fen).key();
    assert_ne!(
        with("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
        with("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1")
    );
    assert_eq!(
        with("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1"),
        with("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"),
        "pinned along the rank"
    );
}
