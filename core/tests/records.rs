//! Whole games as their records tell them: the PGN, and the words for how they ended.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use rookery_core::board::Uci;
use rookery_core::clock::TimeControl;
use rookery_core::game::{
    Act, Birth, ClaimRule, Command, Ending, Game, Outcome, Player, Receipt, Score, Terms,
};
use rookery_core::id::{BySeat, CommandId, GameId, PlayerId, Seat, ShardNo};
use rookery_core::laws::Profile;
use rookery_core::notation::pgn::{BrokenRecord, of_record, parse, write};
use rookery_core::notation::{Language, verdict};
use rookery_core::time::{Millis, Timestamp};

/// 2026-08-01 12:00:00 UTC.
const BEGIN: Timestamp = Timestamp(1_785_585_600_000);

/// How long every act takes.
const THOUGHT: Millis = Millis(1_500);

/// A casual game that is played by calling out what is done.
struct Table {
    game: Game,
    now: Timestamp,
    next_id: u64,
}

impl Table {
    fn from(start: Option<&str>, profile: Profile) -> Table {
        let game = Game::new(birth(start, profile), BEGIN).unwrap();
        Table {
            game,
            now: BEGIN,
            next_id: 1,
        }
    }

    fn moves(mut self, ucis: &str) -> Table {
        for text in ucis.split_whitespace() {
            let uci = text.parse().unwrap();
            self = self.mover(Act::Move { uci, offer: false });
        }
        self
    }

    fn mover(self, act: Act) -> Table {
        let seat = self.game.board().turn();
        self.act(seat, act)
    }

    fn act(mut self, seat: Seat, act: Act) -> Table {
        self.now = self.now + THOUGHT;
        let command = Command {
            seat,
            id: CommandId(self.next_id),
            ply: self.game.ply(),
            act,
        };
        let receipt = Receipt {
            at: self.now,
            lag: Millis(80),
        };
        let decision = self.game.decide(&command, receipt).unwrap();
        decision
            .events
            .into_iter()
            .for_each(|event| self.game.apply(&Arc::new(event)));
        self.next_id += 1;
        self
    }

    fn verdict(&self, language: Language) -> String {
        let outcome = self.game.outcome().expect("the game is over");
        let verdict = verdict(outcome, self.game.birth(), self.game.events(), language);
        format!("{verdict} ({})", verdict.article.unwrap_or("-"))
    }

    fn named(&self, en: &str, zh: &str) {
        assert_eq!(self.verdict(Language::En), en);
        assert_eq!(self.verdict(Language::ZhHans), zh);
    }

    fn pgn(&self) -> String {
        write(&of_record(self.game.birth(), self.game.events()).unwrap())
    }
}

fn birth(start: Option<&str>, profile: Profile) -> Birth {
    let player = |random, name: &str| Player {
        id: PlayerId::mint(BEGIN, random, ShardNo::new(0)),
        name: name.to_owned(),
        bot: name == "Bot",
        guest: false,
    };
    Birth {
        game: GameId::mint(BEGIN, 0, ShardNo::new(7)),
        terms: Terms {
            control: TimeControl::fischer(Millis::from_mins(15), Millis::from_secs(2)),
            profile,
            wrong_claim: None,
            rated: false,
            lag_credit: true,
            first_move: None,
            absence_grace: None,
            start_fen: start.map(str::to_owned),
        },
        players: BySeat {
            white: player(1, "王 \"Rook\" \\"),
            black: player(2, "Bot"),
        },
        starts_at: BEGIN,
    }
}

fn claim(rule: ClaimRule, announced: Option<&str>) -> Act {
    Act::Claim {
        rule,
        announced: announced.map(|uci| uci.parse::<Uci>().unwrap()),
    }
}

const KNIGHTS: &str = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
const PERPETUAL: &str = "6k1/6p1/8/7Q/8/8/rr4PP/6K1 w - - 0 1";

#[test]
fn a_record_becomes_pgn() {
    let e4 = Act::Move {
        uci: "e2e4".parse().unwrap(),
        offer: true,
    };
    let table = Table::from(None, Profile::Classic)
        .mover(e4)
        .act(Seat::Black, Act::Decline)
        .moves("e7e5 g1f3 b8c6 f1b5")
        .act(Seat::White, Act::ProposeTakeback)
        .act(Seat::Black, Act::AcceptTakeback)
        .mover(claim(ClaimRule::Threefold, Some("f1c4")))
        .act(Seat::Black, Act::Offer)
        .act(Seat::Black, Act::Resign);
    insta::assert_snapshot!(table.pgn());
    assert_eq!(parse(&table.pgn()).unwrap()[0].end(), table.game.board());
}

