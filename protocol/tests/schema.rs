//! The committed descriptions are those of the types, and so is the page.

use std::fs;
use std::path::Path;

use rookery_protocol::{ClientMessage, Event, ServerMessage, page, schema};
use serde_json::Value;

fn check(name: &str, made: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("schema")
        .join(name);
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == format!("{made:#}\n"),
        "schema/{name} has drifted: cargo run -p rookery-protocol --features schema --example schema"
    );
}

#[test]
fn the_json_schema_is_that_of_the_types() {
    check("rookery.v1.json", &schema::json_schema());
}

#[test]
fn the_asyncapi_document_is_that_of_the_types() {
    check("asyncapi.json", &schema::asyncapi());
}

const PAGE: &str = include_str!("../PROTOCOL.md");

#[test]
fn the_tables_of_the_page_are_those_of_the_source() {
    assert!(
        page::fill(PAGE) == PAGE,
        "PROTOCOL.md has drifted: cargo run -p rookery-protocol --features schema --example schema"
    );
}

#[test]
fn every_frame_of_the_transcript_is_one_of_ours() {
    let (mut sent, mut received) = (0, 0);
    for line in PAGE.lines() {
        if let Some(frame) = line.strip_prefix("> ") {
            assert_eq!(ClientMessage::parse(frame).unwrap().to_json(), frame);
            sent += 1;
        } else if let Some(frame) = line.strip_prefix("< ") {
            assert_eq!(ServerMessage::parse(frame).unwrap().to_json(), frame);
            received += 1;
        }
    }
    assert!(
        sent > 10 && received > 20,
        "the transcript is gone: {sent} sent, {received} received"
    );
}

#[test]
fn the_transcript_has_every_event_of_its_game_in_order() {
    let frames = PAGE.lines().filter_map(|line| line.strip_prefix("< "));
    let messages = frames.map(|frame| ServerMessage::parse(frame).unwrap());
    let events = messages.flat_map(|message| match message {
        ServerMessage::Event(event) => vec![event],
        ServerMessage::Events(missed) => missed.events,
        _ => Vec::new(),
    });
    let numbers: Vec<u32> = events.map(|event: Event| event.place().1).collect();
    let expected: Vec<u32> = (1..=numbers.len() as u32).collect();
    assert_eq!(numbers, expected);
}
