//! From a TCP connection to an HTTP request: caps, trusted proxies, TLS, time limits. What is asked is
//! answered by the router that the wiring brings.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::Mutex;
use socket2::{Domain, Protocol, Type};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tower::Service;

use super::GatewayConfig;
use super::doors::{AddressPlace, Doors, Full, Place};
use super::proxy::{forwarded_for, is_trusted, read_header};
use super::stream::Stream;

/// Connections the kernel may hold for us between two turns of the accept loop.
const BACKLOG: i32 = 1024;

/// How long to wait when no connection can be accepted (no descriptors left): trying at once would spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The largest head of a request, in bytes: what browsers send with long cookies is under 8 KiB.
const HEAD_BYTES: usize = 16 * 1024;

/// What somebody gets who finds no place, where it can be said in plain text.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// The address of the client who sent a request, behind trusted proxies if there are any: an extension
/// of every request that comes through [`serve`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// The places of a connection, held until the last of its requests and its socket are gone.
#[derive(Clone, Debug)]
pub(super) struct Held {
    _places: Arc<(Place, Option<AddressPlace>)>,
}

/// Opens a listening socket for [`serve`].
pub fn listen(address: SocketAddr, config: &GatewayConfig) -> io::Result<TcpListener> {
    let socket = socket2::Socket::new(
        Domain::for_address(address),
        Type::STREAM,
        Some(Protocol::TCP),
    )?;
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    // Inherited by every accepted socket.
    socket.set_send_buffer_size(config.send_buffer_bytes)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    TcpListener::from_std(socket.into())
}

/// Accepts connections until `stop`, then lets requests under way end, within the time a handshake may
/// take. Sockets that were opened go on: [`super::Sessions`] knows them.
pub async fn serve(
    doors: Arc<Doors>,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    app: axum::Router,
    stop: impl Future<Output = ()>,
) {
    let (stopping, stopped) = watch::channel(false);
    let entrance = Arc::new(Entrance {
        doors,
        tls,
        app,
        stopped,
    });
    let mut connections = JoinSet::new();
    tokio::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => match accepted {
                Ok((tcp, peer)) => {
                    entrance.clone().admit(tcp, peer.ip().to_canonical(), &mut connections);
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
        }
    }
    drop(listener);
    stopping.send_replace(true);
    let patience = entrance.config().handshake_timeout();
    // Whoever has not ended by then is aborted with the set.
    let _ = timeout(patience, async {
        while connections.join_next().await.is_some() {}
    })
    .await;
}

struct Entrance {
    doors: Arc<Doors>,
    tls: Option<TlsAcceptor>,
    app: axum::Router,
    stopped: watch::Receiver<bool>,
}

/// A connection whose client is known.
struct Visitor {
    stream: Stream,
    peer: IpAddr,
    address: IpAddr,
    held: Held,
    handshake: OwnedSemaphorePermit,
}

impl Entrance {
    fn config(&self) -> &GatewayConfig {
        self.doors.config()
    }

    fn admit(self: Arc<Entrance>, tcp: TcpStream, peer: IpAddr, connections: &mut JoinSet<()>) {
        match self.doors.connection() {
            Ok((place, handshake)) => {
                connections.spawn(async move {
                    if let Some(visitor) = self.receive(tcp, peer, place, handshake).await {
                        self.attend(visitor).await;
                    }
                });
            }
            Err(full) => self.turn_away(&tcp, full),
        }
    }

    fn turn_away(&self, tcp: &TcpStream, full: Full) {
        let bound = match full {
            Full::Node => "node",
            Full::Address => "address",
        };
        metrics::counter!("rookery_connections_refused_total", "bound" => bound).increment(1);
        if self.tls.is_none() {
            // A courtesy: a full kernel buffer is no reason to wait.
            let _ = tcp.try_write(FULL);
        }
    }

    async fn receive(
        &self,
        mut tcp: TcpStream,
        peer: IpAddr,
        place: Place,
        handshake: OwnedSemaphorePermit,
    ) -> Option<Visitor> {
        tcp.set_nodelay(true).ok()?;
        let limit = self.config().handshake_timeout();
        let trusted = is_trusted(peer, &self.config().trusted_proxies);
        let told = match trusted {
            true => timeout(limit, told_address(&mut tcp)).await.ok()?.ok()?,
            false => None,
        };
        let address = told.unwrap_or(peer);
        // A proxy stands for many clients: those it names are counted, it is not.
        let by_address = match trusted && told.is_none() {
            true => None,
            false => match self.doors.connection_from(address) {
                Ok(place) => Some(place),
                Err(full) => {
                    self.turn_away(&tcp, full);
                    return None;
                }
            },
        };
        let stream = match &self.tls {
            None => Stream::Plain(tcp),
            Some(tls) => {
                let handshake = timeout(limit, Box::pin(tls.accept(tcp)));
                Stream::Tls(Box::new(handshake.await.ok()?.ok()?))
            }
        };
        Some(Visitor {
            stream,
            peer,
            address,
            held: Held {
                _places: Arc::new((place, by_address)),
            },
            handshake,
        })
    }

    async fn attend(&self, visitor: Visitor) {
        let Visitor {
            stream,
            peer,
            address,
            held,
            handshake,
        } = visitor;
        let handshake = Mutex::new(Some(handshake));
        let service = service_fn(|mut request: Request<Incoming>| {
            // The first whole head ends the handshake.
            drop(handshake.lock().take());
            let trusted = &self.config().trusted_proxies;
            let client = match address == peer {
                true => forwarded_for(request.headers(), peer, trusted),
                false => address,
            };
            request.extensions_mut().insert(ClientAddress(client));
            request.extensions_mut().insert(held.clone());
            let answer = self.app.clone().call(request.map(Body::new));
            async move { Ok::<_, Infallible>(answer.await.unwrap_or_else(|never| match never {})) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.config().handshake_timeout())
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        tokio::pin!(connection);
        let mut stopped = self.stopped.clone();
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = async { drop(stopped.wait_for(|stopped| *stopped).await) } => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection ended badly");
        }
    }
}

/// The address that a trusted peer names, when it begins with a PROXY header.
async fn told_address(tcp: &mut TcpStream) -> io::Result<Option<IpAddr>> {
    let mut first = [0];
    let begins_header = tcp.peek(&mut first).await? == 1 && first[0] == super::proxy::SIGNATURE[0];
    match begins_header {
        true => read_header(tcp).await,
        false => Ok(None),
    }
}