#[test]
fn a_start_position_is_part_of_the_record() {
    let table = Table::from(Some(PERPETUAL), Profile::Fide2023).moves("h5e8");
    let read = parse(&table.pgn()).unwrap().remove(0);
    assert_eq!(read.start().fen(), PERPETUAL);
    assert_eq!(read.tag("Termination"), Some("unterminated"));
    assert_eq!(read.result(), Score::Void);
}

#[test]
fn a_damaged_record_is_refused() {
    let game = Table::from(None, Profile::Classic).moves("e2e4 e7e5").game;
    let mut events = game.events().to_vec();
    let hole = events.remove(1).seq.0 + 1;
    assert_eq!(of_record(game.birth(), &events), Err(BrokenRecord(hole)));
}

#[test]
fn a_repetition_by_unbroken_checks_is_perpetual_check() {
    let checks = "h5e8 g8h7 e8h5 h7g8 h5e8 g8h7 e8h5 h7g8";
    Table::from(Some(PERPETUAL), Profile::Classic)
        .moves(checks)
        .mover(claim(ClaimRule::Threefold, None))
        .named("Perpetual check, draw (10.10)", "长将，和棋 (10.10)");
    Table::from(Some(PERPETUAL), Profile::Classic)
        .moves(&checks[..checks.len() - 5])
        .mover(claim(ClaimRule::Threefold, Some("h7g8")))
        .named("Perpetual check, draw (10.10)", "长将，和棋 (10.10)");
    Table::from(Some(PERPETUAL), Profile::FideOnline)
        .moves(checks)
        .named(
            "Perpetual check, draw (FIDE online 5.4)",
            "长将，和棋 (FIDE online 5.4)",
        );
}

#[test]
fn a_repetition_with_a_quiet_move_is_no_perpetual_check() {
    Table::from(None, Profile::Classic)
        .moves(KNIGHTS)
        .mover(claim(ClaimRule::Threefold, None))
        .named(
            "Threefold repetition, draw (10.10)",
            "三次重复局面，和棋 (10.10)",
        );
    Table::from(Some(PERPETUAL), Profile::Classic)
        .moves("h5e8 g8h7 e8h5 h7g8 h5d1 g8h7 d1h5 h7g8")
        .mover(claim(ClaimRule::Threefold, None))
        .named(
            "Threefold repetition, draw (10.10)",
            "三次重复局面，和棋 (10.10)",
        );
}

#[test]
fn endings_have_names_and_articles() {
    let mate = "f2f3 e7e5 g2g4 d8h4";
    Table::from(None, Profile::Classic)
        .moves(mate)
        .named("Checkmate, Black wins (10.1)", "将死，黑方胜 (10.1)");
    Table::from(None, Profile::Fide2023).moves(mate).named(
        "Checkmate, Black wins (FIDE 5.1.1)",
        "将死，黑方胜 (FIDE 5.1.1)",
    );
    Table::from(Some("8/5P1k/8/6K1/8/8/8/8 w - - 0 1"), Profile::Classic)
        .moves("f7f8q")
        .named("Stalemate, draw (10.3)", "逼和，和棋 (10.3)");
    Table::from(Some("8/8/4k3/8/8/3pK3/8/8 w - - 0 1"), Profile::Classic)
        .moves("e3d3")
        .named(
            "Neither side can mate, draw (10.4)",
            "双方均无法将死对方，和棋 (10.4)",
        );
    Table::from(None, Profile::Classic)
        .moves("e2e4")
        .mover(Act::Resign)
        .named("Resignation, White wins (10.2)", "认输，白方胜 (10.2)");
    Table::from(Some("8/8/4k3/8/8/4K3/4Q3/8 w - - 0 1"), Profile::Classic)
        .mover(Act::Resign)
        .named(
            "Resignation against a bare king, draw (10.5)",
            "向单王认输，和棋 (10.5)",
        );
    Table::from(None, Profile::Classic)
        .act(Seat::White, Act::Abort)
        .named("Aborted, no result (-)", "对局中止，无结果 (-)");
    Table::from(Some("8/8/4k3/8/8/3RK3/8/8 w - - 99 80"), Profile::Fide2023)
        .mover(claim(ClaimRule::Fifty, Some("d3d4")))
        .named(
            "Fifty-move rule, draw (FIDE 9.3)",
            "五十回合规则，和棋 (FIDE 9.3)",
        );
}

#[test]
fn a_flag_is_named_by_what_it_did() {
    let record = Table::from(None, Profile::Classic).game;
    let name = |score, language| {
        let outcome = Outcome {
            score,
            ending: Ending::Time,
        };
        verdict(outcome, record.birth(), record.events(), language).to_string()
    };
    assert_eq!(name(Score::WhiteWins, Language::En), "Time, White wins");
    assert_eq!(name(Score::BlackWins, Language::ZhHans), "超时，黑方胜");
    assert_eq!(
        name(Score::Draw, Language::ZhHans),
        "超时，对方无法取胜，和棋"
    );
    assert_eq!(name(Score::BothLose, Language::En), "Time, both lose");
}
