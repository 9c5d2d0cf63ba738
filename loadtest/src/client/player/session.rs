//! How a player comes, and comes back after a cut.

use std::time::Duration;

use rookery_protocol::{
    ClientMessage, CloseCode, Hello, Reconnect, Retry, ServerMessage, Watch, Welcome,
};
use tokio::time::{Instant, sleep, timeout_at};

use super::{Open, Player};
use crate::client::{ClientError, Connection};

/// The pause before a second attempt to connect; each further one doubles it.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_millis(800);

/// How long the server may take to greet.
const WELCOME_TIMEOUT: Duration = Duration::from_secs(10);

impl Player {
    /// Comes back after a cut, unless the server said not to.
    pub(super) async fn reconnect(&mut self, mut cause: ClientError) -> Result<(), ClientError> {
        self.connection = None;
        self.cuts += 1;
        let give_up = Instant::now() + self.patience.reconnect;
        let mut pause = FIRST_PAUSE;
        while !is_final(&cause) && Instant::now() < give_up {
            match Box::pin(self.connect()).await {
                Ok(()) => return Ok(()),
                Err(error) => cause = error,
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        Err(cause)
    }

    /// Opens a connection, says hello, follows every game on from where it stood, and sends again
    /// what is unanswered.
    pub(super) async fn connect(&mut self) -> Result<(), ClientError> {
        let mut connection = Connection::open(&self.target).await?;
        let id = self.fresh_id();
        let hello = Hello {
            id,
            auth: self.auth.clone(),
            language: None,
            ticks: true,
            software: None,
        };
        connection.send(&ClientMessage::Hello(hello)).await?;
        let welcome = self.greeted(&mut connection).await?;
        connection.keep_to(&welcome.limits);
        self.limits = welcome.limits;
        self.identity = welcome.you;
        self.auth = welcome.ticket.or(self.auth.take());

        self.open
            .retain(|_, open| !open.ours && !matches!(open.message, ClientMessage::Ping(_)));
        let unanswered: Vec<ClientMessage> = self
            .open
            .values()
            .map(|open| open.message.clone())
            .collect();
        let followed: Vec<_> = self
            .records
            .values()
            .map(|r| (r.game(), r.next()))
            .collect();
        for (game, from) in followed {
            let id = self.fresh_id();
            let watch = ClientMessage::Watch(Watch {
                id,
                game,
                from: Some(from),
            });
            connection.send(&watch).await?;
            self.open.insert(
                id,
                Open {
                    message: watch,
                    due: None,
                    ours: true,
                },
            );
        }
        for message in unanswered {
            connection.send(&message).await?;
        }
        for open in self.open.values_mut() {
            open.due = None;
        }
        self.connection = Some(connection);
        Ok(())
    }

    async fn greeted(&mut self, connection: &mut Connection) -> Result<Welcome, ClientError> {
        let deadline = Instant::now() + WELCOME_TIMEOUT;
        loop {
            let read = timeout_at(deadline, connection.next()).await;
            match read.map_err(|_| ClientError::TimedOut("the welcome"))?? {
                ServerMessage::Welcome(welcome) => return Ok(*welcome),
                ServerMessage::Error(error) => {
                    return Err(ClientError::Refused {
                        code: error.code,
                        message: error.message,
                    });
                }
                other => self.handle(other)?,
            }
        }
    }
}

/// Whether coming back would be of no use.
fn is_final(cause: &ClientError) -> bool {
    match cause {
        ClientError::Closed { code, .. } => CloseCode::ALL
            .iter()
            .any(|known| known.code() == *code && known.reconnect() == Reconnect::Never),
        ClientError::Socket(_) | ClientError::TimedOut(_) => false,
        ClientError::Refused { code, .. } => code.retry() == Retry::No,
        _ => true,
    }
}
