//! Kills the server under live games, again and again, and compares what was promised with what was
//! kept. The rig knows the server's command line; everything else is seen over the wire.

mod life;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use indicatif::ProgressBar;
use serde::Serialize;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

use crate::clocks::Outage;
use crate::dice::Dice;
use crate::report::{Failed, Report};
use crate::rig::{Rig, RigError, Running, now_ms};
use crate::script::Script;
use life::{Lived, Phase};

/// How long the server is left alone between two kills, in ms: from "the clients are not all back yet"
/// to "everybody plays".
const BETWEEN_KILLS_MS: Range<u64> = 100..1500;

/// How long the disk stays full, in ms: longer than commands are kept waiting (3 s), so that clients are
/// told `retry`.
const FULL_MS: Range<u64> = 3_500..4_500;

/// Games that sit down at once: each makes two guests and four requests.
const SITTING_DOWN: usize = 32;

/// How long all games may take to begin, and to end after the last blow.
const BEGIN_TIMEOUT: Duration = Duration::from_secs(60);
const END_TIMEOUT: Duration = Duration::from_secs(120);

/// What is done to the server.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The server's program.
    pub server: PathBuf,
    /// How many games are alive at once.
    pub games: usize,
    /// How often it is killed.
    pub kills: u32,
    /// Whether its disk is full for a while, before the first kill.
    pub full_disk: bool,
    /// From which every choice follows.
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub struct Aftermath {
    /// The games.
    #[serde(flatten)]
    pub report: Report,
    /// The seed.
    pub seed: u64,
    /// How often the server was killed.
    pub kills: u32,
    /// How often clients lost their connections, all together.
    pub cuts: u32,
    /// Commands that were acknowledged, all together.
    pub acknowledged: usize,
    /// How often the server said "again, under the same id", all together.
    pub put_off: u32,
    /// How long the server was away, all together, in ms.
    pub away_ms: u64,
    /// Events that took effect while the disk was full: none can be kept, so none may be told.
    pub told_while_full: usize,
}

impl Aftermath {
    /// Whether the server kept its word. A full disk that put nobody off was not full.
    pub fn is_clean(&self, plan: &Plan) -> bool {
        let put_off = !plan.full_disk || self.put_off > 0;
        self.report.is_clean() && self.told_while_full == 0 && put_off
    }
}

/// A run that could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum CrashError {
    /// The server.
    #[error("{0}")]
    Rig(#[from] RigError),
    /// There are not enough games in the file.
    #[error("the file has no game that can be played")]
    NoGames,
    /// The games did not begin.
    #[error("only {begun} games began within {} s", BEGIN_TIMEOUT.as_secs())]
    NotBegun {
        /// How many did.
        begun: usize,
    },
}

/// Carries out a plan with games like these, each of its own pair of clients.
pub async fn run(
    plan: &Plan,
    scripts: &[Script],
    progress: &ProgressBar,
) -> Result<Aftermath, CrashError> {
    if scripts.is_empty() {
        return Err(CrashError::NoGames);
    }
    let folder = tempfile::tempdir().map_err(RigError::Io)?;
    let rig = Rig::new(&plan.server, folder.path())?;
    let (running, _) = rig.start().await?;
    let (phase, games) = begin(&rig, plan, scripts).await?;
    let (running, blows) = blows(&rig, running, plan, progress).await?;
    phase.send_replace(Phase::Hurry);
    let aftermath = end(&rig, plan, games, &blows, progress).await;
    running.kill().await?;
    Ok(aftermath)
}

type Games = JoinSet<Result<Lived, Failed>>;

