//! Two players and the game between them, driven from one task. Knows no rule of chess: who has to do
//! what, and when, is said by whoever holds the table.

use std::time::Duration;

use rookery_protocol::{
    AcceptChallenge, Auth, Challenge, Claim, ClaimRule, ClientMessage, ColourWish, Command,
    Control, Fen, GameId, Move, Ok as Done, Profile, RequestId, Seat, ServerMessage, Uci,
};
use tokio::time::{Instant, sleep};

use super::{ClientError, Patience, Player, Record, Target, guest};

/// How long a pair waits for room.
const ROOM_TIMEOUT: Duration = Duration::from_secs(120);

/// How often it looks for room.
const ROOM_PAUSE: Duration = Duration::from_millis(500);

/// What a game is asked for with.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The clock.
    pub control: Control,
    /// Whether it is rated.
    pub rated: bool,
    /// By which Laws.
    pub profile: Profile,
    /// Another position to start from.
    pub start_fen: Option<Fen>,
}

impl Wish {
    /// A casual game by the default Laws; `control` is written as PGN writes it.
    pub fn casual(control: &str) -> Result<Wish, ClientError> {
        let control = control
            .parse()
            .map_err(|_| ClientError::Unexpected(format!("clock {control}")))?;
        Ok(Wish {
            control,
            rated: false,
            profile: Profile::Classic,
            start_fen: None,
        })
    }
}

/// What a player does in a game, answering the position he sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// A move, perhaps with an offer.
    Move(Uci, bool),
    /// An offer without a move.
    Offer,
    /// Yes to an offer.
    Accept,
    /// No to an offer.
    Decline,
    /// A claim, perhaps with an announced move.
    Claim(ClaimRule, Option<Uci>),
    /// Giving up.
    Resign,
    /// Leaving before both have moved.
    Abort,
}

impl Act {
    /// The frame that says so.
    pub fn message(self, id: RequestId, game: GameId, ply: u32) -> ClientMessage {
        let command = Command { id, game, ply };
        match self {
            Act::Move(uci, offer) => ClientMessage::Move(Move {
                id,
                game,
                ply,
                uci,
                offer,
            }),
            Act::Offer => ClientMessage::Offer(command),
            Act::Accept => ClientMessage::Accept(command),
            Act::Decline => ClientMessage::Decline(command),
            Act::Claim(rule, announced) => ClientMessage::Claim(Claim {
                id,
                game,
                ply,
                rule,
                announced,
            }),
            Act::Resign => ClientMessage::Resign(command),
            Act::Abort => ClientMessage::Abort(command),
        }
    }
}

/// Two players at a game.
#[derive(Debug)]
pub struct Table {
    /// The game.
    pub game: GameId,
    /// Who moves first.
    pub white: Player,
    /// Who moves second.
    pub black: Player,
}

impl Table {
    /// Two fresh guests sit down. Where the server has no room for their sockets yet, they wait for it,
    /// both outside, so that no two halves of pairs keep each other out.
    pub async fn of_guests(
        target: &Target,
        wish: &Wish,
        patience: Patience,
    ) -> Result<Table, ClientError> {
        let (one, other) = tokio::try_join!(guest(target), guest(target))?;
        let enter =
            async |ticket: &Auth| Player::enter(target, Some(ticket.clone()), patience).await;
        let give_up = Instant::now() + ROOM_TIMEOUT;
        loop {
            match tokio::try_join!(enter(&one.ticket), enter(&other.ticket)) {
                Ok((white, black)) => return Table::of(white, black, wish).await,
                Err(error) if error.is_full() && Instant::now() < give_up => {
                    sleep(ROOM_PAUSE).await
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// These two sit down, by a link that White gives to Black.
    pub async fn of(white: Player, black: Player, wish: &Wish) -> Result<Table, ClientError> {
        let (mut white, mut black) = (white, black);
        let challenge = |id| {
            ClientMessage::Challenge(Challenge {
                id,
                to: None,
                control: wish.control.clone(),
                rated: wish.rated,
                colour: Some(ColourWish::White),
                profile: Some(wish.profile),
                start_fen: wish.start_fen.clone(),
            })
        };
        let made = white.ask(challenge).await?.made;
        let link =
            made.ok_or_else(|| ClientError::Unexpected("a challenge without a name".to_owned()))?;
        let accept = |id| {
            ClientMessage::AcceptChallenge(AcceptChallenge {
                id,
                challenge: link,
            })
        };
        black.ask(accept).await?;
        Table::paired(white, black, link).await
    }

    /// These two, who are about to be told that their game begins.
    pub async fn paired(white: Player, black: Player, game: GameId) -> Result<Table, ClientError> {
        let mut table = Table { game, white, black };
        let seat = |message: &ServerMessage| match message {
            ServerMessage::Paired(paired) if paired.game == game => Some(paired.seat),
            _ => None,
        };
        let told = tokio::try_join!(
            table.white.message("the pairing", seat),
            table.black.message("the pairing", seat),
        )?;
        if told != (Seat::White, Seat::Black) {
            return Err(ClientError::Unexpected(format!("the seats are {told:?}")));
        }
        tokio::try_join!(table.white.watch(game), table.black.watch(game))?;
        Ok(table)
    }

    /// What `seat` has seen of the game.
    pub fn record(&self, seat: Seat) -> &Record {
        let player = match seat {
            Seat::White => &self.white,
            Seat::Black => &self.black,
        };
        player
            .record(self.game)
            .expect("both follow the game since they sat down")
    }

    /// Both at once.
    pub fn records(&self) -> [&Record; 2] {
        [self.record(Seat::White), self.record(Seat::Black)]
    }

    /// One player acts on the position he sees, while the other one reads on.
    pub async fn ask(&mut self, seat: Seat, act: Act) -> Result<Done, ClientError> {
        let (game, ply) = (self.game, self.record(seat).ply());
        let (player, other) = self.seats(seat);
        tokio::select! {
            done = player.ask(|id| act.message(id, game, ply)) => done,
            error = other.attend() => Err(error),
        }
    }

    /// Both read until something holds of what each has seen.
    pub async fn until(
        &mut self,
        what: &'static str,
        span: Duration,
        holds: impl Fn(&Record) -> bool,
    ) -> Result<(), ClientError> {
        let game = self.game;
        let seen = |player: &Player| player.record(game).is_some_and(&holds);
        tokio::try_join!(
            self.white.until(what, span, seen),
            self.black.until(what, span, seen)
        )?;
        Ok(())
    }

    /// Both read for so long.
    pub async fn idle(&mut self, span: Duration) -> Result<(), ClientError> {
        tokio::try_join!(self.white.idle(span), self.black.idle(span))?;
        Ok(())
    }

    /// Both say goodbye.
    pub async fn leave(&mut self) {
        tokio::join!(self.white.leave(), self.black.leave());
    }

    /// The player of that seat, and the other one.
    pub fn seats(&mut self, seat: Seat) -> (&mut Player, &mut Player) {
        match seat {
            Seat::White => (&mut self.white, &mut self.black),
            Seat::Black => (&mut self.black, &mut self.white),
        }
    }
}
