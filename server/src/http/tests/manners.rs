//! How the listener behaves whatever it is asked: bounds, headers, codes.

use serde_json::json;

use super::{HttpConfig, Site};

#[tokio::test]
async fn bodies_are_json_small_and_whole() {
    let site = Site::open().await;
    let client = site.client;
    let kind = ["content-type: application/json; charset=utf-8"];
    let good = r#"{"name":"ada","password":"correct horse"}"#;
    let twice = r#"{"name":"ada","name":"bob","password":"correct horse"}"#;
    let cases = [
        (&kind[..], twice, 400, "bad_body"),
        (&kind[..], "{", 400, "bad_body"),
        (&kind[..], "\u{0}", 400, "bad_body"),
        (&["content-type: text/plain"][..], good, 415, "not_json"),
        (&[][..], good, 415, "not_json"),
        (
            &["content-type: application/x-www-form-urlencoded"][..],
            "name=ada",
            415,
            "not_json",
        ),
    ];
    for (headers, body, status, code) in cases {
        let answer = client
            .send("POST", "/api/v1/signup", "", headers, body)
            .await;
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (status, code),
            "{body}"
        );
    }
    let large = "x".repeat(HttpConfig::default().body_bytes + 1);
    let answer = client
        .send("POST", "/api/v1/signup", "", &kind, &large)
        .await;
    assert_eq!((answer.status, answer.code().as_str()), (413, "too_large"));
    assert_eq!(
        client
            .send("POST", "/api/v1/signup", "", &kind, good)
            .await
            .status,
        201
    );
}

#[tokio::test]
async fn every_answer_has_safe_headers_and_every_refusal_a_code() {
    let site = Site::open().await;
    let cases = [
        ("GET", "/", 200, None),
        ("GET", "/nowhere", 404, Some("not_found")),
        ("GET", "/api/v1/nowhere", 404, Some("not_found")),
        ("POST", "/api/v1/account", 405, Some("method_not_allowed")),
        ("BREW", "/api/v1/account", 405, Some("method_not_allowed")),
        ("GET", "/api/v1/account", 401, Some("not_signed_in")),
        ("GET", "/api/v1/openapi.json", 200, None),
    ];
    for (method, path, status, code) in cases {
        let answer = site.client.send(method, path, "", &[], "").await;
        assert_eq!(answer.status, status, "{method} {path}");
        if let Some(code) = code {
            assert_eq!(answer.code(), code, "{method} {path}");
        }
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        assert_eq!(answer.header("x-frame-options"), Some("deny"), "{path}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'"), "{path}");
    }
    assert_eq!(
        site.client.get("/api/v1/account", "junk").await.code(),
        "bad_auth"
    );
    let unsigned = site.client.get("/api/v1/account", "").await;
    assert_eq!(unsigned.header("www-authenticate"), Some("bearer"));
}

#[tokio::test]
async fn one_address_is_slowed_down() {
    let config = HttpConfig {
        request_burst: 3,
        requests_per_second: 1,
        ..HttpConfig::default()
    };
    let site = Site::open_with(config).await;
    for _ in 0..3 {
        assert_eq!(site.client.get("/api/v1/lobby", "").await.status, 200);
    }
    let refused = site.client.get("/api/v1/lobby", "").await;
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (429, "rate_limited")
    );
    assert_eq!(refused.header("retry-after"), Some("1"));
}

#[tokio::test]
async fn a_client_that_hangs_up_leaves_nothing_half_done() {
    use tokio::io::AsyncWriteExt;
    let site = Site::open().await;
    let body = json!({ "name": "ada", "password": "correct horse" }).to_string();
    let request = format!(
        "POST /api/v1/signup HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut socket = tokio::net::TcpStream::connect(site.client.0).await.unwrap();
    socket.write_all(request.as_bytes()).await.unwrap();
    drop(socket);
    // Whether it was done or not, the name is either taken for good or free.
    let answer = site
        .client
        .post("/api/v1/signup", "", &serde_json::from_str(&body).unwrap())
        .await;
    assert!(matches!(answer.status, 201 | 409), "{answer:?}");
    assert!(site.accounts.named("ada").await.is_ok());
}
