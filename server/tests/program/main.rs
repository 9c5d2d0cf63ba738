//! The built program as an operator meets it: exit codes, what goes where, commands beside a running
//! server, the stop.

// What helps a test fails by panicking, as a test does.
#![allow(clippy::unwrap_used)]

mod house;

use house::{House, rookery};

#[test]
fn a_second_server_on_the_folder_ends_at_once() {
    let house = House::serve(&[]);
    let second = house.run(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--admin-listen",
        "127.0.0.1:0",
    ]);
    assert_eq!(second.code, 69);
    assert!(
        second.err.contains("is served by another process"),
        "{second:?}"
    );
    assert_eq!(second.out, "");
    assert!(
        house.get("/api/v1/lobby").contains("200 OK"),
        "the first one is not disturbed"
    );
}

#[test]
fn a_port_that_is_taken_ends_the_start() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let ended = rookery(
        &[
            "serve",
            "--listen",
            &address,
            "--data",
            data.to_str().unwrap(),
        ],
        "",
    );
    assert_eq!(ended.code, 69);
    assert!(
        ended.err.contains(&format!("cannot listen on {address}")),
        "{ended:?}"
    );
}

#[test]
fn the_configuration_is_judged_before_anything_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let file = folder.path().join("r.toml");
    std::fs::write(
        &file,
        "[server]\nthreads = 'many'\n[gateway]\nframe_bytes = 1\nnone = 2",
    )
    .unwrap();
    let ended = rookery(
        &[
            "serve",
            "--config",
            file.to_str().unwrap(),
            "--data",
            data.to_str().unwrap(),
        ],
        "",
    );
    assert_eq!(ended.code, 64);
    for key in ["server.threads", "gateway.frame_bytes", "gateway.none"] {
        assert!(ended.err.contains(key), "{key}: {ended:?}");
    }
    assert!(!data.exists());
    assert_eq!(rookery(&["serve", "--threads", "2"], "").code, 64);
    assert_eq!(rookery(&["account", "token", "ada"], "").code, 64);
    assert_eq!(rookery(&["--help"], "").code, 0);
}

#[test]
fn the_settings_shown_are_the_ones_in_force() {
    let shown = rookery(
        &[
            "config",
            "show",
            "--set",
            "log.level=debug",
            "--data",
            "/elsewhere",
        ],
        "",
    );
    assert_eq!((shown.code, shown.err.as_str()), (0, ""));
    assert!(shown.out.contains("level = \"debug\"") && shown.out.contains("# flag --set"));
    assert!(shown.out.contains("data = \"/elsewhere\"") && shown.out.contains("# flag --data"));
}

#[test]
fn accounts_are_made_beside_a_running_server() {
    let house = House::serve(&[]);
    let made = house.run(&["account", "create", "deepmate", "--bot"]);
    assert_eq!((made.code, made.err.as_str()), (0, ""));
    assert_eq!(made.out.trim().len(), 20, "a password alone: {made:?}");
    assert!(house.log_in("deepmate", made.out.trim()).contains("200 OK"));
    assert_eq!(house.run(&["account", "create", "DeepMate"]).code, 65);

    let token = house.run(&[
        "account",
        "token",
        "deepmate",
        "--scope",
        "play",
        "--scope",
        "challenge",
    ]);
    assert_eq!((token.code, token.err.as_str()), (0, ""));
    let bearer = format!("authorization: Bearer {}", token.out.trim());
    let account = house.get_with("/api/v1/account", &bearer);
    assert!(
        account.contains("200 OK") && account.contains("\"bot\":true"),
        "{account}"
    );
    assert_eq!(
        house
            .run(&["account", "token", "nobody", "--scope", "play"])
            .code,
        67
    );
    assert_eq!(
        house
            .run(&["account", "token", "deepmate", "--scope", "all"])
            .code,
        64
    );

    let args = ["account", "password", "deepmate", "--password-stdin"];
    assert_eq!(house.run_with(&args, "short\n").code, 65);
    assert_eq!(house.run_with(&args, "correct horse\n").code, 0);
    assert!(house.log_in("deepmate", "correct horse").contains("200 OK"));
    assert!(
        house
            .log_in("deepmate", made.out.trim())
            .contains("401 Unauthorized")
    );
}

#[test]
fn a_stop_is_graceful_and_what_was_kept_is_there_again() {
    let mut house = House::serve(&[]);
    house.run_with(
        &["account", "create", "ada", "--password-stdin"],
        "correct horse\n",
    );
    assert!(house.get_admin("/livez").contains("200 OK"));
    assert!(
        house
            .get_admin("/readyz?verbose")
            .contains("\"archive\":{\"ok\":true")
    );
    house.terminate();
    assert_eq!(house.wait(), 0);
    let again = House::serve_on(house.into_folder(), &[]);
    assert!(again.log_in("ada", "correct horse").contains("200 OK"));
}

#[test]
fn the_numbers_have_their_names() {
    let house = House::serve(&[]);
    house.get("/api/v1/lobby");
    let numbers = house.get_admin("/metrics");
    for name in [
        "rookery_build_info{version=",
        "rookery_http_request_duration_seconds_bucket{route=\"/api/v1/lobby\",method=\"GET\",status=\"200\",le=",
        "rookery_games_active",
        "rookery_shard_mailbox_depth",
        "process_resident_memory_bytes",
        "process_open_fds",
    ] {
        assert!(numbers.contains(name), "{name} is not in {numbers}");
    }
}

#[test]
fn what_is_logged_goes_to_stderr_as_told() {
    let mut house = House::serve(&["--log-format", "json", "--log-level", "debug"]);
    house.log_in("nobody", "correct horse");
    house.terminate();
    assert_eq!(house.wait(), 0);
    let err = house.log();
    assert!(
        err.lines().count() > 0 && err.lines().all(|line| line.starts_with('{')),
        "{err}"
    );
    assert!(!err.contains("correct horse"));
}
