//! Rooms: everybody who watches is told everything once and in order, sees the clocks, and hears what
//! is said where he may listen.

use rookery_core::clock::TimeControl;
use rookery_core::id::GameId;
use rookery_core::time::Millis;
use serde_json::{Value, json};

use super::client::Client;
use super::world::{World, player_id};
use crate::bus::{Ask, Audience};

/// Knights out and home again: as many legal moves as one likes.
const SHUFFLE: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

fn shuffle(world: &World, game: GameId, plies: std::ops::Range<u32>) {
    for ply in plies {
        let uci = SHUFFLE[ply as usize % SHUFFLE.len()];
        world.owners.play(game, u64::from(ply) + 1, uci);
    }
}

/// The numbers of the events in what a client heard, in order.
fn numbers(heard: &[Value]) -> Vec<u64> {
    let mut numbers = Vec::new();
    for message in heard {
        match message["events"].as_array() {
            Some(events) => {
                numbers.extend(events.iter().map(|event| event["seq"].as_u64().unwrap()))
            }
            None if message["t"] == "moved" => numbers.push(message["seq"].as_u64().unwrap()),
            None => {}
        }
    }
    numbers
}

#[tokio::test]
async fn a_game_is_shown_whole_and_then_event_by_event() {
    let world = World::new();
    let game = world.game();
    shuffle(&world, game, 0..2);
    let mut spectator = world.connect().await;
    spectator.say(json!({"t": "watch", "game": game})).await;
    let state = spectator.hear().await;
    assert_eq!(state["t"], "game");
    assert_eq!((&state["seq"], &state["ply"]), (&json!(2), &json!(2)));
    assert_eq!(state["moves"][1], json!({"uci": "g8f6", "san": "Nf6"}));
    assert_eq!(state["players"]["white"]["name"], "white");
    assert_eq!(spectator.hear().await["t"], "ok");
    shuffle(&world, game, 2..3);
    let moved = spectator.hear().await;
    assert_eq!(
        (&moved["t"], &moved["seq"], &moved["ply"]),
        (&json!("moved"), &json!(3), &json!(3))
    );
    assert_eq!(
        (&moved["seat"], &moved["san"]),
        (&json!("white"), &json!("Ng1"))
    );
}

#[tokio::test]
async fn a_resume_has_no_gap_and_nothing_twice() {
    let world = World::new();
    let game = world.game();
    let mut client = world.player("white").await;
    client.watch(game).await;
    shuffle(&world, game, 0..5);
    let mut seen = numbers(&client.so_far().await);
    client.close().await;
    shuffle(&world, game, 5..9);
    for round in 0..4 {
        let mut client = world.player("white").await;
        let from = seen.last().unwrap() + 1;
        client
            .say(json!({"t": "watch", "game": game, "from": from}))
            .await;
        shuffle(&world, game, 9 + round * 3..12 + round * 3);
        seen.extend(numbers(&client.so_far().await));
        client.close().await;
    }
    assert_eq!(seen, (1..=21).collect::<Vec<u64>>());
}

#[tokio::test]
async fn who_is_far_behind_gets_the_state() {
    let world = World::with(crate::gateway::GatewayConfig {
        resume_events: 3,
        ..Default::default()
    });
    let game = world.game();
    shuffle(&world, game, 0..4);
    let mut client = world.connect().await;
    for (from, answer) in [(5, "events"), (2, "events"), (1, "game"), (6, "game")] {
        client
            .say(json!({"t": "watch", "game": game, "from": from}))
            .await;
        let first = client.hear().await;
        assert_eq!(first["t"], answer, "from {from}");
        assert_eq!(client.hear().await["t"], "ok");
    }
}

#[tokio::test]
async fn events_stored_and_never_told_are_fetched_when_the_hole_shows() {
    let world = World::new();
    let game = world.game();
    let mut clients = [world.connect().await, world.player("white").await];
    for client in &mut clients {
        client.watch(game).await;
    }
    shuffle(&world, game, 0..1);
    world.owners.play_untold(game, 2, "g8f6");
    shuffle(&world, game, 2..4);
    for client in &mut clients {
        let mut seen = Vec::new();
        while seen.len() < 4 {
            seen.extend(numbers(&[client.hear().await]));
        }
        assert_eq!(seen, [1, 2, 3, 4]);
    }
}

