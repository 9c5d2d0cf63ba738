//! The settings in force, written as the file that would give them. No setting is a secret: keys are
//! made by the server itself and kept in the archive.

use std::fmt::Write;

use serde_json::Value;

use super::layers::Found;

pub(super) fn show(groups: &[(&'static str, Value)], found: &[Found]) -> String {
    let mut text = String::new();
    for (group, keys) in groups {
        let _ = writeln!(text, "[{group}]");
        for (key, value) in keys.as_object().into_iter().flatten() {
            let source = found
                .iter()
                .find(|entry| entry.group == *group && entry.key == *key);
            let source = source.map_or("default".to_owned(), |entry| entry.source.to_string());
            let line = match toml::Value::try_from(value) {
                Ok(value) => format!("{key} = {value}"),
                Err(_) => format!("# {key} is not set"),
            };
            let _ = writeln!(text, "{line:<48} # {source}");
        }
        text.push('\n');
    }
    text
}
