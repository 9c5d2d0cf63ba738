//! Every message has a file of frames, and each frame is read and written back byte for byte.
//!
//! `golden/client/` and `golden/server/` hold one file a message, one frame a line: the barest first,
//! then with every field. They are what other clients may test themselves against.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rookery_protocol::{ClientMessage, Event, ServerMessage};

fn folder(side: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(side)
}

fn frames(side: &str, tag: &str) -> Vec<String> {
    let path = folder(side).join(format!("{tag}.jsonl"));
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let frames: Vec<String> = text.lines().map(str::to_owned).collect();
    assert!(!frames.is_empty(), "{} is empty", path.display());
    frames
}

fn check(side: &str, tags: &[&str], echo: impl Fn(&str) -> (String, &'static str)) {
    for tag in tags {
        for frame in frames(side, tag) {
            assert_eq!(
                echo(&frame),
                (frame.clone(), tag_of(tags, tag)),
                "{side}/{tag}"
            );
        }
    }
    let files: BTreeSet<String> = fs::read_dir(folder(side))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let expected = tags.iter().map(|tag| format!("{tag}.jsonl")).collect();
    assert_eq!(
        files, expected,
        "a file without a message, or a message without a file"
    );
}

fn tag_of<'a>(tags: &[&'a str], tag: &str) -> &'a str {
    tags.iter()
        .find(|known| **known == tag)
        .expect("taken from the same list")
}

fn server_tags() -> Vec<&'static str> {
    ServerMessage::TAGS
        .iter()
        .chain(Event::TAGS)
        .copied()
        .collect()
}

#[test]
fn every_request_is_read_and_written_back() {
    check("client", ClientMessage::TAGS, |frame| {
        let message =
            ClientMessage::parse(frame).unwrap_or_else(|error| panic!("{frame}: {error}"));
        (message.to_json(), message.tag())
    });
}

#[test]
fn every_message_of_the_server_is_read_and_written_back() {
    check("server", &server_tags(), |frame| {
        let message =
            ServerMessage::parse(frame).unwrap_or_else(|error| panic!("{frame}: {error}"));
        (message.to_json(), message.tag())
    });
}

#[test]
fn every_request_tells_its_own_id() {
    for tag in ClientMessage::TAGS {
        for frame in frames("client", tag) {
            let value: serde_json::Value = serde_json::from_str(&frame).unwrap();
            let id = ClientMessage::parse(&frame).unwrap().id();
            assert_eq!(Some(id.get()), value["id"].as_u64(), "{frame}");
        }
    }
}

#[test]
fn a_request_with_a_field_too_many_is_refused_and_a_server_message_is_not() {
    for tag in ClientMessage::TAGS {
        for frame in frames("client", tag) {
            let wider = frame.replacen('{', r#"{"novelty":1,"#, 1);
            ClientMessage::parse(&wider).expect_err(&wider);
        }
    }
    for tag in server_tags() {
        for frame in frames("server", tag) {
            let wider = frame.replacen('{', r#"{"novelty":1,"#, 1);
            assert_eq!(ServerMessage::parse(&wider).unwrap().to_json(), frame);
        }
    }
}

#[test]
fn every_event_tells_its_place() {
    for tag in Event::TAGS {
        for frame in frames("server", tag) {
            let value: serde_json::Value = serde_json::from_str(&frame).unwrap();
            let ServerMessage::Event(event) = ServerMessage::parse(&frame).unwrap() else {
                panic!("{frame} is no event");
            };
            let (game, seq) = event.place();
            assert_eq!(
                (value["game"].as_str(), value["seq"].as_u64()),
                (Some(game.as_str()), Some(u64::from(seq)))
            );
        }
    }
}
