//! The players, the lobby, and the wire between them and the node.

use super::*;

impl World {
    pub(super) fn answered(&mut self, question: u64, reply: &Reply) {
        match self.askers[usize::try_from(question).unwrap()] {
            Asker::Lobby(game) => self.lobby_answered(game, reply),
            Asker::Player(player, sent) => {
                if let Reply::Events { events, .. } = reply {
                    self.players[player].hear(events);
                }
                if matches!(reply, Reply::UnknownGame) {
                    self.players[player].is_gone();
                }
                if let (Some(sent), false) = (sent, matches!(reply, Reply::Retry | Reply::Busy)) {
                    self.players[player].answered(&sent);
                }
            }
        }
    }

    pub(super) fn lobby_answered(&mut self, game: GameId, reply: &Reply) {
        if !matches!(reply, Reply::Born) {
            return;
        }
        if !self.born.insert(game) {
            return;
        }
        for player in 0..self.players.len() {
            if self.players[player].game == game {
                self.connects(player);
                self.after(1, Happening::Wakes(player));
            }
        }
    }

    pub(super) fn connects(&mut self, player: usize) {
        self.players[player].online = true;
        let (game, id) = (self.players[player].game, self.players[player].id);
        self.send(
            game,
            Ask::Presence {
                player: id,
                online: true,
            },
            Asker::Player(player, None),
        );
        self.send(
            game,
            Ask::Events { from: Seq(0) },
            Asker::Player(player, None),
        );
    }

    pub(super) fn wakes(&mut self, player: usize) {
        let (game, id) = (self.players[player].game, self.players[player].id);
        if self.players[player].is_over() || self.filed.contains_key(&game) {
            return;
        }
        let next = 100 + self.chance.below(4000);
        self.after(next, Happening::Wakes(player));
        if !self.players[player].online {
            if self.chance.per_mille(300) {
                self.connects(player);
            }
            return;
        }
        if self.chance.per_mille(15) {
            self.players[player].online = false;
            self.send(
                game,
                Ask::Presence {
                    player: id,
                    online: false,
                },
                Asker::Player(player, None),
            );
            return;
        }
        match self.players[player].wake(self.now, &mut self.chance) {
            None => {}
            Some(Wish::Ask(ask)) => self.send(game, ask, Asker::Player(player, None)),
            Some(Wish::Command(sent)) => {
                let ask = as_ask(&sent, id, &mut self.chance);
                self.send(game, ask, Asker::Player(player, Some(sent)));
            }
        }
    }

    /// Puts a question on the wire; sometimes it arrives twice, or not at all.
    pub(super) fn send(&mut self, game: GameId, ask: Ask, asker: Asker) {
        self.askers.push(asker);
        let question = self.askers.len() as u64 - 1;
        self.deliver(300, |chance| {
            let request = Request {
                game,
                held: Millis(chance.below(40)),
                ask: ask.clone(),
            };
            Happening::Arrives(request, question)
        });
    }

    pub(super) fn deliver(
        &mut self,
        slowest: u64,
        mut happening: impl FnMut(&mut Chance) -> Happening,
    ) {
        let copies = match self.chance.below(100) {
            0..2 => 0,
            2..7 => 2,
            _ => 1,
        };
        if copies == 2 {
            self.tally.note("repeat");
        }
        for _ in 0..copies {
            let delay = self.chance.below(slowest);
            let happening = happening(&mut self.chance);
            self.after(delay, happening);
        }
    }

    pub(super) fn plan_game(&mut self, number: u64) {
        let starts = self.chance.below(5000);
        let birth = births::plan(number, Timestamp(START + starts), &mut self.chance);
        let game = birth.game;
        for seat in Seat::BOTH {
            let player = Player::new(birth.players[seat].id, game, seat, &mut self.chance);
            self.players.push(player);
        }
        self.births.insert(game, birth);
        self.after(starts, Happening::IsAsked(game, START + starts));
    }
}
