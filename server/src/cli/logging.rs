//! Where log lines go and how they look. They go to stderr: stdout is for what was asked for.

use std::io::IsTerminal;

use rookery_server::config::{LogConfig, LogFormat};
use tracing_subscriber::EnvFilter;

/// Sends what is logged from here on to stderr.
pub(crate) fn start(config: &LogConfig) {
    let filter = EnvFilter::try_new(&config.level).expect("the configuration was judged");
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    match config.format {
        LogFormat::Text => lines.init(),
        LogFormat::Json => lines.json().init(),
    }
}
