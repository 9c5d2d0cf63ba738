//! The program: reads the command line, runs what it names, prints one JSON object.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use rookery_loadtest::cli::{Cli, Crash, FullDisk, Replay, Run};
use rookery_loadtest::client::Target;
use rookery_loadtest::crash::{self, Plan};
use rookery_loadtest::replay;
use rookery_loadtest::report::progress;
use rookery_loadtest::rig::now_ms;
use rookery_loadtest::script::Script;
use serde::Serialize;

/// A game failed.
const FAILED: u8 = 1;

/// The run could not be carried out.
const UNUSABLE: u8 = 2;

#[tokio::main]
async fn main() -> ExitCode {
    let done = match Cli::parse().run {
        Run::Replay(options) => replay(options).await,
        Run::Crash(options) => crash(options).await,
        Run::FullDisk(options) => full_disk(options).await,
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(FAILED),
        Err(problem) => {
            complain(&problem);
            ExitCode::from(UNUSABLE)
        }
    }
}

async fn replay(options: Replay) -> Result<bool, String> {
    let target = Target::parse(&options.url).map_err(|error| error.to_string())?;
    let games = replay::read(&options.pgn).map_err(|error| in_file(&options.pgn, error))?;
    let bar = progress(games.len(), "replay");
    let report = replay::run(&target, games, options.concurrency, &bar).await;
    bar.finish_and_clear();
    let summary = format!(
        "{} of {} games, {} half-moves",
        report.ok, report.games, report.plies
    );
    say(options.json, &summary, &report);
    Ok(report.is_clean())
}

async fn crash(options: Crash) -> Result<bool, String> {
    let Crash {
        server,
        pgn,
        games,
        kills,
        seed,
        json,
    } = options;
    let seed = seed.unwrap_or_else(now_ms);
    blows(
        Plan {
            server,
            games,
            kills,
            full_disk: false,
            seed,
        },
        &pgn,
        json,
    )
    .await
}

async fn full_disk(options: FullDisk) -> Result<bool, String> {
    let FullDisk {
        server,
        pgn,
        games,
        seed,
        json,
    } = options;
    let seed = seed.unwrap_or_else(now_ms);
    blows(
        Plan {
            server,
            games,
            kills: 1,
            full_disk: true,
            seed,
        },
        &pgn,
        json,
    )
    .await
}

async fn blows(plan: Plan, pgn: &Path, json: bool) -> Result<bool, String> {
    let games = replay::read(pgn).map_err(|error| in_file(pgn, error))?;
    let scripts: Vec<Script> = games
        .into_iter()
        .filter_map(|(_, script)| script.ok())
        .collect();
    let bar = progress(plan.games, "the games begin");
    let aftermath = crash::run(&plan, &scripts, &bar)
        .await
        .map_err(|error| error.to_string())?;
    bar.finish_and_clear();
    let summary = format!(
        "{} of {} games, {} kills, {} cuts, {} commands acknowledged, {} put off, away for {} ms, seed {}",
        aftermath.report.ok,
        aftermath.report.games,
        aftermath.kills,
        aftermath.cuts,
        aftermath.acknowledged,
        aftermath.put_off,
        aftermath.away_ms,
        aftermath.seed,
    );
    say(json, &summary, &aftermath);
    Ok(aftermath.is_clean(&plan))
}

fn in_file(path: &Path, error: impl fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

fn say(json: bool, summary: &str, object: &impl Serialize) {
    if !json {
        println!("{summary}");
    }
    println!(
        "{}",
        serde_json::to_string(object).expect("a report has string keys")
    );
}

#[expect(
    clippy::print_stderr,
    reason = "a program says on standard error why it cannot run"
)]
fn complain(problem: &str) {
    eprintln!("rookery-loadtest: {problem}");
}
