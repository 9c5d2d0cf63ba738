//! The life of one game while its server dies: two clients that think, move, lose their connections and
//! come back; then the comparison of what they were told with what was kept.

use std::sync::Arc;
use std::time::Duration;

use rookery_protocol::{ClientMessage, Event};
use tokio::sync::{Semaphore, watch};

use crate::client::{ClientError, Patience, Player, Record, Table, Target, Wish, time_of};
use crate::clocks::Outage;
use crate::dice::Dice;
use crate::replay::{Pace, play};
use crate::report::Failed;
use crate::script::Script;
use crate::verdict::{Fault, doing, judge, same_events};

/// Time enough that no flag falls while the server is being killed for a minute.
const CLOCK: &str = "900+5";

/// How long a player thinks, in ms: with 200 games some 300 moves a second, so that every kill finds
/// moves at every stage of their way.
const THINK_MS: std::ops::Range<u64> = 300..1000;

/// What a client puts up with: a restart with its recovery, several times in a row.
const PATIENCE: Patience = Patience {
    answer: Duration::from_secs(60),
    reconnect: Duration::from_secs(60),
};

/// What all games are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Think and play.
    Play,
    /// It is over: play to the end without thinking.
    Hurry,
}

/// A game to be lived.
pub(super) struct Life {
    pub(super) target: Target,
    pub(super) number: usize,
    pub(super) script: Script,
    pub(super) dice: Dice,
    pub(super) phase: watch::Receiver<Phase>,
    /// Counts the games that have begun.
    pub(super) began: watch::Sender<usize>,
    /// Keeps the number of those who sit down at once small.
    pub(super) chairs: Arc<Semaphore>,
}

/// A game that was lived to its end.
pub(super) struct Lived {
    number: usize,
    script: Script,
    table: Table,
}

struct Thinker {
    dice: Dice,
    phase: watch::Receiver<Phase>,
}

impl Pace for Thinker {
    fn think(&mut self) -> Duration {
        match *self.phase.borrow() {
            Phase::Play => Duration::from_millis(self.dice.within(THINK_MS)),
            Phase::Hurry => Duration::ZERO,
        }
    }
}

impl Life {
    pub(super) async fn live(self) -> Result<Lived, Failed> {
        let number = self.number;
        let mut script = self.script.clone();
        // The clock of these games is too long to wait for.
        script.resign_instead_of_flag();
        let mut table = self.sit_down().await.map_err(|source| Failed {
            game: number,
            id: None,
            why: doing("sitting down")(source).to_string(),
        })?;
        self.began.send_modify(|begun| *begun += 1);
        let mut pace = Thinker {
            dice: self.dice,
            phase: self.phase,
        };
        match play(&mut table, &script, &mut pace).await {
            Ok(()) => Ok(Lived {
                number,
                script,
                table,
            }),
            Err(fault) => Err(failed(number, &table, &fault)),
        }
    }

    async fn sit_down(&self) -> Result<Table, ClientError> {
        let _chair = self.chairs.acquire().await.expect("nobody closes it");
        let mut wish = Wish::casual(CLOCK)?;
        wish.start_fen = self
            .script
            .start_fen
            .as_deref()
            .and_then(|fen| fen.parse().ok());
        Table::of_guests(&self.target, &wish, PATIENCE).await
    }
}

impl Lived {
    pub(super) fn cuts(&self) -> u32 {
        self.table.white.cuts() + self.table.black.cuts()
    }

    pub(super) fn put_off(&self) -> u32 {
        self.table.white.put_off() + self.table.black.put_off()
    }

    pub(super) fn acknowledged(&self) -> usize {
        self.table.white.acknowledged().len() + self.table.black.acknowledged().len()
    }

    /// Events that took effect within that time.
    pub(super) fn told_within(&self, span: Outage) -> usize {
        let within = |event: &&Event| (span.from..span.to).contains(&time_of(event));
        self.table.records()[0]
            .events()
            .iter()
            .filter(within)
            .count()
    }

    /// Compares; gives the number of half-moves.
    pub(super) async fn judge(
        mut self,
        target: &Target,
        outages: &[Outage],
    ) -> Result<usize, Failed> {
        let compared = async {
            judge(&mut self.table, &self.script, target, outages).await?;
            self.kept(target).await
        };
        let compared = compared.await;
        self.table.leave().await;
        compared.map_err(|fault| failed(self.number, &self.table, &fault))?;
        Ok(self.script.plies.len())
    }

    /// What the server says to somebody who was never there must be what the clients were told, and
    /// hold everything they were promised.
    async fn kept(&self, target: &Target) -> Result<(), Fault> {
        let game = self.table.game;
        let mut stranger = Player::enter(target, None, PATIENCE)
            .await
            .map_err(doing("a spectator comes"))?;
        stranger
            .watch(game)
            .await
            .map_err(doing("a spectator asks for the record"))?;
        let record = stranger.record(game).expect("followed since a line ago");
        for seen in self.table.records() {
            same_events(record, seen)?;
        }
        for player in [&self.table.white, &self.table.black] {
            promised(player, record)?;
        }
        stranger.leave().await;
        Ok(())
    }
}

/// Every move that was acknowledged to a player stands in the record, at its place.
fn promised(player: &Player, record: &Record) -> Result<(), Fault> {
    let moves = record.moves();
    for done in player.acknowledged() {
        if let ClientMessage::Move(made) = &done.command {
            let kept = moves.get(made.ply as usize);
            if kept.copied() != Some(made.uci.as_str()) {
                return Err(Fault::Lost(format!("{:?}, kept {kept:?}", made)));
            }
        }
    }
    Ok(())
}

fn failed(number: usize, table: &Table, fault: &Fault) -> Failed {
    Failed {
        game: number,
        id: Some(table.game.to_string()),
        why: fault.to_string(),
    }
}
