//! Drivers, router and filing together, on a journal that can be harmed and a clock moved by hand.

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

    async fn pass(&self, span: Millis) {
        settle().await;
        self.hands.advance(span);
        settle().await;
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

#[tokio::test]
async fn nobody_hears_of_a_move_before_it_is_stored() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.journal.hold(true);
    let mover = node.start_asking(game, E4());
    settle().await;
    let refused = node.start_asking(game, E4_AGAIN());
    settle().await;
    assert!(!mover.is_finished() && !refused.is_finished());
    assert_eq!(node.told().len(), 1, "the birth alone was told");
    node.journal.hold(false);
    assert!(is_done(&mover.await.unwrap()));
    assert!(matches!(
        refused.await.unwrap(),
        Reply::Refused(Refusal::StalePly)
    ));
    assert!(matches!(node.last_told(), What::Moved { .. }));
}

/// The same move under another key: it answers a position that is gone by then.
const E4_AGAIN: fn() -> (Seat, u64, u32, Act) = || (Seat::White, 2, 0, plays("e2e4"));

#[tokio::test]
async fn a_commit_of_unknown_outcome_is_done_once_and_answered() {
    for fault in [Fault::Lost, Fault::StoredUnknown] {
        let node = Node::start().await;
        let game = node.with_game().await;
        node.journal.inject(fault);
        let mover = node.start_asking(game, E4());
        node.pass(Millis(250)).await;
        assert!(is_done(&mover.await.unwrap()), "{fault:?}");
        let moves = node
            .journal
            .events(game)
            .into_iter()
            .filter(|event| matches!(event.what, What::Moved { .. }));
        assert_eq!(moves.count(), 1, "{fault:?}");
        let numbers: Vec<_> = node.told().iter().map(|event| event.seq).collect();
        let expected: Vec<_> = (0..).map(Seq).take(numbers.len()).collect();
        assert_eq!(numbers, expected, "{fault:?}: told in order, without gaps");
    }
}

#[tokio::test]
async fn while_the_disk_is_full_everyone_is_told_to_ask_again() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.journal.fill(true);
    let first = node.start_asking(game, E4());
    for _ in 0..20 {
        node.pass(Millis(250)).await;
    }
    assert!(matches!(first.await.unwrap(), Reply::Retry));
    node.journal.fill(false);
    let again = node.start_asking(game, E4());
    for _ in 0..4 {
        node.pass(Millis(250)).await;
    }
    assert!(is_done(&again.await.unwrap()));
}

#[tokio::test]
async fn a_full_queue_says_busy_at_once() {
    let node = Node::start_on(MemoryJournal::default(), START, 1).await;
    let game = node.with_game().await;
    node.journal.hold(true);
    let decided = node.start_asking(game, E4());
    settle().await;
    let waiting = node.start_asking(game, E5());
    settle().await;
    assert!(matches!(node.act(game, E5()).await, Reply::Busy));
    node.journal.hold(false);
    assert!(is_done(&decided.await.unwrap()) && is_done(&waiting.await.unwrap()));
}

#[tokio::test]
async fn a_driver_has_room_for_so_many_games() {
    let node = Node::start().await;
    for number in 0..3 {
        let birth = birth(number);
        assert!(matches!(
            node.ask(birth.game, Ask::Birth(Box::new(birth))).await,
            Reply::Born
        ));
    }
    let fourth = birth(4);
    assert!(matches!(
        node.ask(fourth.game, Ask::Birth(Box::new(fourth))).await,
        Reply::Busy
    ));
}

#[tokio::test]
async fn a_birth_is_done_once_and_not_contradicted() {
    let node = Node::start().await;
    let game = node.with_game().await;
    assert!(matches!(
        node.ask(game, Ask::Birth(Box::new(birth(1)))).await,
        Reply::Born
    ));
    let mut other = birth(1);
    other.terms.rated = true;
    let other = node.ask(game, Ask::Birth(Box::new(other))).await;
    assert!(
        matches!(other, Reply::Unborn(BirthError::NoRoom)),
        "{other:?}"
    );
    assert_eq!(node.journal.events(game).len(), 1);
}

