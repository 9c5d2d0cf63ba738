//! A driver's shards under random players, a wire that delays, doubles and reorders, a journal that
//! fails, stalls and lies, and crashes between decide, journal and tell. Checked by a model that knows
//! only what was stored, told and answered.
//!
//! `ROOKERY_SIM_GAMES` (5,000 unless set) and `ROOKERY_SIM_SEED` choose how much and which night; a night
//! that fails prints its seed and replays alone with `ROOKERY_SIM_GAMES=1`.

#![allow(clippy::unwrap_used)]

mod births;
mod chance;
mod checker;
mod clocks;
mod player;
mod tally;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use tally::Tally;
use world::World;

/// Games of one night, on one driver: enough that batches hold several.
const GAMES_A_NIGHT: u64 = 10;

#[test]
fn whatever_happens_at_night_the_record_stands() {
    let number = |name: &str, otherwise| match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is not a number: {text}")),
        Err(_) => otherwise,
    };
    let games: u64 = number("ROOKERY_SIM_GAMES", 5000);
    let first: u64 = number("ROOKERY_SIM_SEED", 1);
    let mut total = Tally::default();
    let mut seeds = first..;
    while total.games() < games {
        let seed = seeds.next().expect("there are more seeds than games");
        let night = AssertUnwindSafe(|| World::new(seed, GAMES_A_NIGHT).play());
        match catch_unwind(night) {
            Ok(tally) => total.add(&tally),
            Err(failure) => {
                println!(
                    "seed {seed} fails: ROOKERY_SIM_SEED={seed} ROOKERY_SIM_GAMES=1 replays it"
                );
                resume_unwind(failure);
            }
        }
    }
    println!("{total:#?}");
    total.assert_everything_happened();
}
