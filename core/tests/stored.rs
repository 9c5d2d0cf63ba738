//! The stored form of events, format 1: `golden/events.1.jsonl` is a journal in which everything happens.
//! A line that changes here changes what running nodes can read: give the journal a new format number,
//! keep this file, and read both.

use std::sync::Arc;

use rookery_core::game::{Event, Game, What};

const GOLDEN: &str = include_str!("golden/events.1.jsonl");

fn events() -> Vec<Event> {
    GOLDEN
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

#[test]
fn every_line_is_read_and_written_as_it_stands() {
    for (line, event) in GOLDEN.lines().zip(events()) {
        assert_eq!(
            serde_json::to_string(&event).expect("an event can be stored"),
            line
        );
    }
}

/// A new happening must be added to the file: this match fails to compile until it is named here.
fn kind(what: &What) -> usize {
    match what {
        What::Born(_) => 0,
        What::Moved { .. } => 1,
        What::Offered { .. } => 2,
        What::Declined { .. } => 3,
        What::Claimed { .. } => 4,
        What::TakebackProposed { .. } => 5,
        What::TakebackDeclined { .. } => 6,
        What::TakenBack { .. } => 7,
        What::Paused { .. } => 8,
        What::Resumed { .. } => 9,
        What::Ended { .. } => 10,
    }
}

#[test]
fn everything_that_can_happen_is_in_it() {
    let mut kinds: Vec<usize> = events().iter().map(|event| kind(&event.what)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, (0..=10).collect::<Vec<_>>());
}

#[test]
fn it_is_the_record_of_a_game() {
    let record: Vec<Arc<Event>> = events().into_iter().map(Arc::new).collect();
    let game = Game::replay(&record).expect("a record");
    assert_eq!(game.events(), record);
    insta::assert_debug_snapshot!(game.state());
}