#[tokio::test]
async fn only_the_players_act() {
    let node = Node::start().await;
    let game = node.with_game().await;
    let stranger = PlayerId::mint(START, 99, SHARD);
    let ask = Ask::Command {
        player: stranger,
        id: CommandId(1),
        ply: 0,
        act: Act::Resign,
        lag: Millis::ZERO,
    };
    assert!(matches!(node.ask(game, ask).await, Reply::NotSeated));
    let nowhere = GameId::mint(START, 77, SHARD);
    assert!(matches!(node.act(nowhere, E4()).await, Reply::UnknownGame));
    assert!(matches!(
        node.ask(nowhere, Ask::Events { from: Seq(0) }).await,
        Reply::UnknownGame
    ));
}

#[tokio::test]
async fn events_are_given_from_any_number_with_who_is_there() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.act(game, E4()).await;
    node.ask(
        game,
        Ask::Presence {
            player: player(Seat::Black),
            online: true,
        },
    )
    .await;
    for (from, count) in [(0, 2), (1, 1), (2, 0), (99, 0)] {
        match node.ask(game, Ask::Events { from: Seq(from) }).await {
            Reply::Events { events, online } => {
                assert_eq!(events.len(), count, "from {from}");
                assert_eq!(
                    online,
                    BySeat {
                        white: false,
                        black: true
                    }
                );
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_flag_falls_by_the_servers_own_deadline() {
    let node = Node::start().await;
    node.with_game().await;
    node.pass(Millis(179_999)).await;
    assert_eq!(node.told().len(), 1);
    node.pass(Millis(1)).await;
    match node.last_told() {
        What::Ended { outcome, clock } => {
            assert_eq!(outcome.ending, Ending::Time);
            assert_eq!(clock.left.white, Millis::ZERO);
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_move_held_by_the_gateway_counts_from_its_receipt() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.pass(Millis(10_000)).await;
    let held = Request {
        game,
        held: Millis(4000),
        ask: asked(E4()),
    };
    assert!(is_done(&node.router.ask(held).await));
    match node.told()[1].what {
        What::Moved { clock, .. } => assert_eq!(clock.left.white, Millis(174_000)),
        ref other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_stalled_commit_is_nobodys_thinking_time() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.journal.hold(true);
    let mover = node.start_asking(game, E4());
    node.pass(Millis(2000)).await;
    node.journal.hold(false);
    assert!(is_done(&mover.await.unwrap()));
    settle().await;
    let told = node.told();
    assert!(
        matches!(
            told[2].what,
            What::Paused {
                reason: PauseReason::Stall,
                ..
            }
        ),
        "{:?}",
        told[2]
    );
    match told[3].what {
        What::Resumed { clock } => assert_eq!(clock.left.black, Millis::from_mins(3)),
        ref other => panic!("{other:?}"),
    }
    assert_eq!(told.len(), 4, "the credit is no reason for another one");
}

#[tokio::test]
async fn a_move_received_in_time_beats_the_flag_however_long_it_queued() {
    let node = Node::start().await;
    let game = node.with_game().await;
    let other = birth(2).game;
    node.ask(other, Ask::Birth(Box::new(birth(2)))).await;
    node.pass(Millis(179_900)).await;
    node.journal.hold(true);
    let stalled = node.start_asking(other, E4());
    node.pass(Millis(50)).await;
    let in_time = node.start_asking(game, E4());
    node.pass(Millis(2000)).await;
    node.journal.hold(false);
    assert!(is_done(&stalled.await.unwrap()) && is_done(&in_time.await.unwrap()));
    let events = node.journal.events(game);
    match events[1].what {
        What::Moved { clock, .. } => assert_eq!(clock.left.white, Millis(50)),
        ref other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn nobody_loses_on_time_that_a_stall_took() {
    let node = Node::start().await;
    let game = node.with_game().await;
    assert!(is_done(&node.act(game, E4()).await));
    node.pass(Millis(179_500)).await;
    assert!(is_done(&node.act(game, E5()).await));
    node.journal.hold(true);
    let mover = node.start_asking(game, (Seat::White, 2, 2, plays("g1f3")));
    node.pass(Millis(600)).await;
    node.journal.hold(false);
    assert!(is_done(&mover.await.unwrap()));
    settle().await;
    match node.last_told() {
        What::Resumed { clock } => assert_eq!(clock.left.black, Millis(500)),
        other => panic!("{other:?}"),
    }
    node.pass(Millis(500)).await;
    assert!(matches!(node.last_told(), What::Ended { .. }));
}

#[tokio::test]
async fn an_outage_is_nobodys_thinking_time() {
    let node = Node::start().await;
    let game = node.with_game().await;
    assert!(is_done(&node.act(game, E4()).await));
    node.pass(Millis(5000)).await;
    drop(node.shards);
    let node = Node::start_on(node.journal.clone(), START + Millis::from_mins(60), 16).await;
    assert!(matches!(
        node.last_told(),
        What::Paused {
            reason: PauseReason::Recovery,
            ..
        }
    ));
    node.pass(Millis(7000)).await;
    node.ask(
        game,
        Ask::Presence {
            player: player(Seat::Black),
            online: true,
        },
    )
    .await;
    match node.last_told() {
        What::Resumed { clock } => assert_eq!(clock.left.black, Millis(175_000)),
        other => panic!("{other:?}"),
    }
    assert!(is_done(&node.act(game, E5()).await));
    assert!(
        is_done(&node.act(game, E4()).await),
        "a repeat is known to the new owner"
    );
}

#[tokio::test]
async fn who_is_there_need_not_say_so_after_a_crash() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.ask(
        game,
        Ask::Presence {
            player: player(Seat::White),
            online: true,
        },
    )
    .await;
    node.journal.inject(Fault::Lost);
    let mover = node.start_asking(game, E4());
    node.pass(Millis(250)).await;
    assert!(is_done(&mover.await.unwrap()));
    let resumed = node
        .told()
        .iter()
        .any(|event| matches!(event.what, What::Resumed { .. }));
    assert!(resumed, "White's clock went on without a word from him");
}

#[tokio::test]
async fn a_clock_set_back_does_not_put_the_record_into_the_future() {
    let node = Node::start().await;
    node.with_game().await;
    drop(node.shards);
    let node = Node::start_on(node.journal.clone(), Timestamp(5), 16).await;
    assert!(node.clock.now() >= START);
}

#[tokio::test]
async fn a_finished_game_is_filed_then_forgotten() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.archive.is_away(true);
    assert!(is_done(
        &node.act(game, (Seat::White, 1, 0, Act::Resign)).await
    ));
    node.pass(Millis(50)).await;
    assert!(
        matches!(
            node.act(game, E5()).await,
            Reply::Refused(Refusal::GameOver)
        ),
        "it is not filed yet"
    );
    node.archive.is_away(false);
    node.pass(Millis(100)).await;
    let filed = node.archive.games();
    assert_eq!(filed.len(), 1);
    assert_eq!(
        (filed[0].birth.game, filed[0].outcome.ending),
        (game, Ending::Resignation)
    );
    assert_eq!(filed[0].events, node.told());
    assert_eq!(node.journal.events(game), []);
    assert!(matches!(node.act(game, E5()).await, Reply::UnknownGame));
}

#[tokio::test]
async fn what_a_crash_left_unfiled_is_filed_at_the_start() {
    let node = Node::start().await;
    let game = node.with_game().await;
    node.archive.is_away(true);
    assert!(is_done(
        &node.act(game, (Seat::White, 1, 0, Act::Resign)).await
    ));
    drop(node.shards);
    let node = Node::start_on(node.journal.clone(), START + Millis(1000), 16).await;
    settle().await;
    assert_eq!(node.archive.games().len(), 1);
    assert_eq!(node.journal.events(game), []);
}

#[tokio::test]
async fn a_stop_answers_what_waits_and_closes_the_journal() {
    let node = Node::start().await;
    let game = node.with_game().await;
    let moved = node.start_asking(game, E4());
    node.router.drain();
    let newborn = birth(2);
    assert!(matches!(
        node.ask(newborn.game, Ask::Birth(Box::new(newborn))).await,
        Reply::Busy
    ));
    let Node {
        shards, journal, ..
    } = node;
    shards.stop().await;
    assert!(is_done(&moved.await.unwrap()));
    assert_eq!(
        journal.events(game).len(),
        2,
        "a live game stays in the journal"
    );
    assert!(journal.last_beat().await.is_err(), "the journal is closed");
}