#[tokio::test]
async fn a_finished_game_is_watched_from_the_archive_and_leaves_no_room() {
    let world = World::new();
    let game = world.game();
    let mut white = world.player("white").await;
    let mut black = world.player("black").await;
    white.watch(game).await;
    white.play(game, 0, "e2e4").await;
    black.play(game, 1, "e7e5").await;
    let resign = json!({"t": "resign", "id": 500, "game": game, "ply": 2}).to_string();
    white.text(&resign).await;
    assert_eq!(
        white.next_of("ended").await["outcome"]["score"],
        "black_wins"
    );
    white.next_of("ok").await;
    world.owners.file(game, &world.archive);

    // The same command again, and another one.
    white.text(&resign).await;
    assert_eq!(white.next_of("ok").await["ruling"], "done");
    assert_eq!(black.play(game, 2, "d7d5").await["code"], "game_over");

    black.say(json!({"t": "watch", "game": game})).await;
    assert_eq!(black.hear().await["outcome"]["ending"], "resignation");
    assert_eq!(black.hear().await["t"], "ok");
    assert_eq!(world.rooms.len(), 1);
    white.ask(json!({"t": "unwatch", "game": game})).await;
    black.close().await;
    world.until_sockets(1).await;
    assert!(world.rooms.is_empty());
}

#[tokio::test]
async fn presence_is_shown_to_the_opponent_and_reported_to_the_owner() {
    let world = World::new();
    let game = world.game();
    let mut white = world.player("white").await;
    white.watch(game).await;
    let reported = |online: bool| {
        let black = player_id("black");
        world.owners.until_asked(move |request| {
            matches!(request.ask, Ask::Presence { player, online: there } if player == black && there == online)
        })
    };

    let mut tabs = vec![world.player("black").await, world.player("black").await];
    for tab in &mut tabs {
        tab.watch(game).await;
    }
    let came = white.next_of("presence").await;
    assert_eq!(
        (&came["seat"], &came["online"]),
        (&json!("black"), &json!(true))
    );
    reported(true).await;
    tabs.pop().unwrap().close().await;
    world.until_sockets(2).await;
    assert!(white.so_far().await.is_empty(), "one tab is still there");
    drop(tabs);
    let went = white.next_of("presence").await;
    assert_eq!(
        (&went["seat"], &went["online"]),
        (&json!("black"), &json!(false))
    );
    let grace = went["claim_at"].as_u64().unwrap() - went["at"].as_u64().unwrap();
    assert_eq!(grace, 60_000);
    reported(false).await;
}

async fn ticks(client: &mut Client) -> Vec<Value> {
    let heard = client.so_far().await;
    heard
        .into_iter()
        .filter(|message| message["t"] == "tick")
        .collect()
}

#[tokio::test]
async fn clocks_are_shown_each_second_to_players_and_each_five_to_spectators() {
    let world = World::new();
    let game = world.game();
    let mut white = world.player("white").await;
    let mut spectator = world.connect().await;
    let mut quiet = world.player("black").await;
    white.watch(game).await;
    quiet.ask(json!({"t": "ticks", "on": false})).await;
    quiet.watch(game).await;
    shuffle(&world, game, 0..2);
    spectator.watch(game).await;
    white.so_far().await;
    let mut shown = 0;
    for second in 1..=10u64 {
        world.hands.advance(Millis::from_secs(1));
        let tick = white.next_of("tick").await;
        assert_eq!(tick["clock"]["white"], 182_000 - second * 1000);
        assert_eq!(tick["clock"]["black"], 182_000);
        assert_eq!(tick["seq"], 2);
        shown += ticks(&mut spectator).await.len();
    }
    assert_eq!(shown, 2);
    // A sign of life in their place.
    quiet.pinged().await;
    assert!(ticks(&mut quiet).await.is_empty());
}

