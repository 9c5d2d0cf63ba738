//! One WebSocket to the server: messages in, messages out, never faster than the server grants. Knows
//! no game and never reconnects.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use rookery_protocol::limits::Limits;
use rookery_protocol::{ClientMessage, SUBPROTOCOL, ServerMessage};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::client::ClientRequestBuilder;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use super::{ClientError, Target};

/// How long TCP and the upgrade may take together.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How long the server may take to answer our close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// A read buffer for messages of a few hundred bytes: the default of 128 KiB is zeroed on each read.
const READ_BUFFER: usize = 4 << 10;

/// An open socket.
#[derive(Debug)]
pub struct Connection {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pace: Pace,
}

impl Connection {
    /// Connects and upgrades.
    pub async fn open(target: &Target) -> Result<Connection, ClientError> {
        let uri = target
            .websocket()
            .parse()
            .map_err(|_| ClientError::BadUrl(target.websocket().to_owned()))?;
        let request = ClientRequestBuilder::new(uri).with_sub_protocol(SUBPROTOCOL);
        let config = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .write_buffer_size(0);
        let connecting = connect_async_with_config(request, Some(config), true);
        let (socket, _) = timeout(CONNECT_TIMEOUT, connecting)
            .await
            .map_err(|_| ClientError::TimedOut("the upgrade"))?
            .map_err(Box::new)?;
        Ok(Connection {
            socket,
            pace: Pace::new(&Limits::default()),
        })
    }

    /// From now on sends no faster than these limits grant.
    pub fn keep_to(&mut self, limits: &Limits) {
        self.pace = Pace::new(limits);
    }

    /// Sends a message, when its turn has come.
    pub async fn send(&mut self, message: &ClientMessage) -> Result<(), ClientError> {
        self.pace.turn().await;
        self.send_raw(Message::text(message.to_json())).await
    }

    /// Sends a frame at once, whatever it holds.
    pub async fn send_raw(&mut self, frame: Message) -> Result<(), ClientError> {
        self.socket
            .send(frame)
            .await
            .map_err(|error| Box::new(error).into())
    }

    /// The next message of the server. Cancelling it loses nothing.
    pub async fn next(&mut self) -> Result<ServerMessage, ClientError> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Text(text))) => return Ok(ServerMessage::parse(&text)?),
                Some(Ok(Message::Close(frame))) => {
                    let (code, reason) = frame.map_or((1005, String::new()), |f| {
                        (f.code.into(), f.reason.to_string())
                    });
                    return Err(ClientError::Closed { code, reason });
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(Box::new(error).into()),
                None => return Err(Box::new(tungstenite::Error::ConnectionClosed).into()),
            }
        }
    }

    /// Says goodbye and waits, not for long, for the answer.
    pub async fn close(mut self) {
        let goodbye = async {
            if self.socket.close(None).await.is_ok() {
                while let Some(Ok(_)) = self.socket.next().await {}
            }
        };
        // A server that does not answer is left alone.
        let _ = timeout(CLOSE_TIMEOUT, goodbye).await;
    }
}

/// A token bucket: so many frames at once, so many a second for long.
#[derive(Debug)]
struct Pace {
    /// The instant at which the bucket would be full again.
    full_at: Instant,
    /// How long one frame takes to earn.
    each: Duration,
    /// How far ahead of `full_at` the present may lag before a frame has to wait.
    burst: Duration,
}

impl Pace {
    fn new(limits: &Limits) -> Pace {
        let each = Duration::from_secs(1) / limits.frames_per_second.max(1);
        // One less than granted: the server's bucket and ours do not tick together.
        let burst = each * limits.frame_burst.saturating_sub(1).max(1);
        Pace {
            full_at: Instant::now(),
            each,
            burst,
        }
    }

    async fn turn(&mut self) {
        let now = Instant::now();
        self.full_at = self.full_at.max(now) + self.each;
        let ahead = self.full_at - now;
        if ahead > self.burst {
            sleep(ahead - self.burst).await;
        }
    }
}
