//! Challenges to a player or by link, and rematches, which are challenges too.

use rookery_core::id::{GameId, PlayerId, Seat};
use rookery_core::lobby::{Challenge, ChallengesFull, Gone, Pairing};
use rookery_core::time::Millis;
use rookery_protocol::{
    Challenge as ChallengeAsk, ChallengeEnd, ChallengeGone, Challenged, DeclineChallenge,
    DeclineReason, ErrorCode, Origin, ServerMessage, limits,
};

use super::{Done, Lobby, read};
use crate::gateway::{Identity, LobbyDone, Pending};
use crate::translate;

/// Who is called what.
pub trait Names: Send + Sync + 'static {
    /// The player of that name; none when nobody is called so.
    fn called(&self, name: &str) -> Pending<Result<Option<Called>, ErrorCode>>;
}

/// A player found by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// Who.
    pub player: PlayerId,
    /// With its own spelling.
    pub name: String,
    /// Whether it is a program's account.
    pub bot: bool,
}

impl Lobby {
    pub(super) async fn challenge(&self, who: &Identity, ask: &ChallengeAsk) -> Done {
        self.open_for(who, ask.rated)?;
        let to = match &ask.to {
            Some(name) => Some(self.opponent(who, name.as_str()).await?),
            None => None,
        };
        let bots = who.bot && to.as_ref().is_some_and(|to| to.bot);
        let config = &self.inner.config;
        let profile = if bots {
            config.bot_profile
        } else {
            config.profile
        };
        let lives = if to.is_some() {
            limits::CHALLENGE_MS
        } else {
            limits::LINK_MS
        };
        self.open(Challenge {
            id: self.mint(),
            from: translate::player_of(who),
            to: to.map(translate::player_called),
            wish: translate::wish_of_challenge(ask, profile)?,
            expires_at: self.inner.clock.now() + Millis(lives),
            rematch_of: None,
        })
    }

    pub(super) async fn accept(&self, who: &Identity, id: GameId) -> Done {
        let rated = {
            let state = self.inner.state.lock();
            let challenge = state.challenges.get(id);
            challenge.ok_or(ErrorCode::UnknownChallenge)?.wish.rated
        };
        self.open_for(who, rated)?;
        let accepted = self.inner.state.lock().challenges.accept(id, who.player);
        let challenge = accepted.map_err(|gone| self.cannot(gone, who, id))?;
        let origin = match challenge.rematch_of {
            Some(_) => Origin::Rematch,
            None => Origin::Challenge,
        };
        let (from, wish) = (challenge.from.clone(), challenge.wish.clone());
        let pairing = Pairing::of(id, from, translate::player_of(who), wish, self.toss());
        let done = self.begin(pairing, origin, who.player).await;
        let end = if done.is_ok() {
            ChallengeEnd::Accepted
        } else {
            ChallengeEnd::Expired
        };
        self.tell_gone(challenge.from.id, id, end, None);
        done
    }

    pub(super) fn decline(&self, who: &Identity, ask: &DeclineChallenge) -> Done {
        let id = read(ask.challenge)?;
        let declined = self.inner.state.lock().challenges.decline(id, who.player);
        let challenge = declined.map_err(|gone| self.cannot(gone, who, id))?;
        let reason = ask.reason.unwrap_or(DeclineReason::Generic);
        self.tell_gone(challenge.from.id, id, ChallengeEnd::Declined, Some(reason));
        Ok(LobbyDone::default())
    }

    pub(super) fn cancel(&self, who: &Identity, id: GameId) -> Done {
        let cancelled = self.inner.state.lock().challenges.cancel(id, who.player);
        let challenge = cancelled.map_err(|gone| self.cannot(gone, who, id))?;
        self.tell_end(&challenge, ChallengeEnd::Cancelled);
        Ok(LobbyDone::default())
    }

    /// Takes back what a player who left, or plays now, had proposed to others.
    pub(super) fn cancel_of(&self, player: PlayerId) {
        let cancelled = self.inner.state.lock().challenges.cancel_of(player);
        for challenge in cancelled {
            self.tell_end(&challenge, ChallengeEnd::Cancelled);
        }
    }

