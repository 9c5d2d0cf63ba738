//! What happened in the nights, and whether it was enough to prove anything.

use std::collections::BTreeMap;

use rookery_core::game::{PauseReason, What};

/// How often each thing happened.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    counts: BTreeMap<String, u64>,
}

impl Tally {
    pub(crate) fn note(&mut self, what: impl Into<String>) {
        *self.counts.entry(what.into()).or_default() += 1;
    }

    /// Games that were born, ended and were filed.
    pub(crate) fn games(&self) -> u64 {
        self.counts.get("games").copied().unwrap_or_default()
    }

    pub(crate) fn add(&mut self, other: &Tally) {
        for (what, count) in &other.counts {
            *self.counts.entry(what.clone()).or_default() += count;
        }
    }

    /// A simulation that met no trouble proves nothing. Only of runs long enough to meet all of it.
    pub(crate) fn assert_everything_happened(&self) {
        if self.games() < 1000 {
            return;
        }
        for what in [
            "Lost",
            "StoredUnknown",
            "LandsLater",
            "DiesBefore",
            "DiesAfter",
            "DiesTelling",
            "stall",
            "stall credited",
            "repeat",
            "fenced",
            "claimed",
            "taken back",
            "Absence",
            "Checkmate",
        ] {
            assert!(
                self.counts.get(what).is_some_and(|&count| count > 20),
                "too little of {what}: {self:?}"
            );
        }
    }
}

/// The name of a happening, for the tally.
pub(crate) fn kind(what: &What) -> &'static str {
    match what {
        What::Born(_) => "born",
        What::Moved { .. } => "moved",
        What::Offered { .. } => "offered",
        What::Declined { .. } => "declined",
        What::Claimed { .. } => "claimed",
        What::TakebackProposed { .. } => "takeback proposed",
        What::TakebackDeclined { .. } => "takeback declined",
        What::TakenBack { .. } => "taken back",
        What::Paused {
            reason: PauseReason::Stall,
            ..
        } => "stall credited",
        What::Paused { .. } => "paused",
        What::Resumed { .. } => "resumed",
        What::Ended { .. } => "ended",
    }
}
