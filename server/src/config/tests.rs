//! What is understood, what is refused, and which layer wins: a line each.

use super::*;

/// Loads a file, variables and flags written in short.
fn load(
    file: &str,
    environment: &[(&str, &str)],
    flags: &[(&str, &str)],
) -> Result<Loaded, Problems> {
    let own = |pair: &(&str, &str)| (pair.0.to_owned(), pair.1.to_owned());
    Config::load(Inputs {
        file: Some(("r.toml".into(), file.to_owned())),
        environment: environment.iter().map(own).collect(),
        flags: flags
            .iter()
            .map(|(place, value)| ("--set".to_owned(), place.to_string(), value.to_string()))
            .collect(),
    })
}

#[test]
fn nothing_given_is_the_default() {
    let loaded = Config::load(Inputs::default()).unwrap();
    assert_eq!(loaded.config, Config::default());
}

#[test]
fn a_flag_beats_the_environment_beats_the_file() {
    let file = "[server]\nthreads = 1\n[log]\nlevel = 'warn'\n[store]\ndata = '/a'";
    let environment = [
        ("ROOKERY_SERVER__THREADS", "2"),
        ("ROOKERY_LOG__LEVEL", "debug"),
    ];
    let flags = [("server.threads", "3")];
    let config = load(file, &environment, &flags).unwrap().config;
    assert_eq!(config.server.threads, 3);
    assert_eq!(config.log.level, "debug");
    assert_eq!(config.store.data.to_str(), Some("/a"));
}

#[test]
fn a_text_takes_the_type_of_its_key() {
    let environment = [
        ("ROOKERY_GATEWAY__GUESTS_CHAT", "true"),
        ("ROOKERY_GATEWAY__TRUSTED_PROXIES", "10.0.0.0/8, fd00::/8"),
        ("ROOKERY_GATEWAY__MAX_LAG_MS", "250"),
        ("ROOKERY_STORE__DATA", "17"),
        ("ROOKERY_STORE__SYNC", "os"),
        ("ROOKERY_SERVER__LISTEN", "[::1]:80"),
    ];
    let config = load("", &environment, &[]).unwrap().config;
    assert!(config.gateway.guests_chat);
    assert_eq!(config.gateway.trusted_proxies.len(), 2);
    assert_eq!(config.gateway.max_lag_ms.0, 250);
    assert_eq!(config.store.data.to_str(), Some("17"));
    assert_eq!(config.store.sync, crate::stores::journal::SyncMode::Os);
    assert_eq!(config.server.listen.to_string(), "[::1]:80");
}

#[test]
fn variables_of_others_are_passed_over() {
    let environment = [
        ("ROOKERY_PORT", "tcp://10.0.0.1:80"),
        ("ROOKERY_SERVICE_HOST", "10.0.0.1"),
        ("PATH", "/bin"),
    ];
    assert!(load("", &environment, &[]).is_ok());
}

#[test]
fn each_way_to_be_wrong_is_named() {
    let cases = [
        (
            "[server]\nthraeds = 1",
            "server.thraeds (file r.toml): there is no such key",
        ),
        (
            "[sever]\nthreads = 1",
            "sever.threads (file r.toml): there is no such group",
        ),
        (
            "threads = 1",
            "threads (file r.toml): is no group; a key stands in a [group]",
        ),
        (
            "[server]\nthreads = 'x'",
            "server.threads (file r.toml): invalid type: string",
        ),
        (
            "[server]\nthreads = -1",
            "server.threads (file r.toml): invalid value: integer `-1`",
        ),
        (
            "[server]\nlisten = 'here'",
            "server.listen (file r.toml): invalid socket address",
        ),
        (
            "[server]\npublic_url = 'x'",
            "server.public_url (file r.toml): is written like",
        ),
        (
            "[server]\nstop_within_ms = 0",
            "server.stop_within_ms (file r.toml): must not be 0",
        ),
        (
            "[server]\ntls_cert = '/none'",
            "server.tls_key: must be set beside tls_cert",
        ),
        (
            "[log]\nlevel = 'a=b=c'",
            "log.level (file r.toml): is no filter",
        ),
        (
            "[store]\nsync = 'never'",
            "store.sync (file r.toml): unknown variant `never`",
        ),
        (
            "[store]\ndata = ''",
            "store.data (file r.toml): must name a folder",
        ),
        (
            "[gateway]\nframe_bytes = 10",
            "gateway.frame_bytes (file r.toml): must be at least",
        ),
        ("[server", "file r.toml: TOML parse error"),
    ];
    for (file, problem) in cases {
        let problems = load(file, &[], &[]).unwrap_err();
        assert!(
            problems.0.iter().any(|found| found.starts_with(problem)),
            "{file:?}: {problems}"
        );
    }
}

#[test]
fn all_problems_are_listed_at_once() {
    let file = "[server]\nthreads = 'x'\nnone = 1\n[log]\nlevel = '=='";
    let problems = load(file, &[("ROOKERY_NO__KEY", "1")], &[("plain", "1")]).unwrap_err();
    assert_eq!(problems.0.len(), 5, "{problems}");
}

#[test]
fn what_is_shown_can_be_given_back() {
    let loaded = load(
        "[server]\nthreads = 5",
        &[("ROOKERY_LOG__FORMAT", "json")],
        &[],
    )
    .unwrap();
    let shown = loaded.show();
    assert!(
        shown.contains("threads = 5") && shown.contains("# file r.toml"),
        "{shown}"
    );
    assert!(
        shown.contains("format = \"json\"") && shown.contains("# environment ROOKERY_LOG__FORMAT")
    );
    assert!(shown.contains("# tls_cert is not set"));
    assert_eq!(load(&shown, &[], &[]).unwrap().config, loaded.config);
}
