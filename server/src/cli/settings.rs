//! The flags that every command with settings has, and the layers below them.

use std::path::PathBuf;

use clap::Args;
use rookery_server::config::{Config, Inputs, Loaded};

use super::{Failure, exit};

/// The variable that names the file of settings when no flag does.
const FILE_VARIABLE: &str = "ROOKERY_CONFIG";

#[derive(Debug, Args)]
pub(crate) struct SettingsArgs {
    /// A file of settings (TOML); `rookery config show` prints one. Also: ROOKERY_CONFIG.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder of the stores [default: ./data]
    #[arg(long, value_name = "DIR")]
    data: Option<String>,
    /// Any other setting, as often as needed; also as ROOKERY_GROUP__KEY in the environment.
    #[arg(long, value_name = "GROUP.KEY=VALUE")]
    set: Vec<String>,
}

/// A flag that stands for a setting: its name, the setting, and its value if it was given.
pub(crate) type Flag = (&'static str, &'static str, Option<String>);

impl SettingsArgs {
    /// The settings in force, with the flags of the command itself on top.
    pub(crate) fn load(&self, flags: &[Flag]) -> Result<Loaded, Failure> {
        let usage = |problem: String| Failure::new(exit::USAGE, problem);
        let inputs = Inputs {
            file: self.file().map_err(usage)?,
            environment: environment(),
            flags: self.flags(flags).map_err(usage)?,
        };
        Config::load(inputs).map_err(|problems| usage(problems.to_string()))
    }

    fn file(&self) -> Result<Option<(PathBuf, String)>, String> {
        let named = || std::env::var_os(FILE_VARIABLE).map(PathBuf::from);
        let Some(path) = self.config.clone().or_else(named) else {
            return Ok(None);
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Some((path, text))),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    fn flags(&self, own: &[Flag]) -> Result<Vec<(String, String, String)>, String> {
        let mut flags = Vec::new();
        for set in &self.set {
            let (place, value) = set
                .split_once('=')
                .ok_or(format!("--set {set}: is written GROUP.KEY=VALUE"))?;
            flags.push(("--set".to_owned(), place.to_owned(), value.to_owned()));
        }
        let data: [Flag; 1] = [("--data", "store.data", self.data.clone())];
        for (flag, place, value) in data.iter().chain(own) {
            if let Some(value) = value {
                flags.push(((*flag).to_owned(), (*place).to_owned(), value.clone()));
            }
        }
        Ok(flags)
    }
}

/// The environment, without what is no text: no variable of ours is.
fn environment() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
