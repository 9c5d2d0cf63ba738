//! A server of our own, on a private port and a private folder: started, killed, told to stop, given
//! no space. Knows its command line and nothing of its inside.

use std::collections::VecDeque;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

use crate::client::Target;

/// How long a server may take until it listens, recovery included.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// How often it is looked at while it starts; bounds how well its return is dated.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How long a graceful stop may take: more than the server grants itself.
const STOP_TIMEOUT: Duration = Duration::from_secs(20);

/// Lines of the server's log kept for whoever has to find out what happened.
const LOG_LINES: usize = 60;

/// The limits that a whole test of one machine would meet, because all its players share an address.
const ROOMY: [(&str, &str); 4] = [
    ("ROOKERY_GATEWAY__MAX_SOCKETS_PER_ADDRESS", "4000"),
    ("ROOKERY_GATEWAY__MAX_CONNECTIONS_PER_ADDRESS", "8000"),
    ("ROOKERY_HTTP__REQUEST_BURST", "4000"),
    ("ROOKERY_HTTP__REQUESTS_PER_SECOND", "1000"),
];

/// Ignores the signal of a file that would grow too large, so that the write fails instead, as it does
/// on a full disk.
const WITHOUT_SIZE_SIGNAL: &str = r#"trap "" XFSZ; exec "$@""#;

/// Where a server lives and how it is started.
#[derive(Debug)]
pub struct Rig {
    binary: PathBuf,
    data: PathBuf,
    port: u16,
    settings: Vec<(String, String)>,
    log: Log,
}

/// A server that runs; killed when dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
}

/// A server that does not do what it is told.
#[derive(Debug, thiserror::Error)]
pub enum RigError {
    /// A system call failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The program could not be started.
    #[error("{}: {}", .0.display(), .1)]
    Start(PathBuf, std::io::Error),
    /// It ended at once.
    #[error("the server ended with {0}:\n{1}")]
    Ended(ExitStatus, String),
    /// It does not listen.
    #[error("the server does not listen after {} s:\n{log}", START_TIMEOUT.as_secs())]
    Silent {
        /// Its last words.
        log: String,
    },
    /// It does not stop.
    #[error("the server did not stop within {} s", STOP_TIMEOUT.as_secs())]
    Stays,
    /// `prlimit` or `kill` failed.
    #[error("{0} failed with {1}")]
    Tool(&'static str, ExitStatus),
}

impl Rig {
    /// A server of this program over this folder, on a port that was free just now.
    pub fn new(binary: &Path, data: &Path) -> Result<Rig, RigError> {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?
            .local_addr()?
            .port();
        let settings = ROOMY
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec();
        Ok(Rig {
            binary: binary.to_owned(),
            data: data.to_owned(),
            port,
            settings,
            log: Log::default(),
        })
    }

    /// Sets `group.key` by the environment.
    pub fn set(&mut self, group: &str, key: &str, value: impl ToString) {
        let name = format!(
            "ROOKERY_{}__{}",
            group.to_ascii_uppercase(),
            key.to_ascii_uppercase()
        );
        self.settings.retain(|(known, _)| *known != name);
        self.settings.push((name, value.to_string()));
    }

    /// Where its clients find it.
    pub fn target(&self) -> Target {
        Target::parse(&format!("ws://127.0.0.1:{}", self.port)).expect("written as a target is")
    }

    /// Its folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The last lines it has logged.
    pub fn log(&self) -> String {
        self.log.text()
    }

    /// Starts it and waits until it listens; also says when it did not listen yet (Unix ms).
    pub async fn start(&self) -> Result<(Running, u64), RigError> {
        let mut running = self.spawn()?;
        let give_up = Instant::now() + START_TIMEOUT;
        let mut not_yet = now_ms();
        loop {
            let asked = now_ms();
            if TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))
                .await
                .is_ok()
            {
                return Ok((running, not_yet));
            }
            not_yet = asked;
            if let Some(status) = running.child.try_wait()? {
                return Err(RigError::Ended(status, self.log()));
            }
            if Instant::now() > give_up {
                return Err(RigError::Silent { log: self.log() });
            }
            sleep(LOOK_EVERY).await;
        }
    }

    /// Starts it without waiting for anything.
    pub fn spawn(&self) -> Result<Running, RigError> {
        let mut command = Command::new("sh");
        command
            .args(["-c", WITHOUT_SIZE_SIGNAL, "sh"])
            .arg(&self.binary);
        command.args(["serve", "--listen", &format!("127.0.0.1:{}", self.port)]);
        command
            .args(["--admin-listen", "127.0.0.1:0", "--data"])
            .arg(&self.data);
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let mut child = command
            .spawn()
            .map_err(|error| RigError::Start(self.binary.clone(), error))?;
        self.log.follow(child.stdout.take());
        self.log.follow(child.stderr.take());
        Ok(Running { child })
    }
}

impl Running {
    /// `kill -9`; gives the instant at which the process is known to be dead (Unix ms).
    pub async fn kill(mut self) -> Result<u64, RigError> {
        self.child.kill().await?;
        Ok(now_ms())
    }

    /// `kill -TERM`, and how the process then ended.
    pub async fn stop(&mut self) -> Result<ExitStatus, RigError> {
        let pid = self.pid().to_string();
        tool("kill", &["-TERM", &pid]).await?;
        Ok(timeout(STOP_TIMEOUT, self.child.wait())
            .await
            .map_err(|_| RigError::Stays)??)
    }

    /// How the process ended by itself.
    pub async fn ended(&mut self) -> Result<ExitStatus, RigError> {
        Ok(timeout(STOP_TIMEOUT, self.child.wait())
            .await
            .map_err(|_| RigError::Stays)??)
    }

    /// From now on no file of the process can be written to, as if its disk were full; or again.
    pub async fn disk_full(&self, full: bool) -> Result<(), RigError> {
        let limit = if full {
            "--fsize=0:"
        } else {
            "--fsize=unlimited:"
        };
        tool("prlimit", &["--pid", &self.pid().to_string(), limit]).await
    }

    /// The number of the process.
    pub fn pid(&self) -> u32 {
        self.child
            .id()
            .expect("the process has not been waited for")
    }
}

async fn tool(name: &'static str, arguments: &[&str]) -> Result<(), RigError> {
    let status = Command::new(name)
        .args(arguments)
        .stdin(Stdio::null())
        .status()
        .await?;
    if status.success() {
        Ok(())
    } else {
        Err(RigError::Tool(name, status))
    }
}

/// This machine's time, Unix ms: the server's own clock starts from the same.
pub fn now_ms() -> u64 {
    std::time::UNIX_EPOCH
        .elapsed()
        .map_or(0, |since| since.as_millis() as u64)
}

/// The last lines of a server's output, over all its lives.
#[derive(Clone, Debug, Default)]
struct Log(Arc<Mutex<VecDeque<String>>>);

impl Log {
    fn follow(&self, output: Option<impl AsyncRead + Send + Unpin + 'static>) {
        let Some(output) = output else { return };
        let log = self.clone();
        tokio::spawn(async move {
            let mut lines = BufReader::new(output).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                log.push(line);
            }
        });
    }

    fn push(&self, line: String) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == LOG_LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    fn text(&self) -> String {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}
