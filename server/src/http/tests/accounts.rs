//! Accounts, sessions and tokens as a client meets them.

use serde_json::json;

use super::Site;
use crate::stores::archive::fixture::{birth, finished};

#[tokio::test]
async fn an_account_from_sign_up_to_deletion() {
    let site = Site::open().await;
    let client = site.client;
    let ticket = client.sign_up("Ada").await;
    let account = client.get("/api/v1/account", &ticket).await.json();
    assert_eq!(account["name"], "Ada");
    assert!(account["created_at"].is_u64());
    assert_eq!(
        client.get("/api/v1/players/ADA", "").await.json()["id"],
        account["id"]
    );

    let change = json!({ "present": "correct horse", "new": "battery staple" });
    let changed = client
        .json("PUT", "/api/v1/account/password", &ticket, &change)
        .await;
    assert_eq!((changed.status, changed.body.as_str()), (204, ""));
    let log_in = json!({ "name": "ada", "password": "battery staple" });
    let other = client.post("/api/v1/login", "", &log_in).await.json()["ticket"].clone();
    let other = other.as_str().unwrap();

    let sessions = client.get("/api/v1/sessions", &ticket).await.json();
    let sessions = sessions["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2);
    let elsewhere = sessions
        .iter()
        .find(|session| session["current"] == false)
        .unwrap();
    let path = format!("/api/v1/sessions/{}", elsewhere["id"]);
    assert_eq!(
        client.send("DELETE", &path, &ticket, &[], "").await.status,
        204
    );
    assert_eq!(client.get("/api/v1/account", other).await.code(), "revoked");
    assert_eq!(
        client.send("DELETE", &path, &ticket, &[], "").await.code(),
        "unknown_session"
    );

    let confirm = json!({ "password": "battery staple" });
    assert_eq!(
        client
            .json("DELETE", "/api/v1/account", &ticket, &confirm)
            .await
            .status,
        204
    );
    assert_eq!(
        client.get("/api/v1/account", &ticket).await.code(),
        "revoked"
    );
    assert_eq!(
        client.get("/api/v1/players/ada", "").await.code(),
        "unknown_player"
    );
}

#[tokio::test]
async fn what_cannot_be_is_refused_with_its_code() {
    let site = Site::open().await;
    let client = site.client;
    client.sign_up("Ada").await;
    let cases = [
        (
            "signup",
            json!({ "name": "ADA", "password": "correct horse" }),
            409,
            "name_taken",
        ),
        (
            "signup",
            json!({ "name": "admin", "password": "correct horse" }),
            409,
            "name_reserved",
        ),
        (
            "signup",
            json!({ "name": "a\"b", "password": "correct horse" }),
            400,
            "bad_name",
        ),
        (
            "signup",
            json!({ "name": "bob", "password": "short" }),
            400,
            "password_too_short",
        ),
        (
            "signup",
            json!({ "name": "bobby-bob", "password": "Bobby-Bob" }),
            400,
            "password_guessed",
        ),
        ("signup", json!({ "name": "bob" }), 400, "bad_body"),
        (
            "signup",
            json!({ "name": "bob", "password": "correct horse", "bot": true }),
            400,
            "bad_body",
        ),
        (
            "signup",
            json!({ "name": 1, "password": "correct horse" }),
            400,
            "bad_body",
        ),
        ("signup", json!([]), 400, "bad_body"),
        (
            "login",
            json!({ "name": "ada", "password": "wrong horse" }),
            401,
            "bad_login",
        ),
        (
            "login",
            json!({ "name": "nobody-here", "password": "wrong horse" }),
            401,
            "bad_login",
        ),
    ];
    for (path, body, status, code) in cases {
        let answer = client.post(&format!("/api/v1/{path}"), "", &body).await;
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (status, code),
            "{path} {body}"
        );
    }
}

