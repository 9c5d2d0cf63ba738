//! The gateway as the wiring sees it: built once, then served.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::any;

use super::accept::{ClientAddress, Held};
use super::doors::{AddressPlace, Doors};
use super::session::Session;
use super::upgrade::{UpgradeError, Upgrading, upgrade};
use super::{Desk, Doorkeeper, Games, GatewayConfig, Records, Rooms, Scribe, Sessions, meter};
use crate::clock::Clock;

/// The rest of the server, as the gateway asks it.
#[derive(Clone)]
pub struct Services {
    /// Checks credentials.
    pub doorkeeper: Arc<dyn Doorkeeper>,
    /// The owners of live games.
    pub games: Arc<dyn Games>,
    /// The finished games.
    pub records: Arc<dyn Records>,
    /// The lobby.
    pub desk: Arc<dyn Desk>,
    /// Who keeps what is said.
    pub scribe: Arc<dyn Scribe>,
}

/// Everything a socket's task shares with the others. Cheap to clone.
#[derive(Clone)]
pub struct Gateway {
    inner: Arc<Inner>,
}

struct Inner {
    clock: Clock,
    doors: Arc<Doors>,
    sessions: Sessions,
    rooms: Rooms,
    services: Services,
}

impl Gateway {
    /// A gateway over these sessions and rooms, which others know already.
    pub fn new(
        doors: Arc<Doors>,
        clock: Clock,
        sessions: Sessions,
        rooms: Rooms,
        services: Services,
    ) -> Gateway {
        meter::describe();
        rooms.report_to(services.games.clone());
        Gateway {
            inner: Arc::new(Inner {
                doors,
                clock,
                sessions,
                rooms,
                services,
            }),
        }
    }

    /// The route of the WebSocket, for the router that [`super::serve`] serves.
    pub fn routes(&self) -> axum::Router {
        let gateway = self.clone();
        axum::Router::new().route(
            "/ws",
            any(move |request: Request<Body>| {
                let gateway = gateway.clone();
                async move { gateway.open(request) }
            }),
        )
    }

    /// Shows the clocks of running games, for as long as it is polled.
    pub async fn tick(&self) {
        self.inner.rooms.tick().await;
    }

    pub(super) fn config(&self) -> &GatewayConfig {
        self.inner.doors.config()
    }

    pub(super) fn clock(&self) -> &Clock {
        &self.inner.clock
    }

    pub(super) fn sessions(&self) -> &Sessions {
        &self.inner.sessions
    }

    pub(super) fn rooms(&self) -> &Rooms {
        &self.inner.rooms
    }

    pub(super) fn services(&self) -> &Services {
        &self.inner.services
    }

    fn open(&self, mut request: Request<Body>) -> Response {
        if self.sessions().is_draining() {
            return UpgradeError::Draining.into_response();
        }
        let extensions = request.extensions();
        let held = extensions.get::<Held>().cloned();
        let address = extensions.get::<ClientAddress>().copied();
        match upgrade(&mut request, self.config()) {
            Ok((response, upgrading)) => {
                let place = address.map(|address| self.inner.doors.socket_from(address.0).ok());
                tokio::spawn(self.clone().attend(upgrading, place, held));
                response
            }
            Err(error) => error.into_response(),
        }
    }

    /// Waits for a socket and gives it a task of its own, which does not carry the handshake's state.
    /// `place` is its place among those of its address: some, or none left.
    async fn attend(
        self,
        upgrading: Upgrading,
        place: Option<Option<AddressPlace>>,
        held: Option<Held>,
    ) {
        let Some(socket) = upgrading.socket(self.config(), self.clock().clone()).await else {
            return;
        };
        // Boxed: a future keeps a copy of whatever is moved through it.
        let socket = Box::new(socket);
        if let Some(None) = place {
            return Session::turn_away(socket).await;
        }
        tokio::spawn(async move {
            Session::run(self, socket).await;
            drop((place, held));
        });
    }
}
