//! What a player does with what comes in: answers close requests, events go into records, the rest is
//! kept for whoever asks.

use std::time::Duration;

use rookery_protocol::{
    ClientMessage, Error, Event, Ok as Done, Request, RequestId, Retry, ServerMessage,
};
use tokio::time::{Instant, timeout_at};

use super::{Acknowledged, Player, RETRY_PAUSE};
use crate::client::ClientError;

/// Messages kept for someone who asks for them; older ones are forgotten.
const INBOX: usize = 256;

impl Player {
    /// Sends on the open connection; a failure is found, and mended, by the next read.
    pub(super) async fn send_now(&mut self, message: &ClientMessage) -> Result<(), ClientError> {
        let sent = match &mut self.connection {
            Some(connection) => connection.send(message).await,
            None => return Ok(()),
        };
        if let Err(error) = sent {
            self.reconnect(error).await?;
        }
        Ok(())
    }

    /// Reads and handles one message; false when the deadline came first.
    pub(super) async fn pump(&mut self, deadline: Instant) -> Result<bool, ClientError> {
        let silence = Duration::from_millis(self.limits.server_silent_ms);
        let mut silent_at = Instant::now() + silence;
        let mut asked = false;
        loop {
            let due = self
                .open
                .values()
                .filter_map(|open| open.due)
                .min()
                .unwrap_or(deadline);
            let wake = deadline.min(silent_at).min(due);
            let read = match &mut self.connection {
                Some(connection) => timeout_at(wake, connection.next()).await,
                None => Ok(Err(ClientError::TimedOut("a connection"))),
            };
            match read {
                Ok(Ok(message)) => return self.handle(message).map(|()| true),
                Ok(Err(error @ (ClientError::Unreadable(_) | ClientError::Record(_)))) => {
                    return Err(error);
                }
                Ok(Err(error)) => return self.reconnect(error).await.map(|()| true),
                Err(_) if Instant::now() >= deadline => return Ok(false),
                Err(_) if Instant::now() >= due => self.send_due().await?,
                Err(_) if asked => {
                    let silent = ClientError::TimedOut("any sign of the server");
                    return self.reconnect(silent).await.map(|()| true);
                }
                Err(_) => {
                    asked = true;
                    silent_at = Instant::now() + silence;
                    self.send(|id| ClientMessage::Ping(Request { id })).await?;
                }
            }
        }
    }

    async fn send_due(&mut self) -> Result<(), ClientError> {
        let now = Instant::now();
        let mut again = Vec::new();
        for open in self
            .open
            .values_mut()
            .filter(|open| open.due.is_some_and(|due| due <= now))
        {
            open.due = None;
            again.push(open.message.clone());
        }
        for message in again {
            self.send_now(&message).await?;
        }
        Ok(())
    }

    pub(super) fn handle(&mut self, message: ServerMessage) -> Result<(), ClientError> {
        match message {
            ServerMessage::Ok(done) => self.answered(done.id, Ok(done))?,
            ServerMessage::Pong(pong) => {
                self.open.remove(&pong.id);
            }
            ServerMessage::Error(error) => match error.id {
                Some(id) => self.answered(id, Err(error))?,
                None => self.keep(ServerMessage::Error(error)),
            },
            ServerMessage::Event(event) => self.take(event)?,
            ServerMessage::Events(events) => {
                for event in events.events {
                    self.take(event)?;
                }
            }
            ServerMessage::Tick(_) => {}
            other => self.keep(other),
        }
        Ok(())
    }

    /// An answer closes its request, unless it says "again, under the same id".
    fn answered(&mut self, id: RequestId, answer: Result<Done, Error>) -> Result<(), ClientError> {
        let Some(open) = self.open.get_mut(&id) else {
            return Ok(());
        };
        if let Err(error) = &answer
            && error.code.retry() == Retry::SameId
        {
            let pause = error.retry_after.map_or(RETRY_PAUSE, Duration::from_millis);
            open.due = Some(Instant::now() + pause);
            self.put_off += 1;
            return Ok(());
        }
        let open = self.open.remove(&id).expect("found just now");
        match answer {
            Err(Error { code, message, .. }) if open.ours => {
                return Err(ClientError::Refused { code, message });
            }
            Ok(_) if open.ours => return Ok(()),
            Ok(Done { ruling, .. }) if is_command(&open.message) => {
                self.acknowledged.push(Acknowledged {
                    command: open.message,
                    ruling,
                });
            }
            _ => {}
        }
        self.answers.insert(id, answer);
        Ok(())
    }

    fn take(&mut self, event: Event) -> Result<(), ClientError> {
        if let Some(record) = self.records.get_mut(&event.place().0) {
            record.take(event)?;
        }
        Ok(())
    }

    fn keep(&mut self, message: ServerMessage) {
        if self.inbox.len() == INBOX {
            self.inbox.pop_front();
        }
        self.inbox.push_back(message);
    }
}

/// Whether a message is a command to a game, done once under its id.
fn is_command(message: &ClientMessage) -> bool {
    use ClientMessage as M;
    matches!(
        message,
        M::Move(_)
            | M::Offer(_)
            | M::Accept(_)
            | M::Decline(_)
            | M::Withdraw(_)
            | M::Claim(_)
            | M::Resign(_)
            | M::Abort(_)
            | M::Takeback(_)
            | M::ClaimAbsence(_)
    )
}