#[tokio::test]
async fn a_guest_plays_without_an_account_and_may_not_change_one() {
    let site = Site::open().await;
    let client = site.client;
    let guest = client.send("POST", "/api/v1/guest", "", &[], "").await;
    assert_eq!(guest.status, 201);
    let guest = guest.json();
    assert_eq!(guest["you"]["guest"], true);
    let ticket = guest["ticket"].as_str().unwrap();
    assert_eq!(
        client.get("/api/v1/account", ticket).await.json()["name"],
        guest["you"]["name"]
    );
    for path in [
        "/api/v1/sessions",
        "/api/v1/tokens",
        "/api/v1/account/export",
    ] {
        assert_eq!(
            client.get(path, ticket).await.code(),
            "scope_missing",
            "{path}"
        );
    }
    let fresh = client
        .send("POST", "/api/v1/ticket", ticket, &[], "")
        .await
        .json();
    assert_eq!(fresh["you"], guest["you"]);
}

#[tokio::test]
async fn a_token_does_what_it_was_made_for() {
    let site = Site::open().await;
    let client = site.client;
    let ticket = client.sign_up("Ada").await;
    let ask = json!({ "label": "engine", "scopes": ["challenge", "account:read"] });
    let made = client.post("/api/v1/tokens", &ticket, &ask).await;
    assert_eq!(made.status, 201);
    let token = made.json()["token"].as_str().unwrap().to_owned();
    assert!(token.starts_with("rk_"));
    let wrong = json!({ "label": "engine", "scopes": ["everything"] });
    assert_eq!(
        client.post("/api/v1/tokens", &ticket, &wrong).await.code(),
        "bad_body"
    );

    assert_eq!(
        client.get("/api/v1/account", &token).await.json()["name"],
        "Ada"
    );
    assert_eq!(
        client.get("/api/v1/tokens", &token).await.code(),
        "scope_missing"
    );
    assert_eq!(
        client
            .send("POST", "/api/v1/ticket", &token, &[], "")
            .await
            .code(),
        "scope_missing"
    );
    let listed = client.get("/api/v1/tokens", &ticket).await;
    assert!(!listed.body.contains(&token), "the text is shown once");
    let id = listed.json()["tokens"][0]["id"].clone();
    let path = format!("/api/v1/tokens/{id}");
    assert_eq!(
        client.send("DELETE", &path, &ticket, &[], "").await.status,
        204
    );
    assert_eq!(
        client.get("/api/v1/account", &token).await.code(),
        "bad_auth"
    );
}

#[tokio::test]
async fn an_export_holds_everything() {
    let site = Site::open().await;
    let client = site.client;
    let ticket = client.sign_up("Ada").await;
    let empty = client.get("/api/v1/account/export", &ticket).await.json();
    assert_eq!((&empty["games"], &empty["chat"]), (&json!([]), &json!([])));
    let ada = site.accounts.named("ada").await.unwrap().player;
    let other = site
        .accounts
        .create("bob", "correct horse", false)
        .await
        .unwrap();
    for number in 0..205 {
        site.archive
            .file(&finished(birth(number, ada, other, false)))
            .await
            .unwrap();
    }
    let line = crate::stores::archive::ChatLine {
        game: birth(1, ada, other, false).game,
        room: "players".to_owned(),
        line: 1,
        player: ada,
        name: "Ada".to_owned(),
        said: "hello, \"you\"".to_owned(),
        said_at: crate::stores::archive::fixture::START,
    };
    site.archive.file_chat(&[line]).await.unwrap();
    let export = client.get("/api/v1/account/export", &ticket).await.json();
    assert_eq!(export["account"]["name"], "Ada");
    assert_eq!(export["games"].as_array().unwrap().len(), 205);
    assert_eq!(export["games"][0]["moves"].as_array().unwrap().len(), 2);
    assert_eq!(export["chat"][0]["text"], "hello, \"you\"");
    assert!(
        !export.to_string().contains("argon2"),
        "a hash is nobody's business"
    );
}
