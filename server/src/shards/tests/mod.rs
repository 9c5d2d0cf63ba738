//! Drivers, router and filing together, on a journal that can be harmed and a clock moved by hand.

mod keeping;
mod life;
mod time;

use std::num::NonZeroUsize;
use std::sync::Arc;

use parking_lot::Mutex;
use rookery_core::clock::TimeControl;
use rookery_core::game::{
    Act, Birth, BirthError, Ending, Event, PauseReason, Player, Refusal, Ruling, Terms, What,
};
use rookery_core::id::{BySeat, CommandId, GameId, PlayerId, Seat, Seq, ShardNo};
use rookery_core::laws::Profile;
use rookery_core::time::{Millis, Timestamp};

use super::{FileError, FinishedGame, Registrar, Router, Settings, Shards};
use crate::bus::{Ask, Audience, Reply, Request};
use crate::clock::{Clock, Hands};
use crate::stores::journal::{Fault, Journal, MemoryJournal};

const START: Timestamp = Timestamp(1_790_000_000_000);
const SHARD: ShardNo = ShardNo::new(3);

/// Turns of the runtime after which everything that can happen without time passing has.
const TURNS: usize = 50;

#[derive(Default)]
struct Watchers(Mutex<Vec<Arc<Event>>>);

impl Audience for Watchers {
    fn tell(&self, _: GameId, events: &[Arc<Event>]) {
        self.0.lock().extend_from_slice(events);
    }
}

#[derive(Clone, Default)]
struct Archive(Arc<Mutex<(Vec<FinishedGame>, bool)>>);

impl Archive {
    fn is_away(&self, away: bool) {
        self.0.lock().1 = away;
    }

    fn games(&self) -> Vec<FinishedGame> {
        self.0.lock().0.clone()
    }
}

impl Registrar for Archive {
    async fn file(&self, game: &FinishedGame) -> Result<(), FileError> {
        let mut archive = self.0.lock();
        if archive.1 {
            return Err(FileError("away".into()));
        }
        archive.0.push(game.clone());
        Ok(())
    }
}

/// A node, with a hand on everything around it.
struct Node {
    shards: Shards,
    router: Router,
    journal: MemoryJournal,
    archive: Archive,
    watchers: Arc<Watchers>,
    clock: Clock,
    hands: Hands,
}

impl Node {
    async fn start() -> Node {
        Node::start_on(MemoryJournal::default(), START, 16).await
    }

    async fn start_on(journal: MemoryJournal, at: Timestamp, queue: usize) -> Node {
        let (clock, hands) = Clock::manual(at);
        let (archive, watchers) = (Archive::default(), Arc::new(Watchers::default()));
        let settings = Settings {
            drivers: NonZeroUsize::new(2),
            queue: NonZeroUsize::new(queue).unwrap(),
            games: NonZeroUsize::new(3).unwrap(),
        };
        let audience = Arc::clone(&watchers) as Arc<dyn Audience>;
        let shards = Shards::start(
            &settings,
            clock.clone(),
            journal.clone(),
            archive.clone(),
            audience,
        )
        .await
        .unwrap();
        Node {
            router: shards.router().clone(),
            shards,
            journal,
            archive,
            watchers,
            clock,
            hands,
        }
    }

    /// A game with White's clock running.
    async fn with_game(&self) -> GameId {
        let birth = birth(1);
        assert!(matches!(
            self.ask(birth.game, Ask::Birth(Box::new(birth.clone())))
                .await,
            Reply::Born
        ));
        birth.game
    }

    async fn ask(&self, game: GameId, ask: Ask) -> Reply {
        self.router
            .ask(Request {
                game,
                held: Millis::ZERO,
                ask,
            })
            .await
    }

    async fn act(&self, game: GameId, command: (Seat, u64, u32, Act)) -> Reply {
        self.ask(game, asked(command)).await
    }

    /// Asks in a task of its own.
    fn start_asking(
        &self,
        game: GameId,
        command: (Seat, u64, u32, Act),
    ) -> tokio::task::JoinHandle<Reply> {
        let router = self.router.clone();
        tokio::spawn(async move {
            router
                .ask(Request {
                    game,
                    held: Millis::ZERO,
                    ask: asked(command),
                })
                .await
        })
    }

    /// Time passes and everybody notices.
    async fn pass(&self, span: Millis) {
        let mut left = span;
        settle().await;
        while !left.is_zero() {
            let step = left.min(Millis(500));
            self.hands.advance(step);
            left = left - step;
            settle().await;
        }
    }

    fn told(&self) -> Vec<Arc<Event>> {
        self.watchers.0.lock().clone()
    }

    fn last_told(&self) -> What {
        self.told().last().expect("something was told").what.clone()
    }
}

async fn settle() {
    for _ in 0..TURNS {
        tokio::task::yield_now().await;
    }
}

fn player(seat: Seat) -> PlayerId {
    PlayerId::mint(START, seat.index() as u64 + 1, SHARD)
}

fn birth(number: u64) -> Birth {
    let player = |seat| Player {
        id: player(seat),
        name: format!("{seat:?}"),
        bot: false,
        guest: true,
    };
    Birth {
        game: GameId::mint(START, number, SHARD),
        terms: Terms {
            control: TimeControl::fischer(Millis::from_mins(3), Millis::ZERO),
            profile: Profile::Classic,
            wrong_claim: None,
            rated: false,
            lag_credit: false,
            first_move: None,
            absence_grace: None,
            start_fen: None,
        },
        players: BySeat::new_with(player),
        starts_at: START,
    }
}

fn asked((seat, id, ply, act): (Seat, u64, u32, Act)) -> Ask {
    Ask::Command {
        player: player(seat),
        id: CommandId(id),
        ply,
        act,
        lag: Millis::ZERO,
    }
}

fn plays(uci: &str) -> Act {
    Act::Move {
        uci: uci.parse().unwrap(),
        offer: false,
    }
}

const E4: fn() -> (Seat, u64, u32, Act) = || (Seat::White, 1, 0, plays("e2e4"));
const E5: fn() -> (Seat, u64, u32, Act) = || (Seat::Black, 1, 1, plays("e7e5"));

fn is_done(reply: &Reply) -> bool {
    matches!(reply, Reply::Ruled(Ruling::Done))
}

/// The same move under another key: it answers a position that is gone by then.
const E4_AGAIN: fn() -> (Seat, u64, u32, Act) = || (Seat::White, 2, 0, plays("e2e4"));
