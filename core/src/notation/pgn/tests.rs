//! PGN, case by case: what is written, what is read, what is refused and on which line.

use super::*;
use crate::board::Board;

fn one(text: &str) -> PgnGame {
    let mut games = parse(text).unwrap();
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn moves(game: &PgnGame) -> String {
    game.moves()
        .iter()
        .map(|played| played.san.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

fn played(ucis: &str) -> PgnGame {
    let mut game = PgnGame::new(Board::default());
    for uci in ucis.split_whitespace() {
        let mv = game.end().legal(uci.parse().unwrap()).unwrap();
        game.play(mv);
    }
    game
}

#[test]
fn an_empty_game_has_the_roster() {
    let text = write(&PgnGame::new(Board::default()));
    let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
                    [Black \"?\"]\n[Result \"*\"]\n\n*\n\n";
    assert_eq!(text, expected);
}

#[test]
fn moves_carry_numbers_clocks_and_notes() {
    let mut game = played("e2e4 e7e5 g1f3");
    game.preamble.push("A first note.".to_owned());
    game.moves[0].clock = Some(Millis(3_599_500));
    game.moves[0].credit = Some(Millis(120));
    game.moves[0]
        .comments
        .push("White offers a draw".to_owned());
    game.moves[2].nags.push(1);
    game.set_result(Score::Draw);
    game.set_tag("Zeta", "z");
    game.set_tag("Alpha", "a");
    let text = write(&game);
    let (tags, movetext) = text.split_once("\n\n").unwrap();
    assert!(
        tags.ends_with("[Result \"1/2-1/2\"]\n[Alpha \"a\"]\n[Zeta \"z\"]"),
        "{tags}"
    );
    assert_eq!(
        movetext,
        "{A first note.} 1. e4 {[%clk 0:59:59.5] [%lag 0:00:00.12]} {White offers a\n\
         draw} 1... e5 2. Nf3 $1 1/2-1/2\n\n"
    );
    assert_eq!(one(&text), with_roster(game));
}

/// What is unknown is written as such, and so read.
fn with_roster(mut game: PgnGame) -> PgnGame {
    for name in ["Event", "Site", "Round", "White", "Black"] {
        game.set_tag(name, "?");
    }
    game.set_tag("Date", "????.??.??");
    game
}

#[test]
fn a_start_position_is_told_and_black_may_begin() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R b KQ - 3 17";
    let mut game = PgnGame::new(Board::from_fen(fen).unwrap());
    let mv = game.end().legal("e8e7".parse().unwrap()).unwrap();
    game.play(mv);
    let text = write(&game);
    assert!(
        text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")),
        "{text}"
    );
    assert!(text.ends_with("\n\n17... Ke7 *\n\n"), "{text}");
    assert_eq!(one(&text).start().fen(), fen);
}

#[test]
fn hostile_names_stay_names() {
    for (name, read_back) in [
        ("O\"Brien", "O\"Brien"),
        ("back\\slash\\", "back\\slash\\"),
        ("\"]\n[Result \"1-0\"]\n\n1-0", "\"] [Result \"1-0\"]  1-0"),
        ("a\u{0}b\tc\u{85}d\u{2028}e", "a b c d e"),
        ("% {not} a; (comment) $1", "% {not} a; (comment) $1"),
        ("王小明", "王小明"),
        ("", "?"),
    ] {
        let mut game = played("e2e4");
        game.set_tag("White", name);
        let text = write(&game);
        assert_eq!(
            text.lines()
                .filter(|line| line.starts_with("[Result"))
                .count(),
            1,
            "{text}"
        );
        assert_eq!(one(&text).tag("White"), Some(read_back));
        assert_eq!(one(&text).result(), Score::Void);
    }
}

#[test]
fn a_note_cannot_leave_its_braces_and_no_line_begins_with_the_escape() {
    let mut game = played("e2e4");
    game.annotate("} 1-0 {\n[Result \"1-0\"]");
    for width in 60..90 {
        game.annotate(format!("{} % of nothing", "x".repeat(width)));
    }
    let text = write(&game);
    assert!(text.lines().all(|line| !line.starts_with('%')), "{text}");
    let read = one(&text);
    assert_eq!(read.result(), Score::Void);
    assert_eq!(read.moves()[0].comments[0], ") 1-0 ( [Result \"1-0\"]");
    assert_eq!(read.moves()[0].comments[1..], game.moves()[0].comments[1..]);
}

#[test]
fn lines_stay_under_eighty_columns() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(40);
    let mut game = played(&shuffle);
    game.moves
        .iter_mut()
        .for_each(|played| played.clock = Some(Millis(59_999)));
    assert!(write(&game).lines().all(|line| line.chars().count() < 80));
}

#[test]
fn a_game_both_have_lost_has_no_pgn_result() {
    let mut game = played("e2e4");
    game.set_result(Score::BothLose);
    assert!(write(&game).contains("[Result \"*\"]"));
}

#[test]
fn what_people_write_is_read() {
    for (text, expected) in [
        ("1. e4 e5 2. Nf3", "e4 e5 Nf3"),
        ("1.e4 e5 2.Nf3 1-0", "e4 e5 Nf3"),
        ("1. e4 1... e5 2 Nf3", "e4 e5 Nf3"),
        ("1. e4 1…e5", "e4 e5"),
        ("e4 e5 Nf3 *", "e4 e5 Nf3"),
        ("\u{FEFF}1. e4", "e4"),
        ("% an escape\n1. e4 ; the rest {of the line\ne5", "e4 e5"),
        ("1. e4 {a ; b { c} e5", "e4 e5"),
        ("1. e4 (1. d4 d5 (1... Nf6 {)} $4 ) 2. c4) 1... e5", "e4 e5"),
        ("1. e4! e5?? 2. Nf3!? Nc6 $14", "e4 e5 Nf3 Nc6"),
        ("1. 马f3 兵d5 2. Ng1", "Nf3 d5 Ng1"),
        (
            "1. e4 d5 2. e5 f5 3. exf6 e.p. Nxf6",
            "e4 d5 e5 f5 exf6 Nxf6",
        ),
        (
            "1. e4 d5 2. e5 f5 3. exf6 en pt Nxf6",
            "e4 d5 e5 f5 exf6 Nxf6",
        ),
        (
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 1/2-1/2",
            "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O",
        ),
        ("", ""),
    ] {
        let read = parse(text).unwrap();
        assert_eq!(
            read.first().map(moves).unwrap_or_default(),
            expected,
            "{text}"
        );
    }
}

#[test]
fn annotations_become_glyphs_and_clocks() {
    let game =
        one("1. e4! {[%clk 1:02:03] good [%eval 0.2]} e5?! {[%clk 0:00:09.75]} 2. Nf3 {[%clk x]}");
    assert_eq!(game.moves()[0].nags, [1]);
    assert_eq!(game.moves()[0].clock, Some(Millis(3_723_000)));
    assert_eq!(game.moves()[0].comments, ["good [%eval 0.2]"]);
    assert_eq!(game.moves()[1].nags, [6]);
    assert_eq!(game.moves()[1].clock, Some(Millis(9_750)));
    assert_eq!(game.moves()[2].comments, ["[%clk x]"]);
}

#[test]
fn many_games_are_parted_by_results_or_by_tags() {
    let games = parse(
        "[White \"A\"]\n\n1. e4 1-0 {well played}\n[White \"B\"]\n[Result \"0-1\"]\n\n1. d4\n\
         [White \"C\"]\n\n*\n1. c4 1/2",
    )
    .unwrap();
    let found: Vec<_> = games
        .iter()
        .map(|game| (game.tag("White"), moves(game)))
        .collect();
    let expected = [
        (Some("A"), "e4"),
        (Some("B"), "d4"),
        (Some("C"), ""),
        (None, "c4"),
    ];
    assert_eq!(found, expected.map(|(name, text)| (name, text.to_owned())));
    assert_eq!(games[0].moves()[0].comments, ["well played"]);
    assert_eq!(
        games.iter().map(PgnGame::result).collect::<Vec<_>>(),
        [Score::WhiteWins, Score::BlackWins, Score::Void, Score::Draw]
    );
}

#[test]
fn a_fault_is_named_with_its_line() {
    use PgnErrorKind::*;
    let deep = "(".repeat(MAX_NESTING + 2);
    let tags: String = (0..=MAX_TAGS).map(|n| format!("[T{n} \"x\"]\n")).collect();
    let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(301);
    let many = "* ".repeat(MAX_GAMES + 1);
    for (text, line, kind) in [
        ("1. e4\n\nKe3", 3, IllegalMove),
        ("1. e4 hello", 1, NotAMove),
        (
            "1. d4 d5 2. Nd2 Nf6\n3. Nf3 e6 4. Ng1 e5 5. Nf3",
            2,
            AmbiguousMove,
        ),
        ("\n[White Name]", 2, BadTag),
        ("[White \"A\" x]", 1, BadTag),
        ("[White \"A\"]\n[White \"B\"]", 2, DuplicateTag),
        ("[White \"A]\n", 1, OpenString),
        ("[White \"A\\\"]", 1, OpenString),
        ("1. e4\n{ no end", 2, OpenComment),
        ("1. e4\n(1. d4\n(d5)", 2, OpenVariation),
        ("1. e4 )", 1, StraySign),
        ("1. e4 }", 1, StraySign),
        ("1. e4 \"", 1, StraySign),
        ("1. e4 $", 1, BadGlyph),
        ("1. e4 $256", 1, BadGlyph),
        ("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n*", 2, BadFen),
        ("[Result \"2-0\"]\n*", 2, BadResult),
        ("[Result \"1-0\"]\n0-1", 2, ResultsDiffer),
        (&deep, 1, NestedTooDeeply),
        (&tags, MAX_TAGS + 1, TooManyTags),
        (&long, 1, TooManyMoves),
        (&many, 1, TooManyGames),
        (&" ".repeat(MAX_TEXT + 1), 1, TextTooLong),
    ] {
        let sample: String = text.chars().take(60).collect();
        assert_eq!(parse(text), Err(PgnError { line, kind }), "{sample}");
    }
}

#[test]
fn every_word_for_an_ending_is_read_back() {
    for word in [
        "checkmate",
        "stalemate",
        "insufficient_material",
        "threefold",
        "fifty",
        "agreement",
    ] {
        assert_eq!(termination_of(word).map(termination), Some(word));
    }
    assert_eq!(termination_of("time forfeit"), termination_of("time"));
    assert_eq!(termination_of("normal"), None);
}
