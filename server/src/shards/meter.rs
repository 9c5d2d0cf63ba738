//! The numbers an operator sees of a driver. Names and units are part of the interface: dashboards and
//! alerts are written against them.

use std::sync::Arc;

use metrics::{
    Counter, Gauge, Histogram, counter, describe_counter, describe_gauge, describe_histogram,
};
use metrics::{Unit, gauge, histogram};
use rookery_core::game::{ClaimRule, Event, What};
use rookery_core::time::Millis;

use crate::bus::Reply;
use crate::clock::Stopwatch;

/// The meters of one driver.
pub(super) struct Meter {
    games: Gauge,
    depth: Gauge,
    moves: Histogram,
    commits: Histogram,
    lateness: Histogram,
    crashes: Counter,
}

impl Meter {
    pub(super) fn new(driver: usize) -> Meter {
        let driver = driver.to_string();
        Meter {
            games: gauge!("rookery_games_active", "driver" => driver.clone()),
            depth: gauge!("rookery_shard_mailbox_depth", "driver" => driver.clone()),
            moves: histogram!("rookery_move_duration_seconds"),
            commits: histogram!("rookery_journal_commit_duration_seconds"),
            lateness: histogram!("rookery_clock_flag_lateness_seconds"),
            crashes: counter!("rookery_shard_crashes_total", "driver" => driver),
        }
    }

    /// Games that live there.
    pub(super) fn games(&self, games: usize) {
        self.games.set(games as f64);
    }

    /// Messages that wait.
    pub(super) fn depth(&self, messages: usize) {
        self.depth.set(messages as f64);
    }

    pub(super) fn committed(&self, commit: Stopwatch) {
        self.commits.record(commit.elapsed());
    }

    pub(super) fn crashed(&self) {
        self.crashes.increment(1);
    }

    /// Deadlines passed, each so late.
    pub(super) fn fired(&self, late: Vec<Millis>) {
        for span in late {
            self.lateness.record(span.0 as f64 / 1000.0);
        }
    }

    /// A question answered; a command done counts as a move.
    pub(super) fn answered(&self, since: Stopwatch, reply: &Reply) {
        if matches!(reply, Reply::Ruled(_)) {
            self.moves.record(since.elapsed());
        }
    }

    /// Events told.
    pub(super) fn told(&self, events: &[Arc<Event>]) {
        for event in events {
            if let What::Claimed { rule, right, .. } = event.what {
                let kind = match rule {
                    ClaimRule::Threefold => "threefold",
                    ClaimRule::Fifty => "fifty",
                };
                let verdict = if right { "right" } else { "wrong" };
                counter!("rookery_draw_claims_total", "kind" => kind, "verdict" => verdict)
                    .increment(1);
            }
        }
    }
}

/// Says what each number means, once, after the recorder is installed.
pub(super) fn describe() {
    describe_gauge!(
        "rookery_games_active",
        "Games on this driver, finished ones that are not filed yet among them."
    );
    describe_gauge!(
        "rookery_shard_mailbox_depth",
        "Messages that waited when the driver took up its last turn."
    );
    describe_histogram!(
        "rookery_move_duration_seconds",
        Unit::Seconds,
        "From the receipt of a command to its answer, the commit in between."
    );
    describe_histogram!(
        "rookery_journal_commit_duration_seconds",
        Unit::Seconds,
        "One commit of the journal."
    );
    describe_histogram!(
        "rookery_clock_flag_lateness_seconds",
        Unit::Seconds,
        "From a deadline to its ruling."
    );
    describe_counter!(
        "rookery_shard_crashes_total",
        "Commits that failed: the driver's games were recovered."
    );
    describe_counter!(
        "rookery_draw_claims_total",
        "Claims of a draw, by rule and verdict."
    );
    describe_counter!(
        "rookery_games_finished_total",
        "Games filed, by how they ended."
    );
    describe_counter!(
        "rookery_filing_failures_total",
        "Finished games that could not be filed at the first try."
    );
}
