//! What a run tells its user: one JSON object at the end, a bar on the way.

use std::fmt;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

/// Failures listed one by one; more are only counted.
const MAX_FAILED: usize = 100;

/// What came of a number of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Games tried.
    pub games: usize,
    /// Half-moves of the games that passed.
    pub plies: usize,
    /// Games that passed.
    pub ok: usize,
    /// Those that did not, at most a hundred.
    pub failed: Vec<Failed>,
}

/// A game that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failed {
    /// Its number in the file.
    pub game: usize,
    /// Its id on the server, if it came to that.
    pub id: Option<String>,
    /// What was wrong.
    pub why: String,
}

impl Report {
    /// Nothing played yet.
    pub fn new(games: usize) -> Report {
        Report {
            games,
            plies: 0,
            ok: 0,
            failed: Vec::new(),
        }
    }

    /// A game of so many half-moves passed.
    pub fn passed(&mut self, plies: usize) {
        self.ok += 1;
        self.plies += plies;
    }

    /// A game failed.
    pub fn failed(&mut self, failed: Failed) {
        if self.failed.len() < MAX_FAILED {
            self.failed.push(failed);
        }
    }

    /// Whether every game passed.
    pub fn is_clean(&self) -> bool {
        self.ok == self.games
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "game {} ({}): {}",
            self.game,
            self.id.as_deref().unwrap_or("not born"),
            self.why
        )
    }
}

/// A bar on standard error, drawn only when that is a terminal.
pub fn progress(games: usize, what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{msg} {bar:40} {pos}/{len} games, {elapsed} of about {duration}",
    );
    let bar = ProgressBar::new(games as u64).with_message(what);
    bar.set_style(style.expect("the template is a constant"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