/// Starts every game and waits until each has had its first moves.
async fn begin(
    rig: &Rig,
    plan: &Plan,
    scripts: &[Script],
) -> Result<(watch::Sender<Phase>, Games), CrashError> {
    let (phase, listening) = watch::channel(Phase::Play);
    let chairs = Arc::new(Semaphore::new(SITTING_DOWN));
    let (began, mut begun) = watch::channel(0);
    let mut games = JoinSet::new();
    for (index, script) in scripts.iter().cycle().take(plan.games).enumerate() {
        let life = life::Life {
            target: rig.target(),
            number: index + 1,
            script: script.clone(),
            dice: Dice::new(plan.seed, index as u64 + 1),
            phase: listening.clone(),
            began: began.clone(),
            chairs: chairs.clone(),
        };
        games.spawn(life.live());
    }
    let all = begun.wait_for(|begun| *begun == plan.games);
    let waited = timeout_at(Instant::now() + BEGIN_TIMEOUT, all)
        .await
        .is_ok();
    let begun = *begun.borrow();
    if waited {
        Ok((phase, games))
    } else {
        Err(CrashError::NotBegun { begun })
    }
}

/// What was done to the server and when.
#[derive(Debug, Default)]
struct Blows {
    outages: Vec<Outage>,
    full: Option<Outage>,
}

async fn blows(
    rig: &Rig,
    mut running: Running,
    plan: &Plan,
    progress: &ProgressBar,
) -> Result<(Running, Blows), CrashError> {
    let mut dice = Dice::new(plan.seed, 0);
    let mut blows = Blows::default();
    if plan.full_disk {
        sleep(Duration::from_millis(dice.within(BETWEEN_KILLS_MS))).await;
        running.disk_full(true).await?;
        let from = now_ms();
        sleep(Duration::from_millis(dice.within(FULL_MS))).await;
        let to = now_ms();
        running.disk_full(false).await?;
        blows.full = Some(Outage { from, to });
        blows.outages.push(Outage { from, to });
    }
    for kill in 0..plan.kills {
        progress.set_message(format!("kill {} of {}", kill + 1, plan.kills));
        sleep(Duration::from_millis(dice.within(BETWEEN_KILLS_MS))).await;
        let from = running.kill().await?;
        let (again, to) = rig.start().await?;
        running = again;
        blows.outages.push(Outage { from, to });
    }
    Ok((running, blows))
}

/// Lets every game end, and judges it against what its clients were promised.
async fn end(
    rig: &Rig,
    plan: &Plan,
    mut games: Games,
    blows: &Blows,
    progress: &ProgressBar,
) -> Aftermath {
    let mut aftermath = Aftermath {
        report: Report::new(plan.games),
        seed: plan.seed,
        kills: plan.kills,
        cuts: 0,
        acknowledged: 0,
        away_ms: blows
            .outages
            .iter()
            .map(|outage| outage.to - outage.from)
            .sum(),
        put_off: 0,
        told_while_full: 0,
    };
    progress.set_message("the games end");
    let deadline = Instant::now() + END_TIMEOUT;
    while let Ok(Some(ended)) = timeout_at(deadline, games.join_next()).await {
        let lived = ended.expect("a game's task neither panics nor is stopped");
        let judged = match lived {
            Ok(lived) => {
                aftermath.cuts += lived.cuts();
                aftermath.acknowledged += lived.acknowledged();
                aftermath.put_off += lived.put_off();
                aftermath.told_while_full += blows.full.map_or(0, |full| lived.told_within(full));
                lived.judge(&rig.target(), &blows.outages).await
            }
            Err(failed) => Err(failed),
        };
        match judged {
            Ok(plies) => aftermath.report.passed(plies),
            Err(failed) => {
                progress.println(failed.to_string());
                aftermath.report.failed(failed);
            }
        }
        progress.inc(1);
    }
    if !games.is_empty() {
        let why = format!(
            "{} games did not end within {} s",
            games.len(),
            END_TIMEOUT.as_secs()
        );
        aftermath.report.failed(Failed {
            game: 0,
            id: None,
            why,
        });
    }
    if !aftermath.report.is_clean() {
        progress.println(rig.log());
    }
    aftermath
}
