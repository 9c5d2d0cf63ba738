//! One socket's task: it reads, asks, writes and keeps time, turn by turn. A turn reads what has come,
//! takes the answers that are there, writes what waits in the outbox with one flush, and looks at the
//! clock. Judges nothing of a game.

mod answer;
mod ask;
mod job;

use std::future::poll_fn;
use std::task::{Context, Poll};

use rookery_core::id::GameId;
use rookery_core::time::{Millis, Timestamp};
use rookery_protocol::{CloseCode, ServerMessage};
use tokio_tungstenite::tungstenite::Message;

use self::job::Job;
use super::bucket::{Bucket, Rate};
use super::lag::LagMeter;
use super::sessions::OpenSocket;
use super::socket::{End, Incoming, Socket};
use super::{Gateway, GatewayConfig, Identity, Pending};

/// Messages read in one turn before others have theirs.
const READS_A_TURN: usize = 16;

/// Requests refused for their rate before the socket is closed: a client may overrun once, and is told.
const REFUSALS: Rate = Rate::per_second(1, 60);

/// Frames that are no messages before the socket is closed: enough for a client's writer to see them.
const MISUSES: Rate = Rate::one_each(Millis::from_secs(10), 10);

/// A socket and who speaks on it.
pub(super) struct Session {
    gateway: Gateway,
    socket: OpenSocket,
    who: Option<Box<Identity>>,
    watched: Vec<GameId>,
    jobs: Vec<Job>,
    /// Whether anything was said yet.
    spoken: bool,
    opened_at: Timestamp,
    heard_at: Timestamp,
    lag: LagMeter,
    /// A ping goes out with the next write.
    ping_wanted: bool,
    buckets: Buckets,
    alarm: Option<Alarm>,
}

#[derive(Debug)]
struct Buckets {
    frames: Bucket,
    controls: Bucket,
    refusals: Bucket,
    misuses: Bucket,
}

/// Wakes the task. Lazy: an alarm set too early is set again when it rings.
struct Alarm {
    at: Timestamp,
    ring: Pending<()>,
}

impl Session {
    /// Serves a socket until it ends.
    pub(super) async fn run(gateway: Gateway, mut socket: Box<Socket>) {
        let open = gateway.sessions().open();
        metrics::counter!("rookery_ws_opened_total").increment(1);
        metrics::gauge!("rookery_ws_connections").increment(1.0);
        let mut session = Session::new(gateway, open);
        let end = poll_fn(|cx| session.turn(&mut socket, cx)).await;
        session.sign_out();
        note_end(end);
        socket.finish(end).await;
        metrics::gauge!("rookery_ws_connections").decrement(1.0);
    }

    /// Ends a socket for which there is no place.
    pub(super) async fn turn_away(mut socket: Box<Socket>) {
        let end = End::Ours(CloseCode::TooManySockets);
        note_end(end);
        socket.finish(end).await;
    }

    fn new(gateway: Gateway, socket: OpenSocket) -> Session {
        let now = gateway.clock().now();
        let config = gateway.config();
        Session {
            who: None,
            watched: Vec::new(),
            jobs: Vec::new(),
            spoken: false,
            opened_at: now,
            heard_at: now,
            lag: LagMeter::new(config.max_lag_ms, now),
            ping_wanted: false,
            buckets: Buckets::full(config, now),
            alarm: None,
            socket,
            gateway,
        }
    }

    fn turn(&mut self, socket: &mut Socket, cx: &mut Context<'_>) -> Poll<End> {
        self.socket.outbox.awake();
        let turn = self
            .read(socket, cx)
            .and_then(|()| self.take_answers(cx))
            .and_then(|()| self.write(socket, cx))
            .and_then(|()| self.keep_time(socket, cx));
        match turn {
            Ok(()) => Poll::Pending,
            Err(end) => Poll::Ready(end),
        }
    }

    fn read(&mut self, socket: &mut Socket, cx: &mut Context<'_>) -> Result<(), End> {
        for _ in 0..READS_A_TURN {
            // What comes behind a `hello` waits until it is known who speaks.
            if self.jobs.iter().any(Job::is_admission) {
                return Ok(());
            }
            match socket.poll_receive(cx) {
                Poll::Ready(incoming) => self.hear(incoming?, socket.arrived_at())?,
                Poll::Pending => return Ok(()),
            }
        }
        cx.waker().wake_by_ref();
        Ok(())
    }

    fn hear(&mut self, incoming: Incoming, arrived: Timestamp) -> Result<(), End> {
        self.heard_at = arrived;
        let controls = self.config().controls();
        let flood = |_| End::Ours(CloseCode::Flood);
        match incoming {
            Incoming::Text(text) => self.hear_text(&text, arrived),
            Incoming::Binary(_) => Err(End::Ours(CloseCode::TextOnly)),
            Incoming::Pong(payload) if self.lag.pong(&payload, arrived) => Ok(()),
            Incoming::Ping | Incoming::Pong(_) => self
                .buckets
                .controls
                .take(controls, 1, arrived)
                .map_err(flood),
        }
    }

