//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Plays chess over the wire, to see whether the server keeps its word.
#[derive(Debug, Parser)]
#[command(name = "rookery-loadtest", version, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub run: Run,
}

const EXAMPLES: &str = "\
Examples:
  rookery-loadtest replay --url ws://127.0.0.1:8080 --pgn loadtest/games/selfplay.pgn
  rookery-loadtest crash --server target/release/rookery --pgn loadtest/games/selfplay.pgn
  rookery-loadtest full-disk --server target/release/rookery --pgn loadtest/games/selfplay.pgn

The last line on standard output is one JSON object; the exit code is 1 when any game failed.";

/// The runs.
#[derive(Debug, Subcommand)]
pub enum Run {
    /// Plays every game of a PGN file with two fresh clients each, and judges it.
    ///
    /// Checked are the name of every move, both clocks, the last position and the result: at both
    /// clients, and in the PGN that the server exports. The tag Termination says by which act a game ends
    /// (checkmate, stalemate, insufficient_material, threefold, fifty, agreement, resignation, time);
    /// without it an unfinished game ends by resignation or agreement, as its result says.
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(Replay),
    /// Kills the server (kill -9) at random instants under live games, and compares what was promised
    /// with what was kept.
    ///
    /// It starts a server of its own on a free port of 127.0.0.1 over a folder of its own. At the end every
    /// move that a client saw acknowledged must be in the server's record, no number may be missing, nobody
    /// may have been charged for the time the server was away, and all games must have finished.
    #[command(after_help = CRASH_EXAMPLES)]
    Crash(Crash),
    /// The same with a full disk: for some seconds no file of the server can be written to.
    ///
    /// Nothing may be acknowledged meanwhile; afterwards the games go on, and one kill shows that what was
    /// acknowledged is kept.
    #[command(after_help = FULL_DISK_EXAMPLES)]
    FullDisk(FullDisk),
}

const REPLAY_EXAMPLES: &str = "\
Examples:
  rookery-loadtest replay --url ws://127.0.0.1:8080 --pgn games.pgn
  rookery-loadtest replay --url ws://127.0.0.1:8080 --pgn games.pgn --concurrency 10 --json | jq .failed";

const CRASH_EXAMPLES: &str = "\
Examples:
  rookery-loadtest crash --server target/release/rookery --pgn games.pgn
  rookery-loadtest crash --server target/release/rookery --pgn games.pgn --games 50 --kills 5 --seed 7";

const FULL_DISK_EXAMPLES: &str = "\
Example:
  rookery-loadtest full-disk --server target/release/rookery --pgn games.pgn --games 50";

/// Of `replay`.
#[derive(Debug, Args)]
pub struct Replay {
    /// The server, as ws://HOST:PORT.
    #[arg(long, value_name = "URL")]
    pub url: String,
    /// The games.
    #[arg(long, value_name = "FILE")]
    pub pgn: PathBuf,
    /// Games played at once.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub concurrency: usize,
    /// Print nothing but the JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Of `crash`.
#[derive(Debug, Args)]
pub struct Crash {
    /// The server's program.
    #[arg(long, value_name = "PATH")]
    pub server: PathBuf,
    /// Games to play; they are taken in turn.
    #[arg(long, value_name = "FILE")]
    pub pgn: PathBuf,
    /// Games alive at once.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub games: usize,
    /// How often the server is killed.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub kills: u32,
    /// From which all instants follow; a random one when not given.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Print nothing but the JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Of `full-disk`.
#[derive(Debug, Args)]
pub struct FullDisk {
    /// The server's program.
    #[arg(long, value_name = "PATH")]
    pub server: PathBuf,
    /// Games to play; they are taken in turn.
    #[arg(long, value_name = "FILE")]
    pub pgn: PathBuf,
    /// Games alive at once.
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub games: usize,
    /// From which all instants follow; a random one when not given.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Print nothing but the JSON object.
    #[arg(long)]
    pub json: bool,
}
