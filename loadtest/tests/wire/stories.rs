//! Whole stories of honest players.

use std::time::Duration;

use rookery_loadtest::client::{Act, Player, Table, sign_up};
use rookery_loadtest::clocks;
use rookery_loadtest::replay::Pace;
use rookery_loadtest::verdict::same_events;
use rookery_protocol::{
    ClaimRule, ClientMessage, Ending, ErrorCode, Event, Rematch, Ruling, Score, Seat, Uci,
};

use crate::house::{House, PATIENCE, code};

pub(crate) struct Quick;

impl Pace for Quick {
    fn think(&mut self) -> Duration {
        Duration::ZERO
    }
}

fn uci(text: &str) -> Uci {
    text.parse().unwrap()
}

fn mv(text: &str) -> Act {
    Act::Move(uci(text), false)
}

async fn both_at(table: &mut Table, ply: u32) {
    table
        .until("the move", PATIENCE.answer, |record| record.ply() == ply)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_game_with_an_offer_a_wrong_claim_a_cut_and_a_rematch() {
    let house = House::open().await;
    let mut table = house.table("900+3").await;
    let game = table.game;
    let mut spectator = Player::enter(&house.target(), None, PATIENCE)
        .await
        .unwrap();
    spectator.watch(game).await.unwrap();

    table.ask(Seat::White, mv("e2e4")).await.unwrap();
    both_at(&mut table, 1).await;
    table
        .ask(Seat::Black, Act::Move(uci("e7e5"), true))
        .await
        .unwrap();
    both_at(&mut table, 2).await;
    table.ask(Seat::White, Act::Decline).await.unwrap();
    table.ask(Seat::White, mv("g1f3")).await.unwrap();
    both_at(&mut table, 3).await;
    let again = table.ask(Seat::Black, Act::Offer).await;
    assert_eq!(code(again), ErrorCode::OfferNotAllowed);
    table.ask(Seat::Black, mv("b8c6")).await.unwrap();
    both_at(&mut table, 4).await;

    let had = table.record(Seat::White).clock().unwrap().white;
    let claim = Act::Claim(ClaimRule::Threefold, Some(uci("f1c4")));
    let ruled = table.ask(Seat::White, claim).await.unwrap();
    assert_eq!(ruled.ruling, Some(Ruling::ClaimWrong));
    both_at(&mut table, 5).await;
    let has = table.record(Seat::White).clock().unwrap().white;
    assert!(has <= had - 300_000 + 3_000, "{had} {has}");
    assert_eq!(table.record(Seat::Black).moves().last(), Some(&"f1c4"));

    table.black.cut();
    table.ask(Seat::Black, mv("f8c5")).await.unwrap();
    both_at(&mut table, 6).await;
    assert_eq!(table.black.cuts(), 1);

    table.ask(Seat::White, Act::Resign).await.unwrap();
    let over = |record: &rookery_loadtest::client::Record| record.outcome().is_some();
    table.until("the end", PATIENCE.answer, over).await.unwrap();
    let outcome = table.record(Seat::White).outcome().unwrap();
    assert_eq!(
        (outcome.score, outcome.ending),
        (Score::BlackWins, Ending::Resignation)
    );

    let ended = |player: &Player| player.record(game).is_some_and(over);
    spectator
        .until("the end", PATIENCE.answer, ended)
        .await
        .unwrap();
    let [white, black] = table.records();
    same_events(white, black).unwrap();
    same_events(white, spectator.record(game).unwrap()).unwrap();
    let kinds: Vec<_> = white.events().iter().map(Event::tag).collect();
    assert_eq!(
        kinds,
        [
            "born", "moved", "moved", "declined", "moved", "moved", "claimed", "moved", "moved",
            "ended"
        ]
    );
    clocks::check(white.events(), &[]).unwrap();
    rematch(table).await;
}

/// Colours swap, and the new game can be played.
async fn rematch(table: Table) {
    let Table {
        game,
        mut white,
        mut black,
    } = table;
    let again = |id| ClientMessage::Rematch(Rematch { id, game });
    let next = white
        .ask(again)
        .await
        .unwrap()
        .made
        .expect("a rematch has a name");
    black.ask(again).await.unwrap();
    let mut table = Table::paired(black, white, next).await.unwrap();
    table.ask(Seat::White, mv("d2d4")).await.unwrap();
    both_at(&mut table, 1).await;
    table.ask(Seat::Black, Act::Abort).await.unwrap();
    let over = |record: &rookery_loadtest::client::Record| record.outcome().is_some();
    table.until("the end", PATIENCE.answer, over).await.unwrap();
    assert_eq!(
        table.record(Seat::White).outcome().unwrap().ending,
        Ending::Aborted
    );
}

#[tokio::test]
async fn accounts_play_and_their_game_is_kept() {
    let house = House::open().await;
    let target = house.target();
    let mut seats = Vec::new();
    for name in ["Ada", "Bo_2"] {
        let account = sign_up(&target, name, "correct horse battery")
            .await
            .unwrap();
        assert_eq!(account.name, name);
        seats.push(
            Player::enter(&target, Some(account.ticket), PATIENCE)
                .await
                .unwrap(),
        );
    }
    let (black, white) = (seats.pop().unwrap(), seats.pop().unwrap());
    let wish = rookery_loadtest::client::Wish::casual("300+2").unwrap();
    let mut table = Table::of(white, black, &wish).await.unwrap();
    let script = crate::house::opera();
    rookery_loadtest::replay::play(&mut table, &script, &mut Quick)
        .await
        .unwrap();
    rookery_loadtest::verdict::judge(&mut table, &script, &target, &[])
        .await
        .unwrap();
    let pgn = target
        .http()
        .get(&format!("/api/v1/games/{}.pgn", table.game))
        .await
        .unwrap();
    assert!(pgn.body.contains("[White \"Ada\"]"), "{}", pgn.body);
    assert!(pgn.body.contains("[Black \"Bo_2\"]"), "{}", pgn.body);
    assert!(pgn.body.contains("[%clk "), "{}", pgn.body);
}
