//! Commands that make no sense, come twice, or come from the wrong one.

use rookery_loadtest::client::{Act, Player};
use rookery_protocol::{
    ClientMessage, Command, ErrorCode, Event, GameId, Move, Seat, ServerMessage,
};

use crate::house::{House, PATIENCE, code};
use crate::raw::Raw;

/// A move whatever the player's record says.
fn play(
    game: GameId,
    ply: u32,
    uci: &str,
) -> impl Fn(rookery_protocol::RequestId) -> ClientMessage {
    let uci = uci.parse().unwrap();
    move |id| {
        ClientMessage::Move(Move {
            id,
            game,
            ply,
            uci,
            offer: false,
        })
    }
}

#[tokio::test]
async fn what_the_laws_refuse_changes_nothing() {
    let house = House::open().await;
    house.beside_a_game(refusals(&house)).await;
}

async fn refusals(house: &House) {
    let mut table = house.table("300").await;
    let mut stranger = house.guest().await;
    let game = table.game;
    let (white, black) = (&mut table.white, &mut table.black);

    assert_eq!(
        code(black.ask(play(game, 0, "e7e5")).await),
        ErrorCode::NotYourTurn
    );
    assert_eq!(
        code(white.ask(play(game, 0, "e2e5")).await),
        ErrorCode::IllegalMove
    );
    assert_eq!(
        code(white.ask(play(game, 7, "e2e4")).await),
        ErrorCode::StalePly
    );
    assert_eq!(
        code(stranger.ask(play(game, 0, "e2e4")).await),
        ErrorCode::NotSeated
    );
    let nowhere = "0000000000000000000000".parse().unwrap();
    assert_eq!(
        code(white.ask(play(nowhere, 0, "e2e4")).await),
        ErrorCode::UnknownGame
    );

    white.ask(play(game, 0, "e2e4")).await.unwrap();
    assert_eq!(
        code(white.ask(play(game, 0, "e2e4")).await),
        ErrorCode::StalePly
    );
    assert_eq!(
        code(white.ask(play(game, 1, "d2d4")).await),
        ErrorCode::NotYourTurn
    );
    black.ask(play(game, 1, "e7e5")).await.unwrap();
    let command = |make: fn(Command) -> ClientMessage| move |id| make(Command { id, game, ply: 2 });
    assert_eq!(
        code(white.ask(command(ClientMessage::Accept)).await),
        ErrorCode::NoOpenOffer
    );
    assert_eq!(
        code(white.ask(command(ClientMessage::Abort)).await),
        ErrorCode::AbortTooLate
    );
    assert_eq!(
        code(white.ask(command(ClientMessage::Withdraw)).await),
        ErrorCode::OfferCannotBeWithdrawn
    );
    assert_eq!(
        code(stranger.ask(command(ClientMessage::Resign)).await),
        ErrorCode::NotSeated
    );

    table.ask(Seat::White, Act::Resign).await.unwrap();
    let over = PATIENCE.answer;
    table
        .until("the end", over, |record| record.outcome().is_some())
        .await
        .unwrap();
    let kinds: Vec<_> = table
        .record(Seat::Black)
        .events()
        .iter()
        .map(Event::tag)
        .collect();
    assert_eq!(kinds, ["born", "moved", "moved", "ended"]);
    let again = code(table.ask(Seat::Black, Act::Resign).await);
    assert_eq!(again, ErrorCode::GameOver);
}

#[tokio::test]
async fn a_command_is_done_once_and_answered_each_time() {
    let house = House::open().await;
    let ticket = house.ticket().await;
    let white = Player::enter(&house.target(), Some(ticket.clone()), PATIENCE)
        .await
        .unwrap();
    let black = house.guest().await;
    let wish = rookery_loadtest::client::Wish::casual("300").unwrap();
    let mut table = rookery_loadtest::client::Table::of(white, black, &wish)
        .await
        .unwrap();
    let game = table.game;

    // Two other sockets of the same player, as two tabs or a program restarted.
    let mut one = Raw::enter(&house.target(), &ticket).await;
    let mut other = Raw::enter(&house.target(), &ticket).await;
    let frame = format!(r#"{{"t":"move","id":77,"game":"{game}","ply":0,"uci":"e2e4"}}"#);
    let ok = |message: &ServerMessage| match message {
        ServerMessage::Ok(done) if done.id.get() == 77 => Some(done.ruling),
        _ => None,
    };
    one.say(&frame).await;
    one.say(&frame).await;
    let first = one.hear(ok).await;
    assert_eq!(one.hear(ok).await, first);
    other.say(&frame).await;
    assert_eq!(other.hear(ok).await, first);

    let changed = frame.replace("e2e4", "d2d4");
    other.say(&changed).await;
    assert_eq!(other.error().await, (ErrorCode::IdReused, Some(77)));

    table
        .until("the move", PATIENCE.answer, |record| record.ply() == 1)
        .await
        .unwrap();
    table
        .ask(Seat::Black, Act::Move("e7e5".parse().unwrap(), false))
        .await
        .unwrap();
    one.say(&frame).await;
    assert_eq!(one.hear(ok).await, first);
    table
        .until("the reply", PATIENCE.answer, |record| record.ply() == 2)
        .await
        .unwrap();
    assert_eq!(table.record(Seat::Black).moves(), ["e2e4", "e7e5"]);
}
