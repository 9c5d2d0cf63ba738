//! Games as JSON and PGN, live and finished, and the lists of them.

use rookery_core::notation::pgn;
use serde_json::json;

use super::Site;
use crate::gateway::LobbyAsk;
use crate::stores::archive::fixture::{birth, finished, player};

#[tokio::test]
async fn a_finished_game_is_told_and_cached() {
    let site = Site::open().await;
    let client = site.client;
    let game = finished(birth(1, player(1), player(2), true));
    site.archive.file(&game).await.unwrap();
    let path = format!("/api/v1/games/{}", game.birth.game);
    let told = client.get(&path, "").await;
    assert_eq!(told.status, 200);
    assert_eq!(told.json()["players"]["white"]["name"], "Ada");
    assert_eq!(
        told.json()["outcome"],
        json!({ "score": "black_wins", "ending": "resignation" })
    );
    assert_eq!(told.header("cache-control"), Some("public, max-age=60"));

    let by_suffix = client.get(&format!("{path}.pgn"), "").await;
    let by_accept = client
        .send("GET", &path, "", &["accept: application/x-chess-pgn"], "")
        .await;
    assert_eq!(by_suffix.body, by_accept.body);
    assert_eq!(
        by_suffix.header("content-type"),
        Some("application/x-chess-pgn; charset=utf-8")
    );
    let read = pgn::parse(&by_suffix.body).unwrap();
    assert_eq!(read[0].moves().len(), 2);
    assert_eq!(read[0].tag("Site"), Some("https://chess.example.org"));

    let tag = format!("if-none-match: {}", raw_tag(&by_suffix));
    let again = client
        .send("GET", &format!("{path}.pgn"), "", &[&tag], "")
        .await;
    assert_eq!((again.status, again.body.as_str()), (304, ""));
}

/// The test's client folds the case of headers, an entity tag has one.
fn raw_tag(answer: &super::client::Answer) -> String {
    use base64ct::{Base64UrlUnpadded, Encoding};
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(answer.body.as_bytes());
    let tag = format!("\"{}\"", Base64UrlUnpadded::encode_string(&digest[..12]));
    assert_eq!(
        answer.header("etag"),
        Some(tag.to_ascii_lowercase().as_str())
    );
    tag
}

#[tokio::test]
async fn a_live_game_is_told_and_not_cached() {
    let site = Site::open().await;
    let client = site.client;
    let mut game = finished(birth(1, player(1), player(2), true));
    game.events.pop();
    site.live.note(game.birth.game, &game.events);
    site.owner.0.lock().push(game.clone());
    let path = format!("/api/v1/games/{}", game.birth.game);
    let told = client.get(&path, "").await;
    assert_eq!(
        (
            told.json()["ply"].clone(),
            told.json()["online"]["white"].clone()
        ),
        (json!(2), json!(true))
    );
    assert_eq!(told.header("cache-control"), Some("no-store"));
    assert_eq!(told.header("etag"), None);
    let pgn = client.get(&format!("{path}.pgn"), "").await;
    assert!(pgn.body.trim_end().ends_with('*'), "{pgn:?}");

    let live = client.get("/api/v1/games/live", "").await.json();
    assert_eq!(live["games"][0]["game"], game.birth.game.to_string());
    assert_eq!(live["games"][0]["outcome"], json!(null));
    assert_eq!(
        client.get("/api/v1/games/live?limit=x", "").await.code(),
        "bad_query"
    );
}

#[tokio::test]
async fn what_is_no_game_is_said_so() {
    let site = Site::open().await;
    let unknown = birth(1, player(1), player(2), true).game;
    for name in [
        unknown.to_string(),
        "x".to_owned(),
        format!("{unknown}.txt"),
        "%00".to_owned(),
    ] {
        let answer = site.client.get(&format!("/api/v1/games/{name}"), "").await;
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (404, "unknown_game"),
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_players_games_come_in_pages() {
    let site = Site::open().await;
    let client = site.client;
    let ada = site
        .accounts
        .create("ada", "correct horse", false)
        .await
        .unwrap();
    for number in 0..5 {
        site.archive
            .file(&finished(birth(number, ada, player(2), false)))
            .await
            .unwrap();
    }
    let mut seen = Vec::new();
    let mut query = "?limit=2".to_owned();
    loop {
        let page = client
            .get(&format!("/api/v1/players/ada/games{query}"), "")
            .await
            .json();
        let games = page["games"].as_array().unwrap();
        seen.extend(games.iter().map(|game| game["starts_at"].as_u64().unwrap()));
        let Some(next) = page["next"].as_str() else {
            break;
        };
        query = format!("?limit=2&before={next}");
    }
    assert_eq!(seen.len(), 5);
    assert!(seen.is_sorted_by(|a, b| a > b));
    let bad = client
        .get("/api/v1/players/ada/games?before=yesterday", "")
        .await;
    assert_eq!(bad.code(), "bad_query");
}

#[tokio::test]
async fn the_lobby_is_asked_and_its_refusals_are_told() {
    let site = Site::open().await;
    let client = site.client;
    let ticket = client.sign_up("Ada").await;
    let seek = json!({ "control": "180+2", "rated": false });
    assert_eq!(
        client.post("/api/v1/seeks", &ticket, &seek).await.status,
        201
    );
    assert!(matches!(site.desk.0.lock()[0], LobbyAsk::Seek(_)));
    let rated = client
        .post(
            "/api/v1/seeks",
            &ticket,
            &json!({ "control": "180+2", "rated": true }),
        )
        .await;
    assert_eq!(
        (rated.status, rated.code().as_str()),
        (409, "already_playing")
    );
    assert_eq!(
        client.post("/api/v1/seeks", "", &seek).await.code(),
        "not_signed_in"
    );
    assert_eq!(
        client
            .post(
                "/api/v1/seeks",
                &ticket,
                &json!({ "control": "soon", "rated": false })
            )
            .await
            .code(),
        "bad_body"
    );
    assert_eq!(
        client
            .send("DELETE", "/api/v1/seeks/x", &ticket, &[], "")
            .await
            .code(),
        "not_found"
    );
    assert_eq!(
        client.get("/api/v1/lobby", "").await.json(),
        json!({ "seeks": [], "pools": [] })
    );
}