#[tokio::test]
async fn the_last_ten_seconds_are_shown_in_tenths_and_nothing_after_the_end() {
    let world = World::new();
    let game = world.game_of(TimeControl::fischer(Millis::from_secs(12), Millis::ZERO));
    let mut white = world.player("white").await;
    white.watch(game).await;
    for left in [11_000, 10_000, 9_900, 9_800] {
        let step = if left >= 10_000 { 1000 } else { 100 };
        world.hands.advance(Millis(step));
        assert_eq!(white.next_of("tick").await["clock"]["white"], left);
    }
    let mut black = world.player("black").await;
    black
        .ask(json!({"t": "resign", "game": game, "ply": 0}))
        .await;
    white.next_of("ended").await;
    world.hands.advance(Millis::from_secs(5));
    assert!(ticks(&mut white).await.is_empty());
}

#[tokio::test]
async fn players_do_not_hear_the_spectators_while_they_play() {
    let world = World::new();
    let game = world.game();
    let mut white = world.player("white").await;
    let mut black = world.player("black").await;
    let mut carol = world.player("carol").await;
    let mut guest = world.player("guest1").await;
    for client in [&mut white, &mut black, &mut carol, &mut guest] {
        client.watch(game).await;
    }
    let say =
        |room: &str, text: &str| json!({"t": "chat", "game": game, "room": room, "text": text});
    for client in [&mut white, &mut black, &mut carol, &mut guest] {
        client.so_far().await;
    }

    assert_eq!(
        guest.ask(say("spectators", "hi")).await["code"],
        "guest_not_allowed"
    );
    assert_eq!(carol.ask(say("spectators", "Nf3 wins")).await["t"], "ok");
    assert_eq!(
        carol.ask(say("players", "hi")).await["code"],
        "chat_not_allowed"
    );
    assert_eq!(
        white.ask(say("spectators", "hi")).await["code"],
        "chat_not_allowed"
    );
    assert_eq!(
        black
            .ask(json!({"t": "mute", "game": game, "on": true}))
            .await["t"],
        "ok"
    );
    assert_eq!(white.ask(say("players", "good luck")).await["t"], "ok");
    assert!(black.so_far().await.is_empty());
    let lines = |heard: Vec<Value>| {
        let of = |message: &Value| message["line"]["text"].as_str().map(str::to_owned);
        heard.iter().filter_map(of).collect::<Vec<_>>()
    };
    assert_eq!(lines(guest.so_far().await), ["Nf3 wins", "good luck"]);
    assert_eq!(*world.scribe.lines.lock(), ["Nf3 wins", "good luck"]);

    // Who comes later reads what was said; players do, of the spectators, when it is over.
    let mut late = world.player("dave").await;
    late.say(json!({"t": "watch", "game": game})).await;
    for room in ["players", "spectators"] {
        let shown = late.next_of("chat_lines").await;
        assert_eq!(
            (&shown["room"], &shown["lines"][0]["n"]),
            (&json!(room), &json!(1))
        );
    }
    black
        .ask(json!({"t": "resign", "game": game, "ply": 0}))
        .await;
    let shown = white.next_of("chat_lines").await;
    assert_eq!(shown["lines"][0]["text"], "Nf3 wins");
    assert_eq!(white.ask(say("spectators", "indeed")).await["t"], "ok");
}

#[tokio::test]
async fn who_talks_too_fast_is_told_to_wait_on_all_his_sockets() {
    let world = World::new();
    let game = world.game();
    let mut tabs = [world.player("white").await, world.player("white").await];
    for tab in &mut tabs {
        tab.watch(game).await;
    }
    let line = json!({"t": "chat", "game": game, "room": "players", "text": "!"});
    for _ in 0..5 {
        assert_eq!(tabs[0].ask(line.clone()).await["t"], "ok");
    }
    let refused = tabs[1].ask(line.clone()).await;
    assert_eq!(
        (&refused["code"], &refused["retry_after"]),
        (&json!("rate_limited"), &json!(3000))
    );
    world.hands.advance(Millis::from_secs(3));
    assert_eq!(tabs[1].ask(line).await["t"], "ok");
}

#[tokio::test]
async fn a_game_nobody_watches_costs_nothing() {
    let world = World::new();
    let game = world.game();
    shuffle(&world, game, 0..2);
    world.rooms.tell(game, &[]);
    assert!(world.rooms.is_empty());
}
