//! Plays every game of a PGN file over the wire and judges each.

mod game;

pub use game::{Pace, play};

use std::path::Path;
use std::sync::Arc;

use indicatif::ProgressBar;
use rookery_core::notation::pgn;
use tokio::task::JoinSet;

use crate::client::Target;
use crate::report::{Failed, Report};
use crate::script::{Script, ScriptError};

/// A file whose games cannot even be tried.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// It is no PGN.
    #[error("{0}")]
    Pgn(#[from] pgn::PgnError),
    /// There is nothing in it.
    #[error("there is no game in it")]
    Empty,
}

/// A game of a file: its number, and its script or what is wrong with it.
pub type Entry = (usize, Result<Script, ScriptError>);

/// The games of a PGN file.
pub fn read(path: &Path) -> Result<Vec<Entry>, FileError> {
    let games = pgn::parse(&std::fs::read_to_string(path)?)?;
    if games.is_empty() {
        return Err(FileError::Empty);
    }
    let number = |(index, game)| (index + 1, Script::of(index + 1, game));
    Ok(games.iter().enumerate().map(number).collect())
}

/// Plays the games, at most `concurrency` at once.
pub async fn run(
    target: &Target,
    games: Vec<Entry>,
    concurrency: usize,
    progress: &ProgressBar,
) -> Report {
    let mut report = Report::new(games.len());
    let mut waiting = games.into_iter();
    let mut running = JoinSet::new();
    loop {
        while running.len() < concurrency.max(1) {
            match waiting.next() {
                Some((_, Ok(script))) => running.spawn(one(target.clone(), Arc::new(script))),
                Some((number, Err(error))) => {
                    report.failed(Failed {
                        game: number,
                        id: None,
                        why: error.to_string(),
                    });
                    progress.inc(1);
                    continue;
                }
                None => break,
            };
        }
        let Some(ended) = running.join_next().await else {
            return report;
        };
        match ended.expect("a game's task neither panics nor is stopped") {
            Ok(plies) => report.passed(plies),
            Err(failed) => {
                progress.println(failed.to_string());
                report.failed(failed);
            }
        }
        progress.inc(1);
    }
}

async fn one(target: Target, script: Arc<Script>) -> Result<usize, Failed> {
    let (id, played) = game::replay(&target, &script).await;
    let failed = |fault: crate::verdict::Fault| Failed {
        game: script.number,
        id: id.map(|id| id.to_string()),
        why: fault.to_string(),
    };
    played.map(|()| script.plies.len()).map_err(failed)
}
