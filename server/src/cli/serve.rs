//! `rookery serve`: starts the server, says where it is and how to stop it, and waits for the signal.

use std::time::Duration;

use clap::Args;
use rookery_server::app::{App, Running, StartError};
use rookery_server::config::Config;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::settings::{Flag, SettingsArgs};
use super::{Failure, exit, logging, print};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  rookery serve --listen 127.0.0.1:8080 --data ./data
  rookery serve --listen 0.0.0.0:443 --tls-cert cert.pem --tls-key key.pem --data /var/lib/rookery
  rookery serve --trusted-proxy 10.0.0.0/8 --set gateway.guests_chat=true")]
pub(crate) struct ServeArgs {
    /// Where players connect, HTTP and WebSocket [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Where operators find /livez, /readyz and /metrics [default: 127.0.0.1:9080]
    #[arg(long, value_name = "ADDRESS")]
    admin_listen: Option<String>,
    /// A proxy whose word on a client's address is taken (PROXY v2, X-Forwarded-For); repeatable.
    #[arg(long, value_name = "CIDR")]
    trusted_proxy: Vec<String>,
    /// A certificate chain (PEM): speak TLS.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<String>,
    /// Its private key (PEM).
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<String>,
    /// A level or filter: error, warn, info, debug, trace [default: info]
    #[arg(long, value_name = "FILTER")]
    log_level: Option<String>,
    /// How log lines look: text or json [default: text]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<String>,
    #[command(flatten)]
    settings: SettingsArgs,
}

impl ServeArgs {
    fn flags(&self) -> Vec<Flag> {
        let proxies = (!self.trusted_proxy.is_empty()).then(|| self.trusted_proxy.join(","));
        vec![
            ("--listen", "server.listen", self.listen.clone()),
            ("--admin-listen", "admin.listen", self.admin_listen.clone()),
            ("--trusted-proxy", "gateway.trusted_proxies", proxies),
            ("--tls-cert", "server.tls_cert", self.tls_cert.clone()),
            ("--tls-key", "server.tls_key", self.tls_key.clone()),
            ("--log-level", "log.level", self.log_level.clone()),
            ("--log-format", "log.format", self.log_format.clone()),
        ]
    }
}

pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let config = args.settings.load(&args.flags())?.config;
    logging::start(&config.log);
    runtime(&config)?.block_on(serve(config))
}

/// The stock runtime looks at its global queue every 61 turns or so: saturated, a player whose socket
/// another thread woke waits half a second. Looking each turn cures it.
fn runtime(config: &Config) -> Result<tokio::runtime::Runtime, Failure> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    if config.server.threads > 0 {
        builder.worker_threads(config.server.threads);
    }
    builder
        .global_queue_interval(1)
        .enable_all()
        .build()
        .map_err(|error| Failure::new(exit::UNAVAILABLE, format!("no threads: {error}")))
}

async fn serve(config: Config) -> Result<(), Failure> {
    let within = Duration::from_millis(config.server.stop_within_ms.0);
    let mut stops = Stops::new()?;
    let mut running = App::start(config).await.map_err(start_failure)?;
    print(&greeting(&running))?;
    let broken = tokio::select! {
        () = stops.next() => false,
        () = running.broken() => true,
    };
    tracing::info!(broken, "stopping");
    tokio::select! {
        ended = tokio::time::timeout(within, running.stop()) => match ended {
            Ok(()) if broken => Err(Failure::new(exit::SOFTWARE, "a part of the server failed; its games are in the journal")),
            Ok(()) => Ok(()),
            Err(_) => Err(Failure::new(exit::SOFTWARE, "the stop took too long and was cut off; nothing acknowledged is lost")),
        },
        () = stops.next() => Err(Failure::new(exit::SOFTWARE, "stopped at once; nothing acknowledged is lost")),
    }
}

fn greeting(running: &Running) -> String {
    let scheme = if running.speaks_tls() {
        "https"
    } else {
        "http"
    };
    format!(
        "Rookery serves on {scheme}://{}\nOperators: http://{} (/livez, /readyz, /metrics)\nStop it with Ctrl-C.\n",
        running.addr(),
        running.admin_addr(),
    )
}

fn start_failure(error: StartError) -> Failure {
    Failure::new(exit::UNAVAILABLE, error)
}

/// The signals that ask for an end.
struct Stops {
    interrupt: Signal,
    terminate: Signal,
}

impl Stops {
    fn new() -> Result<Stops, Failure> {
        let listen = |kind| {
            signal(kind).map_err(|error| Failure::new(exit::SOFTWARE, format!("signals: {error}")))
        };
        Ok(Stops {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
