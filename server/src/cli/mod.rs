//! The command line: what is asked for, on which layers of settings, and with which exit code it ends.
//! What was asked for goes to stdout, everything else to stderr.

mod account;
mod logging;
mod password;
mod serve;
mod settings;

use std::fmt;
use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use settings::SettingsArgs;

/// Exit codes, as `sysexits.h` numbers them.
pub(crate) mod exit {
    /// The command line or the configuration is wrong.
    pub(crate) const USAGE: u8 = 64;
    /// What was given cannot be used: a name that is taken, a password that is too short.
    pub(crate) const DATA: u8 = 65;
    /// There is no such account.
    pub(crate) const NO_USER: u8 = 67;
    /// Something needed is not there: the folder is served already, the port is taken, a store is away.
    pub(crate) const UNAVAILABLE: u8 = 69;
    /// A fault of ours.
    pub(crate) const SOFTWARE: u8 = 70;
}

/// Why a command ended badly.
#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    pub(crate) fn new(code: u8, message: impl fmt::Display) -> Failure {
        Failure {
            code,
            message: message.to_string(),
        }
    }
}

/// A rated online chess server that is a true arbiter.
#[derive(Debug, Parser)]
#[command(name = "rookery", version, propagate_version = true)]
#[command(after_help = "Example:\n  rookery serve --listen 127.0.0.1:8080 --data ./data")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve players until told to stop (Ctrl-C or SIGTERM; a second one stops at once).
    Serve(serve::ServeArgs),
    /// Make accounts, passwords and tokens; works while the server runs.
    #[command(subcommand)]
    Account(account::AccountCommand),
    /// Look at the settings.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print the OpenAPI document of the REST interface.
    #[command(after_help = "Example:\n  rookery openapi > openapi.json")]
    Openapi,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Print the settings in force and where each came from; the output is a file for --config.
    #[command(after_help = "Example:\n  rookery config show --config /etc/rookery.toml")]
    Show(ShowArgs),
}

#[derive(Debug, Args)]
struct ShowArgs {
    #[command(flatten)]
    settings: SettingsArgs,
}

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(asked) => {
            let code = if asked.use_stderr() { exit::USAGE } else { 0 };
            // Nobody is left to tell when the terminal is gone.
            let _ = asked.print();
            return ExitCode::from(code);
        }
    };
    match cli.command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let _ = writeln!(std::io::stderr(), "rookery: {}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}

impl Command {
    fn run(self) -> Result<(), Failure> {
        match self {
            Command::Serve(args) => serve::run(&args),
            Command::Account(command) => account::run(command),
            Command::Config(ConfigCommand::Show(args)) => print(&args.settings.load(&[])?.show()),
            Command::Openapi => print(&rookery_server::http::openapi_text()),
        }
    }
}

/// Writes what was asked for.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::new(exit::SOFTWARE, format!("cannot write: {error}")))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound_and_every_command_has_an_example() {
        let mut command = Cli::command();
        command.build();
        command.clone().debug_assert();
        assert_examples(&command);
    }

    fn assert_examples(command: &clap::Command) {
        let leaf = command
            .get_subcommands()
            .all(|sub| sub.get_name() == "help");
        let help = command
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(
            !leaf || command.get_name() == "help" || help.contains("Example"),
            "{} has no example",
            command.get_name()
        );
        command
            .get_subcommands()
            .filter(|sub| sub.get_name() != "help")
            .for_each(assert_examples);
    }
}
