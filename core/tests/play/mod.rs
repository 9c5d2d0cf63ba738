//! Plays scenario tables on one game each and compares what happens.

mod table;

use std::sync::Arc;

use rookery_core::game::{
    Birth, ClockReading, Command, Event, Game, PauseReason, Phase, Player, Receipt, Refusal,
    Ruling, What,
};
use rookery_core::id::{BySeat, CommandId, GameId, PlayerId, Seq, ShardNo};
use rookery_core::time::Timestamp;

use table::{Action, Case, Doing, Expected, Line};

/// Where every scenario starts: not at zero, so that no instant is right by accident.
const EPOCH: Timestamp = Timestamp(1_000_000);

/// Plays every case of a table; all failures are said at once.
pub(crate) fn check(text: &str) {
    let cases = table::parse(text);
    assert!(!cases.is_empty());
    let failures: Vec<String> = cases.iter().filter_map(|case| play(case).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

struct Table {
    game: Game,
    next_id: u64,
    /// Commands that were done and how they were ruled.
    done: Vec<(Command, Receipt, Ruling)>,
}

fn play(case: &Case) -> Result<(), String> {
    let game = Game::new(birth(case), EPOCH).map_err(|error| format!("{}: {error}", case.name))?;
    let mut table = Table {
        game,
        next_id: 1,
        done: Vec::new(),
    };
    if let Some(left) = case.clocks {
        let clock = ClockReading {
            left,
            running: Some(table.game.board().turn()),
        };
        table.apply(vec![Event {
            seq: Seq(1),
            at: EPOCH,
            by: None,
            what: What::Resumed { clock },
        }]);
    }
    for (number, line) in &case.lines {
        let outcome = match line {
            Line::Act(action) => table.act(action),
            Line::Expect(expected) => table.compare(expected),
        };
        outcome.map_err(|why| format!("{}, line {number}: {why}", case.name))?;
    }
    table.audit().map_err(|why| format!("{}: {why}", case.name))
}

impl Table {
    fn act(&mut self, action: &Action) -> Result<(), String> {
        let at = EPOCH + action.at;
        match &action.doing {
            Doing::Command {
                seat,
                act,
                id,
                ply,
                lag,
                ruling,
            } => {
                let command = Command {
                    seat: *seat,
                    id: CommandId(id.unwrap_or(self.next_id)),
                    ply: ply.unwrap_or(self.game.ply()),
                    act: *act,
                };
                self.next_id += 1;
                return self.command(command, Receipt { at, lag: *lag }, ruling);
            }
            Doing::Presence { seat, online } => {
                let events = self.game.seen(*seat, *online, at);
                self.apply(events);
            }
            Doing::Lost { seat } => {
                let events = self.game.lost(*seat, PauseReason::NodeLost, at);
                self.apply(events);
            }
            Doing::Stall { span } => self.apply(self.game.stalled(*span, at)),
            Doing::Wait => self.wait(at),
            Doing::Restart { alive } => {
                self.game = Game::replay(self.game.events()).map_err(|error| error.to_string())?;
                let events = self.game.recovered(EPOCH + *alive, at);
                self.apply(events);
            }
        }
        Ok(())
    }

    fn command(
        &mut self,
        command: Command,
        receipt: Receipt,
        expected: &str,
    ) -> Result<(), String> {
        let decided = self.game.decide(&command, receipt);
        let said = match &decided {
            Ok(decision) => snake(decision.ruling),
            Err(refusal) => snake(refusal),
        };
        if let Ok(decision) = decided {
            self.apply(decision.events);
            self.done.push((command, receipt, decision.ruling));
        }
        if said == expected {
            Ok(())
        } else {
            Err(format!("ruled {said}, expected {expected}"))
        }
    }

    /// Lets deadlines pass one by one, each at its own instant.
    fn wait(&mut self, until: Timestamp) {
        while let Some((_, at)) = self.game.deadline().filter(|&(_, at)| at <= until) {
            self.apply(self.game.expire(at));
        }
        assert_eq!(
            self.game.expire(until),
            Vec::new(),
            "nothing is due after the deadlines"
        );
    }

    fn apply(&mut self, events: Vec<Event>) {
        for event in events {
            self.game.apply(&Arc::new(event));
        }
    }

    fn compare(&self, expected: &Expected) -> Result<(), String> {
        let seen = self.seen();
        if seen == *expected {
            Ok(())
        } else {
            Err(format!(
                "expected {expected}\n                 but it is {seen}"
            ))
        }
    }

    fn seen(&self) -> Expected {
        let state = self.game.state();
        let result = match state.phase {
            Phase::Running | Phase::Paused => "playing".to_owned(),
            Phase::Ended(outcome) => {
                format!("{} {}", outcome.score.as_pgn(), snake(outcome.ending))
            }
        };
        Expected {
            result,
            left: state.clock.left,
            runs: state.clock.running,
            offer: state.offer,
            takeback: state.takeback,
        }
    }

    /// What holds after every scenario: numbers without gaps, the record survives its stored form and
    /// replays to the same game, and every command sent again is answered as before and changes nothing.
    fn audit(&self) -> Result<(), String> {
        let events = self.game.events();
        for (index, event) in events.iter().enumerate() {
            if event.seq.0 as usize != index {
                return Err(format!("event {index} is numbered {:?}", event.seq));
            }
            let stored = serde_json::to_string(&**event).expect("an event can be stored");
            if serde_json::from_str::<Event>(&stored).ok().as_ref() != Some(event) {
                return Err(format!("event {index} does not survive {stored}"));
            }
        }
        let replayed = Game::replay(events).map_err(|error| error.to_string())?;
        if replayed.state() != self.game.state() {
            return Err("the replayed game is another one".to_owned());
        }
        for (command, receipt, ruling) in &self.done {
            for game in [&self.game, &replayed] {
                match game.decide(command, *receipt) {
                    Ok(again) if again.ruling == *ruling && again.events.is_empty() => {}
                    other => return Err(format!("{command:?} sent again: {other:?}")),
                }
            }
        }
        Ok(())
    }
}

fn birth(case: &Case) -> Birth {
    let player = |number, name: &str| Player {
        id: PlayerId::mint(EPOCH, number, ShardNo::new(0)),
        name: name.to_owned(),
        bot: false,
        guest: false,
    };
    Birth {
        game: GameId::mint(EPOCH, 0, ShardNo::new(0)),
        terms: case.terms.clone(),
        players: BySeat {
            white: player(1, "white"),
            black: player(2, "black"),
        },
        starts_at: EPOCH + case.delay,
    }
}

/// A variant's name as stable codes write it.
fn snake(name: impl std::fmt::Debug) -> String {
    let mut snake = String::new();
    for letter in format!("{name:?}").chars() {
        if letter.is_ascii_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// Every refusal that a table expects, for the proof that all are reachable.
pub(crate) fn refusals_in(text: &str) -> Vec<Refusal> {
    let said = |refusal: &Refusal| text.contains(&format!("=> {}\n", snake(refusal)));
    Refusal::ALL.into_iter().filter(said).collect()
}
