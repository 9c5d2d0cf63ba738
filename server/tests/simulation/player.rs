//! A random player: sees what he is told, asks for what he missed, sends things twice, late and wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use rookery_core::board::{Board, Uci};
use rookery_core::game::{AbsenceClaim, Act, ClaimRule, Event, What};
use rookery_core::id::{CommandId, GameId, PlayerId, Seat, Seq};
use rookery_core::time::Millis;
use rookery_server::bus::Ask;

use crate::chance::Chance;
use crate::checker::Sent;

/// After this long without an answer a player sends again.
const PATIENCE: u64 = 1000;

/// From this ply on players tire and resign more often: random games would go on for ever.
const TIRED: u32 = 50;

pub(crate) struct Player {
    pub(crate) id: PlayerId,
    pub(crate) game: GameId,
    pub(crate) seat: Seat,
    /// Whether he has a socket.
    pub(crate) online: bool,
    /// He stops playing at that ply and lets his flag fall.
    asleep_from: u32,
    view: BTreeMap<u32, Arc<Event>>,
    /// How many events of the view the board has followed.
    followed: u32,
    board: Board,
    line: Vec<Uci>,
    pending: Option<(Sent, u64)>,
    last_id: u64,
    over: bool,
}

/// What a player wants to send.
pub(crate) enum Wish {
    Ask(Ask),
    Command(Sent),
}

impl Player {
    pub(crate) fn new(id: PlayerId, game: GameId, seat: Seat, chance: &mut Chance) -> Player {
        let sleeper = chance.per_mille(60);
        Player {
            id,
            game,
            seat,
            online: false,
            asleep_from: if sleeper {
                chance.below(40) as u32
            } else {
                u32::MAX
            },
            view: BTreeMap::new(),
            followed: 0,
            board: Board::default(),
            line: Vec::new(),
            pending: None,
            last_id: 0,
            over: false,
        }
    }

    /// Whether he knows that the game has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// The game is gone: it was filed before he asked.
    pub(crate) fn is_gone(&mut self) {
        self.over = true;
    }

    pub(crate) fn hear(&mut self, events: &[Arc<Event>]) {
        for event in events {
            self.view.insert(event.seq.0, Arc::clone(event));
        }
        while let Some(event) = self.view.get(&self.followed).cloned() {
            self.follow(&event);
            self.followed += 1;
        }
    }

    pub(crate) fn answered(&mut self, sent: &Sent) {
        if self
            .pending
            .is_some_and(|(pending, _)| pending.id == sent.id)
        {
            self.pending = None;
        }
    }

    /// What he does when he looks at the board.
    pub(crate) fn wake(&mut self, now: u64, chance: &mut Chance) -> Option<Wish> {
        let gap = self
            .view
            .last_key_value()
            .is_none_or(|(last, _)| *last >= self.followed);
        if gap || chance.per_mille(30) {
            return Some(Wish::Ask(Ask::Events {
                from: Seq(self.followed),
            }));
        }
        if let Some((pending, since)) = self.pending {
            return self.again(pending, since, now, chance);
        }
        if self.ply() >= self.asleep_from {
            return None;
        }
        let (act, ply) = self.choose(chance)?;
        self.last_id += 1;
        let sent = Sent {
            game: self.game,
            seat: self.seat,
            id: CommandId(self.last_id),
            ply,
            act,
        };
        self.pending = Some((sent, now));
        Some(Wish::Command(sent))
    }

    /// Sends again what was not answered, sometimes under another id.
    fn again(&mut self, mut sent: Sent, since: u64, now: u64, chance: &mut Chance) -> Option<Wish> {
        if now < since + PATIENCE {
            return None;
        }
        if chance.per_mille(300) {
            self.last_id += 1;
            sent.id = CommandId(self.last_id);
        }
        self.pending = Some((sent, now));
        Some(Wish::Command(sent))
    }

    fn choose(&self, chance: &mut Chance) -> Option<(Act, u32)> {
        let ply = self.ply();
        let stale = if chance.per_mille(20) {
            ply.saturating_sub(1)
        } else {
            ply
        };
        let mine = self.board.turn() == self.seat;
        let act = match chance.below(1000) {
            0..5 => Act::Offer,
            5..25 => Act::Accept,
            25..35 => Act::Decline,
            35..38 => Act::Withdraw,
            38..43 => Act::Abort,
            43..50 => Act::ProposeTakeback,
            50..80 => Act::AcceptTakeback,
            80..85 => Act::DeclineTakeback,
            85..100 => Act::ClaimAbsence {
                claim: *chance.pick(&[AbsenceClaim::Win, AbsenceClaim::Draw]),
            },
            100..108 => self.claim(chance),
            108..110 => Act::Resign,
            110..130 if ply > TIRED => Act::Resign,
            130..150 => Act::Move {
                uci: "a1a8".parse().unwrap(),
                offer: false,
            },
            _ if mine => Act::Move {
                uci: self.random_move(chance)?,
                offer: chance.per_mille(30),
            },
            _ => return None,
        };
        Some((act, stale))
    }

    fn claim(&self, chance: &mut Chance) -> Act {
        let rule = *chance.pick(&[ClaimRule::Threefold, ClaimRule::Fifty]);
        let announced = if chance.per_mille(500) {
            self.random_move(chance)
        } else {
            None
        };
        Act::Claim { rule, announced }
    }

    fn random_move(&self, chance: &mut Chance) -> Option<Uci> {
        let moves = self.board.legal_moves();
        (!moves.is_empty()).then(|| Uci::of(*chance.pick(&moves)))
    }

    fn ply(&self) -> u32 {
        u32::try_from(self.line.len()).unwrap()
    }

    fn follow(&mut self, event: &Event) {
        match &event.what {
            What::Moved { uci, .. } => {
                let legal = self
                    .board
                    .legal(*uci)
                    .unwrap_or_else(|| panic!("an illegal move was told: {event:?}"));
                self.board.play(legal);
                self.line.push(*uci);
            }
            What::TakenBack { plies, .. } => {
                self.line.truncate(self.line.len() - *plies as usize);
                self.board = Board::default();
                for uci in &self.line {
                    let legal = self.board.legal(*uci).expect("it was legal before");
                    self.board.play(legal);
                }
            }
            What::Ended { .. } => self.over = true,
            _ => {}
        }
    }
}

/// A command as a request carries it.
pub(crate) fn as_ask(sent: &Sent, player: PlayerId, chance: &mut Chance) -> Ask {
    Ask::Command {
        player,
        id: sent.id,
        ply: sent.ply,
        act: sent.act,
        lag: Millis(chance.below(300)),
    }
}