    /// Lets lapse what nobody answered.
    pub(super) fn lapse(&self) {
        let now = self.inner.clock.now();
        let lapsed = self.inner.state.lock().challenges.expire(now);
        for challenge in lapsed {
            self.tell_gone(challenge.from.id, challenge.id, ChallengeEnd::Expired, None);
            self.tell_end(&challenge, ChallengeEnd::Expired);
        }
    }

    /// Proposes to play `game` again, or accepts the opponent's proposal.
    pub(super) async fn rematch(&self, who: &Identity, game: GameId) -> Done {
        let now = self.inner.clock.now();
        let ended = self
            .inner
            .playing
            .ended(game, now, Millis(limits::REMATCH_MS));
        let birth = ended.ok_or(ErrorCode::RematchNotPossible)?;
        let mut seats = Seat::BOTH.into_iter();
        let seat = seats.find(|seat| birth.players[*seat].id == who.player);
        let seat = seat.ok_or(ErrorCode::RematchNotPossible)?;
        let opponent = birth.players[seat.other()].clone();
        let (theirs, mine) = {
            let challenges = &self.inner.state.lock().challenges;
            let of_game = |made_by: PlayerId| {
                let mut made = challenges.made_by(made_by);
                made.find(|c| c.rematch_of == Some(game)).map(|c| c.id)
            };
            (of_game(opponent.id), of_game(who.player))
        };
        if let Some(theirs) = theirs {
            return self.accept(who, theirs).await;
        }
        if mine.is_some() {
            return Ok(LobbyDone { made: mine });
        }
        self.open_for(who, birth.terms.rated)?;
        if !self.inner.sessions.is_online(opponent.id) {
            return Err(ErrorCode::OpponentAway);
        }
        self.open(Challenge {
            id: self.mint(),
            from: translate::player_of(who),
            to: Some(opponent),
            wish: translate::wish_of_rematch(&birth.terms, seat),
            expires_at: now + Millis(limits::CHALLENGE_MS),
            rematch_of: Some(game),
        })
    }

    fn open(&self, challenge: Challenge) -> Done {
        let id = challenge.id;
        let (from, to) = (challenge.from.id, challenge.to.as_ref().map(|to| to.id));
        let terms = self.inner.config.terms(&challenge.wish);
        let view = translate::challenge_view(&challenge, &terms);
        let opened = self.inner.state.lock().challenges.open(challenge);
        opened.map_err(|full| match full {
            ChallengesFull::OfPlayer => ErrorCode::TooManyChallenges,
            ChallengesFull::Altogether => ErrorCode::Busy,
        })?;
        let message = ServerMessage::Challenged(Box::new(Challenged { challenge: view }));
        for player in [Some(from), to].into_iter().flatten() {
            self.inner.sessions.notify(player, &message);
        }
        Ok(LobbyDone { made: Some(id) })
    }

    async fn opponent(&self, who: &Identity, name: &str) -> Result<Called, ErrorCode> {
        let called = self.inner.names.called(name).await?;
        let called = called.ok_or(ErrorCode::UnknownPlayer)?;
        if called.player == who.player {
            return Err(ErrorCode::OwnOpponent);
        }
        if !self.inner.sessions.is_online(called.player) {
            return Err(ErrorCode::OpponentAway);
        }
        Ok(called)
    }

    fn cannot(&self, gone: Gone, who: &Identity, id: GameId) -> ErrorCode {
        let state = self.inner.state.lock();
        let own = state
            .challenges
            .get(id)
            .is_some_and(|c| c.from.id == who.player);
        match gone {
            Gone::Unknown => ErrorCode::UnknownChallenge,
            Gone::NotYours if own => ErrorCode::OwnOpponent,
            Gone::NotYours => ErrorCode::NotYours,
        }
    }

    /// Tells whom a challenge was made to how it ended.
    fn tell_end(&self, challenge: &Challenge, end: ChallengeEnd) {
        if let Some(to) = &challenge.to {
            self.tell_gone(to.id, challenge.id, end, None);
        }
    }

    fn tell_gone(
        &self,
        player: PlayerId,
        id: GameId,
        end: ChallengeEnd,
        reason: Option<DeclineReason>,
    ) {
        let message = ServerMessage::ChallengeGone(ChallengeGone {
            challenge: translate::game_to_wire(id),
            end,
            reason,
        });
        self.inner.sessions.notify(player, &message);
    }
}
