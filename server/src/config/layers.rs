//! File, environment and flags as one table of values that remember where they came from. Knows no
//! group and no key beyond their names.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Problems, SettingsGroup};

/// A variable of ours is `ROOKERY_GROUP__KEY`. The double underscore sets it apart from those that
/// orchestrators make of a service's name (`ROOKERY_PORT`, `ROOKERY_SERVICE_HOST`).
pub const ENVIRONMENT_PREFIX: &str = "ROOKERY_";

const SEPARATOR: &str = "__";

/// Where values are looked for.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The file's name, for messages, and its text.
    pub file: Option<(PathBuf, String)>,
    /// The environment; variables that are not ours are passed over.
    pub environment: Vec<(String, String)>,
    /// The name of a flag, the `group.key` it stands for, and its value.
    pub flags: Vec<(String, String, String)>,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The file.
    File(PathBuf),
    /// A variable of the environment.
    Environment(String),
    /// A flag of the command line.
    Flag(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => write!(f, "file {}", path.display()),
            Source::Environment(name) => write!(f, "environment {name}"),
            Source::Flag(name) => write!(f, "flag {name}"),
        }
    }
}

/// A value that was given, not yet understood.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) group: String,
    pub(super) key: String,
    pub(super) source: Source,
    given: Given,
}

#[derive(Clone, Debug)]
enum Given {
    /// A value with a type.
    Typed(Value),
    /// A text that may stand for any type.
    Text(String),
}

pub(super) struct Layers {
    found: Vec<Found>,
    problems: Vec<String>,
}

/// The keys of a group with their values; null stands for what is not set.
pub(super) fn keys_of<S: Serialize>(group: &S) -> Map<String, Value> {
    match serde_json::to_value(group) {
        Ok(Value::Object(keys)) => keys,
        _ => unreachable!("a group of settings is a struct with named fields"),
    }
}

impl Layers {
    pub(super) fn new(inputs: Inputs, groups: &[&str]) -> Layers {
        let mut layers = Layers {
            found: Vec::new(),
            problems: Vec::new(),
        };
        if let Some((path, text)) = inputs.file {
            layers.add_file(path, &text);
        }
        for (name, value) in inputs.environment {
            layers.add_variable(name, value);
        }
        for (flag, place, value) in inputs.flags {
            let source = Source::Flag(flag);
            match place.split_once('.') {
                Some((group, key)) => layers.put(group, key, source, Given::Text(value)),
                None => layers.problem(&place, &source, "a key is written group.key"),
            }
        }
        layers.refuse_unknown_groups(groups);
        layers
    }

    /// Reads one group: unknown keys, wrong types and impossible values become problems, and the
    /// default stands in for them.
    pub(super) fn read<S: SettingsGroup>(&mut self, group: &str) -> S {
        let defaults = keys_of(&S::default());
        let mut keys = defaults.clone();
        let found: Vec<Found> = self.of(group).cloned().collect();
        for entry in &found {
            match entry.fit::<S>(&defaults) {
                Ok(value) => {
                    keys.insert(entry.key.clone(), value);
                }
                Err(problem) => self.problem(&entry.place(), &entry.source, &problem),
            }
        }
        let settings: S = serde_json::from_value(keys.into())
            .expect("each key was read by itself, and keys are independent");
        for (key, problem) in settings.problems() {
            let place = format!("{group}.{key}");
            match found.iter().find(|entry| entry.key == key) {
                Some(entry) => self.problem(&place, &entry.source, &problem),
                None => self.problems.push(format!("{place}: {problem}")),
            }
        }
        settings
    }

    pub(super) fn into_found(self) -> Result<Vec<Found>, Problems> {
        if self.problems.is_empty() {
            Ok(self.found)
        } else {
            Err(Problems(self.problems))
        }
    }

    fn add_file(&mut self, path: PathBuf, text: &str) {
        let source = Source::File(path);
        let table: toml::Table = match text.parse() {
            Ok(table) => table,
            Err(error) => {
                let error: toml::de::Error = error;
                return self.problems.push(format!("{source}: {error}"));
            }
        };
        for (group, keys) in table {
            let toml::Value::Table(keys) = keys else {
                self.problem(&group, &source, "is no group; a key stands in a [group]");
                continue;
            };
            for (key, value) in keys {
                let value =
                    serde_json::to_value(value).expect("what TOML can say, JSON can say too");
                self.put(&group, &key, source.clone(), Given::Typed(value));
            }
        }
    }

    fn add_variable(&mut self, name: String, value: String) {
        let place = name
            .strip_prefix(ENVIRONMENT_PREFIX)
            .and_then(|rest| rest.split_once(SEPARATOR));
        if let Some((group, key)) = place {
            let (group, key) = (group.to_ascii_lowercase(), key.to_ascii_lowercase());
            self.put(&group, &key, Source::Environment(name), Given::Text(value));
        }
    }

    /// A later layer takes the place of an earlier one.
    fn put(&mut self, group: &str, key: &str, source: Source, given: Given) {
        self.found
            .retain(|entry| entry.group != group || entry.key != key);
        self.found.push(Found {
            group: group.to_owned(),
            key: key.to_owned(),
            source,
            given,
        });
    }

    fn refuse_unknown_groups(&mut self, groups: &[&str]) {
        let unknown: Vec<(String, Source)> = self
            .found
            .iter()
            .filter(|entry| !groups.contains(&entry.group.as_str()))
            .map(|entry| (entry.place(), entry.source.clone()))
            .collect();
        for (place, source) in unknown {
            self.problem(&place, &source, "there is no such group of settings");
        }
    }

    fn of<'a>(&'a self, group: &'a str) -> impl Iterator<Item = &'a Found> {
        self.found.iter().filter(move |entry| entry.group == group)
    }

    fn problem(&mut self, place: &str, source: &Source, problem: &str) {
        self.problems.push(format!("{place} ({source}): {problem}"));
    }
}

impl Found {
    fn place(&self) -> String {
        format!("{}.{}", self.group, self.key)
    }

    /// The value with the type that the key wants, tried by reading the group with this key alone.
    fn fit<S: SettingsGroup>(&self, defaults: &Map<String, Value>) -> Result<Value, String> {
        let Some(default) = defaults.get(&self.key) else {
            return Err("there is no such key".to_owned());
        };
        let mut refused = String::new();
        for candidate in self.candidates(default) {
            let mut keys = defaults.clone();
            keys.insert(self.key.clone(), candidate.clone());
            match serde_json::from_value::<S>(keys.into()) {
                Ok(_) => return Ok(candidate),
                Err(error) => refused = error.to_string(),
            }
        }
        Err(refused)
    }

    /// What the value may mean: a text is a TOML value, a list with commas, or itself.
    fn candidates(&self, default: &Value) -> Vec<Value> {
        let text = match &self.given {
            Given::Typed(value) => return vec![value.clone()],
            Given::Text(text) => text,
        };
        let written = format!("value = {text}").parse::<toml::Table>().ok();
        let typed = written.and_then(|table| serde_json::to_value(table.get("value")?).ok());
        let list = default
            .is_array()
            .then(|| text.split(',').map(str::trim).collect::<Value>());
        let itself = (!default.is_array()).then(|| Value::from(text.as_str()));
        [typed, list, itself].into_iter().flatten().collect()
    }
}
