//! What one client has seen of one game: its numbered events without gaps, and nothing that contradicts
//! them. Knows no rule of chess; whether the moves are right is judged elsewhere.

use rookery_protocol::{Clock, Event, GameId, Outcome};

/// The events of a game as one client saw them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    game: GameId,
    events: Vec<Event>,
    ply: u32,
    clock: Option<Clock>,
    outcome: Option<Outcome>,
}

/// The server said something that cannot be true of a list of events.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A number was left out.
    #[error("event {came} came when {wanted} was next")]
    Gap {
        /// The number that should have come.
        wanted: u32,
        /// The number that came.
        came: u32,
    },
    /// A number came twice with different contents.
    #[error("event {seq} was {first:?} and is {second:?}")]
    Contradiction {
        /// The number.
        seq: u32,
        /// What it was.
        first: Box<Event>,
        /// What it is said to be later.
        second: Box<Event>,
    },
    /// Something came after the end.
    #[error("event {seq} came after the end of the game")]
    AfterTheEnd {
        /// Its number.
        seq: u32,
    },
}

impl Record {
    /// Nothing seen yet.
    pub fn new(game: GameId) -> Record {
        Record {
            game,
            events: Vec::new(),
            ply: 0,
            clock: None,
            outcome: None,
        }
    }

    /// The game.
    pub fn game(&self) -> GameId {
        self.game
    }

    /// Every event seen, in order; the index is the number.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The number of the next event.
    pub fn next(&self) -> u32 {
        self.events.len() as u32
    }

    /// Half-moves played.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Both clocks as of the last event that carried them.
    pub fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The moves that stand, in UCI.
    pub fn moves(&self) -> Vec<&str> {
        let mut moves = Vec::new();
        for event in &self.events {
            match event {
                Event::Moved(moved) => moves.push(moved.uci.as_str()),
                Event::TakenBack(back) => moves.truncate(back.ply as usize),
                _ => {}
            }
        }
        moves
    }

    /// Takes the next event; one that is known already must be the same. True when it was new.
    pub fn take(&mut self, event: Event) -> Result<bool, RecordError> {
        let (_, seq) = event.place();
        if let Some(known) = self.events.get(seq as usize) {
            if *known == event {
                return Ok(false);
            }
            let first = Box::new(known.clone());
            return Err(RecordError::Contradiction {
                seq,
                first,
                second: Box::new(event),
            });
        }
        if seq != self.next() {
            return Err(RecordError::Gap {
                wanted: self.next(),
                came: seq,
            });
        }
        if self.outcome.is_some() {
            return Err(RecordError::AfterTheEnd { seq });
        }
        self.follow(&event);
        self.events.push(event);
        Ok(true)
    }

    fn follow(&mut self, event: &Event) {
        match event {
            Event::Moved(moved) => self.ply = moved.ply,
            Event::TakenBack(back) => self.ply = back.ply,
            Event::Ended(ended) => self.outcome = Some(ended.outcome),
            _ => {}
        }
        self.clock = clock_of(event).or(self.clock);
    }
}

/// The clocks an event carries.
pub fn clock_of(event: &Event) -> Option<Clock> {
    match event {
        Event::Moved(e) => Some(e.clock),
        Event::Claimed(e) => Some(e.clock),
        Event::TakenBack(e) => Some(e.clock),
        Event::Paused(e) => Some(e.clock),
        Event::Resumed(e) => Some(e.clock),
        Event::Ended(e) => Some(e.clock),
        Event::Born(_)
        | Event::Offered(_)
        | Event::Declined(_)
        | Event::TakebackProposed(_)
        | Event::TakebackDeclined(_) => None,
    }
}

/// When an event took effect, Unix ms by the server's clock.
pub fn time_of(event: &Event) -> u64 {
    match event {
        Event::Born(e) => e.at,
        Event::Moved(e) => e.at,
        Event::Offered(e) => e.at,
        Event::Declined(e) => e.at,
        Event::Claimed(e) => e.at,
        Event::TakebackProposed(e) => e.at,
        Event::TakebackDeclined(e) => e.at,
        Event::TakenBack(e) => e.at,
        Event::Paused(e) => e.at,
        Event::Resumed(e) => e.at,
        Event::Ended(e) => e.at,
    }
}
