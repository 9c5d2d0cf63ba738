//! The wiring: which parts there are, in which order they start and stop. Decides nothing else.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use rookery_protocol::{CloseCode, Notice, NoticeKind, ServerMessage};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::accounts::{AccountError, Accounts};
use crate::chatlog::ChatLog;
use crate::clock::Clock;
use crate::config::Config;
use crate::gateway::{self, Doors, Gateway, Rooms, Services, Sessions, TlsError};
use crate::http::admin::{self, Health, Recorder};
use crate::http::{self, Api, Listening, LiveGames, Parts};
use crate::lobby::{self, Lobby, Noting, Playing};
use crate::shards::{Router, Shards};
use crate::stores::archive::{Archive, ArchiveError};
use crate::stores::folder::{DataFolder, FolderError};
use crate::stores::journal::{JournalError, OpenError, SqliteJournal};

/// Why the server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The journal's file.
    #[error("the journal cannot be opened: {0}")]
    OpenJournal(#[from] OpenError),
    /// The journal's games.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The archive's file.
    #[error("{}: {source}", path.display())]
    Archive {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: ArchiveError,
    },
    /// The keys and hashes of accounts.
    #[error(transparent)]
    Accounts(#[from] AccountError),
    /// Certificate and key.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// An address that cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
}

/// The server, not yet running.
pub struct App;

/// The server, running.
pub struct Running {
    addr: SocketAddr,
    admin_addr: SocketAddr,
    tls: bool,
    house: House,
    shards: Shards,
    /// Ends the public listener.
    stop: watch::Sender<bool>,
    listener: JoinSet<()>,
    /// Work that nobody waits for, cut off at the end.
    upkeep: JoinSet<()>,
    /// Held until the last file is closed.
    _folder: DataFolder,
}

/// What outlives any request and any game.
#[derive(Clone)]
struct House {
    clock: Clock,
    archive: Archive,
    accounts: Accounts,
    online: Sessions,
    rooms: Rooms,
    live: LiveGames,
    playing: Playing,
    chat: ChatLog,
    recorder: Recorder,
}

/// The listeners, bound and not yet served.
struct Listeners {
    public: TcpListener,
    addr: SocketAddr,
    tls: Option<TlsAcceptor>,
    admin: TcpListener,
    admin_addr: SocketAddr,
}

impl App {
    /// Starts everything. When this returns, players are served and every live game is recovered.
    /// What can fail for another process's sake fails first: the folder, then the addresses.
    pub async fn start(config: Config) -> Result<Running, StartError> {
        let folder = DataFolder::lock(&config.store.data)?;
        let listeners = Listeners::bind(&config).await?;
        let house = House::open(&config, &folder).await?;
        let journal = SqliteJournal::open(&folder.journal(), config.store.sync).await?;
        let shards = Shards::start(
            &config.game,
            house.clock.clone(),
            journal,
            house.archive.clone(),
            Arc::new(Noting {
                playing: house.playing.clone(),
                next: Listening {
                    live: house.live.clone(),
                    next: house.rooms.clone(),
                },
            }),
        )
        .await?;
        let mut running = Running {
            addr: listeners.addr,
            admin_addr: listeners.admin_addr,
            tls: listeners.tls.is_some(),
            house,
            shards,
            stop: watch::Sender::new(false),
            listener: JoinSet::new(),
            upkeep: JoinSet::new(),
            _folder: folder,
        };
        running.serve(listeners, config);
        Ok(running)
    }
}

impl House {
    async fn open(config: &Config, folder: &DataFolder) -> Result<House, StartError> {
        let recorder = Recorder::start();
        let path = folder.archive();
        let archive = Archive::open(&path)
            .await
            .map_err(|source| StartError::Archive { path, source })?;
        let clock = Clock::system();
        let online = Sessions::new(&config.gateway);
        let accounts = Accounts::open(
            archive.clone(),
            clock.clone(),
            config.accounts.clone(),
            online.clone(),
        )
        .await?;
        Ok(House {
            rooms: Rooms::new(&config.gateway, clock.clone()),
            live: LiveGames::default(),
            playing: Playing::default(),
            chat: ChatLog::new(archive.clone(), clock.clone()),
            recorder,
            clock,
            archive,
            accounts,
            online,
        })
    }
}

impl Listeners {
    async fn bind(config: &Config) -> Result<Listeners, StartError> {
        let (address, admin_address) = (config.server.listen, config.admin.listen);
        let failed = |address| move |source| StartError::Listen { address, source };
        let tls = match (&config.server.tls_cert, &config.server.tls_key) {
            (Some(cert), Some(key)) => Some(gateway::acceptor(cert, key)?),
            _ => None,
        };
        let public = gateway::listen(address, &config.gateway).map_err(failed(address))?;
        let admin = TcpListener::bind(admin_address).await;
        let admin = admin.map_err(failed(admin_address))?;
        Ok(Listeners {
            addr: public.local_addr().map_err(failed(address))?,
            admin_addr: admin.local_addr().map_err(failed(admin_address))?,
            public,
            tls,
            admin,
        })
    }
}

impl Running {
    fn serve(&mut self, listeners: Listeners, config: Config) {
        let house = &self.house;
        let games = Arc::new(self.shards.router().clone());
        let lobby = Lobby::new(lobby::Parts {
            config: config.lobby,
            clock: house.clock.clone(),
            sessions: house.online.clone(),
            games: games.clone(),
            names: Arc::new(house.accounts.clone()),
            playing: house.playing.clone(),
        });
        let desk = Arc::new(lobby.clone());
        let doors = Arc::new(Doors::new(config.gateway));
        let gateway = Gateway::new(
            doors.clone(),
            house.clock.clone(),
            house.online.clone(),
            house.rooms.clone(),
            Services {
                doorkeeper: Arc::new(house.accounts.clone()),
                games: games.clone(),
                records: Arc::new(house.archive.clone()),
                desk: desk.clone(),
                scribe: Arc::new(house.chat.clone()),
            },
        );
        let api = Api::new(Parts {
            accounts: house.accounts.clone(),
            archive: house.archive.clone(),
            games,
            live: house.live.clone(),
            desk,
            online: house.online.clone(),
            clock: house.clock.clone(),
            config: config.http,
            public_url: config.server.public_url,
        });
        let health = Health {
            archive: house.archive.clone(),
            games: self.shards.router().clone(),
            online: house.online.clone(),
            recorder: house.recorder.clone(),
        };
        let app = http::router(api).merge(gateway.routes());
        let stop = until(&self.stop);
        self.listener.spawn(gateway::serve(
            doors,
            listeners.public,
            listeners.tls,
            app,
            stop,
        ));
        self.upkeep.spawn(admin::serve(listeners.admin, health));
        self.upkeep.spawn(async move { gateway.tick().await });
        self.upkeep.spawn(house.accounts.clone().run());
        self.upkeep.spawn(lobby.run());
        self.upkeep.spawn(house.chat.clone().run());
        self.upkeep.spawn(house.recorder.clone().run());
    }

    /// Where players connect.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Where operators look.
    pub fn admin_addr(&self) -> SocketAddr {
        self.admin_addr
    }

    /// Whether players connect over TLS.
    pub fn speaks_tls(&self) -> bool {
        self.tls
    }

    /// The way to ask the owners of live games.
    pub fn games(&self) -> &Router {
        self.shards.router()
    }

    /// Waits until a part fails without which games cannot be served.
    pub async fn broken(&mut self) {
        self.shards.broken().await;
    }

    /// Stops gracefully: no new games and no new sockets, everyone is told and asked to come back,
    /// what waits is decided and stored, files are closed. Live games stay in the journal.
    pub async fn stop(mut self) {
        let House { online, .. } = &self.house;
        self.shards.router().drain();
        online.drain();
        online.announce(&ServerMessage::Notice(Notice {
            kind: NoticeKind::Draining,
            message: "The server restarts; games are kept, and clocks stand meanwhile.".to_owned(),
            at: None,
        }));
        self.stop.send_replace(true);
        online.close_all(CloseCode::Restart);
        online.all_closed().await;
        while self.listener.join_next().await.is_some() {}
        self.shards.stop().await;
        self.house.accounts.flush().await;
        self.house.chat.flush().await;
        self.upkeep.shutdown().await;
        self.house.archive.close().await;
    }
}

/// Ends when the stop begins.
fn until(stop: &watch::Sender<bool>) -> impl Future<Output = ()> + Send + 'static {
    let mut stopping = stop.subscribe();
    async move {
        // A sender that is gone has stopped too.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    }
}
