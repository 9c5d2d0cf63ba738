//! Every setting, parsed and judged before anything is opened: defaults, a file, the environment, flags,
//! the later ones winning. All problems are found in one go. What a setting does is known to its group.

mod groups;
mod layers;
mod show;

#[cfg(test)]
mod tests;

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use groups::{AdminConfig, LogConfig, LogFormat, ServerConfig, StoreConfig};
pub use layers::{ENVIRONMENT_PREFIX, Inputs, Source};

use crate::accounts::AccountsConfig;
use crate::gateway::GatewayConfig;
use crate::http::HttpConfig;
use crate::lobby::LobbyConfig;
use crate::shards;
use layers::{Found, Layers};

/// A group of settings: a struct whose fields are the keys, `#[serde(default, deny_unknown_fields)]`.
pub trait SettingsGroup: Default + Serialize + DeserializeOwned {
    /// What cannot work although each key was read: key and reason.
    fn problems(&self) -> Vec<(&'static str, String)>;
}

impl SettingsGroup for GatewayConfig {
    fn problems(&self) -> Vec<(&'static str, String)> {
        let problems = GatewayConfig::problems(self).into_iter();
        problems
            .map(|wrong| (wrong.key, wrong.problem.to_owned()))
            .collect()
    }
}

impl SettingsGroup for shards::Settings {
    fn problems(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

macro_rules! groups {
    ($( $(#[$doc:meta])* $group:ident: $settings:ty, )+) => {
        /// Every setting, by group. A group is a table of the file.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Config {
            $( $(#[$doc])* pub $group: $settings, )+
        }

        impl Config {
            const GROUPS: &[&str] = &[$( stringify!($group), )+];

            fn read(layers: &mut Layers) -> Config {
                Config { $( $group: layers.read(stringify!($group)), )+ }
            }

            fn values(&self) -> Vec<(&'static str, serde_json::Value)> {
                vec![$( (stringify!($group), layers::keys_of(&self.$group).into()), )+]
            }
        }
    };
}

groups! {
    /// The public listener and the process.
    server: ServerConfig,
    /// The listener for operators.
    admin: AdminConfig,
    /// What is kept, and where.
    store: StoreConfig,
    /// Sign-up, passwords, sessions.
    accounts: AccountsConfig,
    /// The REST interface.
    http: HttpConfig,
    /// Sockets and their limits.
    gateway: GatewayConfig,
    /// The drivers of live games.
    game: shards::Settings,
    /// Where players meet.
    lobby: LobbyConfig,
    /// What is logged.
    log: LogConfig,
}

/// A configuration, and where each value that is no default came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The settings.
    pub config: Config,
    found: Vec<Found>,
}

impl Config {
    /// Puts the layers together.
    pub fn load(inputs: Inputs) -> Result<Loaded, Problems> {
        let mut layers = Layers::new(inputs, Config::GROUPS);
        let config = Config::read(&mut layers);
        layers.into_found().map(|found| Loaded { config, found })
    }
}

impl Loaded {
    /// The settings in force, as a file that could be given back, each with its source.
    pub fn show(&self) -> String {
        show::show(&self.config.values(), &self.found)
    }
}

/// Everything that is wrong with a configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems(pub Vec<String>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the configuration cannot be used:")?;
        self.0
            .iter()
            .try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

impl std::error::Error for Problems {}
