//! The groups of settings that belong to no other module.

use std::net::SocketAddr;
use std::path::PathBuf;

use rookery_core::time::Millis;
use serde::{Deserialize, Serialize};

use super::SettingsGroup;
use crate::stores::journal::SyncMode;

/// The public listener and the process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServerConfig {
    /// Where players connect: HTTP and WebSocket on one port. Port 0 takes any free one.
    pub listen: SocketAddr,
    /// A certificate chain in PEM: the listener then speaks TLS.
    pub tls_cert: Option<PathBuf>,
    /// Its private key in PEM.
    pub tls_key: Option<PathBuf>,
    /// The address players know, as `https://chess.example.org`; named in PGN files.
    pub public_url: Option<String>,
    /// Threads that serve; 0 = one per core.
    pub threads: usize,
    /// How long a graceful stop may take; a supervisor usually kills after 10 s.
    pub stop_within_ms: Millis,
}

impl Default for ServerConfig {
    fn default() -> ServerConfig {
        ServerConfig {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            tls_cert: None,
            tls_key: None,
            public_url: None,
            threads: 0,
            stop_within_ms: Millis::from_secs(8),
        }
    }
}

/// More threads than this only get in each other's way.
const MAX_THREADS: usize = 512;

impl SettingsGroup for ServerConfig {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let mut problems = Vec::new();
        let mut wrong = |key, problem: &str| problems.push((key, problem.to_owned()));
        match (&self.tls_cert, &self.tls_key) {
            (Some(_), None) => wrong("tls_key", "must be set beside tls_cert"),
            (None, Some(_)) => wrong("tls_cert", "must be set beside tls_key"),
            _ => {}
        }
        for (key, file) in [("tls_cert", &self.tls_cert), ("tls_key", &self.tls_key)] {
            if file.as_ref().is_some_and(|path| !path.is_file()) {
                wrong(key, "there is no such file");
            }
        }
        if self.public_url.as_ref().is_some_and(|url| !is_base(url)) {
            wrong("public_url", "is written like https://chess.example.org");
        }
        if self.threads > MAX_THREADS {
            wrong("threads", "must be at most 512");
        }
        if self.stop_within_ms.is_zero() {
            wrong("stop_within_ms", "must not be 0");
        }
        problems
    }
}

fn is_base(url: &str) -> bool {
    let host = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    let allowed =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':' | b'[' | b']');
    host.is_some_and(|host| !host.is_empty() && host.bytes().all(allowed))
}

/// The listener for operators. It asks nobody who he is: keep it where only they can reach it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AdminConfig {
    /// Where `/livez`, `/readyz` and `/metrics` are.
    pub listen: SocketAddr,
}

impl Default for AdminConfig {
    fn default() -> AdminConfig {
        AdminConfig {
            listen: SocketAddr::from(([127, 0, 0, 1], 9080)),
        }
    }
}

impl SettingsGroup for AdminConfig {
    fn problems(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// What is kept, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StoreConfig {
    /// The folder of the embedded stores.
    pub data: PathBuf,
    /// What a stored move survives: `full` a power cut, `os` the end of the process.
    pub sync: SyncMode,
}

impl Default for StoreConfig {
    fn default() -> StoreConfig {
        StoreConfig {
            data: PathBuf::from("./data"),
            sync: SyncMode::default(),
        }
    }
}

impl SettingsGroup for StoreConfig {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let empty = self.data.as_os_str().is_empty();
        empty
            .then(|| ("data", "must name a folder".to_owned()))
            .into_iter()
            .collect()
    }
}

/// What is logged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LogConfig {
    /// A level, or a filter such as `info,rookery_server::gateway=debug`.
    pub level: String,
    /// How a line looks.
    pub format: LogFormat,
}

impl Default for LogConfig {
    fn default() -> LogConfig {
        LogConfig {
            level: "info".to_owned(),
            format: LogFormat::default(),
        }
    }
}

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

impl SettingsGroup for LogConfig {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let filter = tracing_subscriber::EnvFilter::try_new(&self.level);
        let wrong = filter
            .err()
            .map(|error| ("level", format!("is no filter: {error}")));
        wrong.into_iter().collect()
    }
}