    fn write(&mut self, socket: &mut Socket, cx: &mut Context<'_>) -> Result<(), End> {
        loop {
            if self.ping_wanted {
                self.ping_wanted = false;
                let payload = self.lag.ping(self.now()).to_vec();
                socket.write(Message::Ping(payload.into()))?;
            }
            if socket.poll_flush(cx)?.is_pending() {
                // Nothing is taken while the last turn's writes stand still, but it may be over.
                return match self.socket.outbox.closing(cx) {
                    Some(code) => Err(End::Ours(code)),
                    None => Ok(()),
                };
            }
            let Poll::Ready(waiting) = self.socket.outbox.poll_take(cx) else {
                return Ok(());
            };
            for frame in waiting.frames {
                socket.write(Message::Text(frame))?;
            }
            self.ping_wanted |= waiting.ping && self.lag.may_ping(self.now());
            if let Some(code) = waiting.close {
                return Err(End::Ours(code));
            }
            for (game, from) in waiting.gaps {
                self.watch_again(game, from);
                // Its job is to be polled.
                cx.waker().wake_by_ref();
            }
        }
    }

    fn keep_time(&mut self, socket: &Socket, cx: &mut Context<'_>) -> Result<(), End> {
        loop {
            let now = self.now();
            let (at, end) = self.deadline(socket);
            if at <= now {
                return Err(End::Ours(end));
            }
            let ping_at = self.lag.pinged_at() + self.config().ping_every_ms;
            if ping_at <= now {
                self.ping_wanted = true;
                cx.waker().wake_by_ref();
                return Ok(());
            }
            if self.wait_until(at.min(ping_at), cx).is_pending() {
                return Ok(());
            }
        }
    }

    /// When the socket ends if nothing happens, and why.
    fn deadline(&self, socket: &Socket) -> (Timestamp, CloseCode) {
        let config = self.config();
        let hello = (!self.spoken).then_some((
            self.opened_at + config.hello_timeout_ms,
            CloseCode::HelloTimeout,
        ));
        let stuck = socket
            .stuck_since()
            .map(|since| (since + config.write_timeout_ms, CloseCode::SlowReader));
        let silent = (self.heard_at + config.client_silent_ms, CloseCode::Silent);
        [hello, stuck]
            .into_iter()
            .flatten()
            .fold(silent, |first, next| first.min(next))
    }

    fn wait_until(&mut self, at: Timestamp, cx: &mut Context<'_>) -> Poll<()> {
        let early = self.alarm.take().filter(|alarm| alarm.at <= at);
        let mut alarm = early.unwrap_or_else(|| {
            let clock = self.gateway.clock().clone();
            Alarm {
                at,
                ring: Box::pin(async move { clock.sleep_until(at).await }),
            }
        });
        match alarm.ring.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(()),
            Poll::Pending => {
                self.alarm = Some(alarm);
                Poll::Pending
            }
        }
    }

    fn say(&self, message: &ServerMessage) {
        self.socket.outbox.push(message.to_json().into());
    }

    fn now(&self) -> Timestamp {
        self.gateway.clock().now()
    }

    fn config(&self) -> &GatewayConfig {
        self.gateway.config()
    }

    /// Leaves the rooms, then the house.
    fn sign_out(&mut self) {
        for game in std::mem::take(&mut self.watched) {
            self.gateway.rooms().leave(game, self.socket.id);
        }
        if let Some(who) = self.who.take()
            && self.gateway.sessions().sign_out(self.socket.id, who.player)
        {
            self.gateway.services().desk.left(who.player);
        }
    }
}

/// Also when the task ends in a panic.
impl Drop for Session {
    fn drop(&mut self) {
        self.sign_out();
    }
}

impl Buckets {
    fn full(config: &GatewayConfig, now: Timestamp) -> Buckets {
        Buckets {
            frames: Bucket::full(config.frames(), now),
            controls: Bucket::full(config.controls(), now),
            refusals: Bucket::full(REFUSALS, now),
            misuses: Bucket::full(MISUSES, now),
        }
    }
}

fn note_end(end: End) {
    let code = match end {
        End::Ours(code) => code.code().to_string(),
        End::Theirs => "peer".to_owned(),
        End::Broken => "broken".to_owned(),
    };
    if end == End::Ours(CloseCode::SlowReader) {
        metrics::counter!("rookery_slow_consumers_total").increment(1);
    }
    metrics::counter!("rookery_ws_closed_total", "code" => code).increment(1);
}
