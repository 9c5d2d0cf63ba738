//! The tables of `PROTOCOL.md`, made from the source. The prose between them is written by hand.
//! Built only with the feature `schema`.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::schema::{definitions, messages};
use crate::{CloseCode, ErrorCode, Reconnect, Retry, limits};

/// The page with every table between `<!-- table: NAME -->` and `<!-- end -->` made anew.
///
/// # Panics
/// When a marker names no table or is not closed.
pub fn fill(page: &str) -> String {
    const OPEN: &str = "<!-- table: ";
    const CLOSE: &str = "<!-- end -->";
    let mut filled = String::new();
    let mut rest = page;
    while let Some(start) = rest.find(OPEN) {
        let (before, marked) = rest.split_at(start);
        let (marker, body) = marked.split_once('\n').expect("a marker has its own line");
        let name = marker.trim_start_matches(OPEN).trim_end_matches(" -->");
        let end = body.find(CLOSE).expect("a table is closed");
        let _ = write!(filled, "{before}{marker}\n{}", table(name));
        rest = &body[end..];
    }
    filled + rest
}

fn table(name: &str) -> String {
    let schemas = definitions();
    match name {
        "requests" => message_table(&schemas, "ClientMessage", &[]),
        "answers" => message_table(&schemas, "ServerMessage", &["Event"]),
        "events" => message_table(&schemas, "Event", &[]),
        "types" => type_table(&schemas),
        "words" => word_table(&schemas),
        "errors" => error_table(),
        "closes" => close_table(),
        "limits" => limit_table(),
        unknown => panic!("no table is called {unknown}"),
    }
}

fn rows(head: &[&str], body: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head_line = line(head.iter().map(|cell| (*cell).to_owned()).collect());
    let rule = line(vec!["---".to_owned(); head.len()]);
    body.into_iter()
        .fold(head_line + &rule, |table, cells| table + &line(cells))
}

fn message_table(schemas: &Map<String, Value>, family: &str, without: &[&str]) -> String {
    let left_out: Vec<String> = without
        .iter()
        .flat_map(|family| messages(schemas, family))
        .map(|(tag, _)| tag)
        .collect();
    let shown = messages(schemas, family)
        .into_iter()
        .filter(|(tag, _)| !left_out.contains(tag));
    rows(
        &["`t`", "fields", "meaning"],
        shown.map(|(tag, message)| {
            let payload = &message["payload"];
            let fields = fields_of(schemas, payload);
            vec![format!("`{tag}`"), fields, text(&payload["description"])]
        }),
    )
}

/// `game` GameId, `offer`? boolean, …: a question mark where a field may be absent.
fn fields_of(schemas: &Map<String, Value>, payload: &Value) -> String {
    let referred = payload["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next());
    let holder = referred.map_or(payload, |name| &schemas[name]);
    let required = |name: &str| {
        let names = holder["required"].as_array();
        names.is_some_and(|names| names.iter().any(|known| known == name))
    };
    let fields = holder["properties"].as_object().into_iter().flatten();
    let shown = fields
        .filter(|(name, _)| *name != "t")
        .map(|(name, schema)| {
            let mark = if required(name) { "" } else { "?" };
            format!("`{name}`{mark} {}", kind_of(schema))
        });
    shown.collect::<Vec<_>>().join(", ")
}

fn kind_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next())
    {
        return name.to_owned();
    }
    if let Some(either) = schema["anyOf"].as_array() {
        return either
            .iter()
            .map(kind_of)
            .filter(|kind| kind != "null")
            .collect::<Vec<_>>()
            .join(" or ");
    }
    match &schema["type"] {
        Value::String(kind) if kind == "array" => format!("list of {}", kind_of(&schema["items"])),
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) => {
            let named = kinds
                .iter()
                .filter_map(Value::as_str)
                .filter(|kind| *kind != "null");
            named.collect::<Vec<_>>().join(" or ")
        }
        _ => String::new(),
    }
}

/// The objects that messages are made of.
fn type_table(schemas: &Map<String, Value>) -> String {
    let families = ["ClientMessage", "ServerMessage", "Event"];
    let spoken: Vec<String> = families
        .iter()
        .flat_map(|family| contents(&schemas[*family]))
        .collect();
    let parts = schemas.iter().filter(|(name, schema)| {
        !spoken.contains(name)
            && (schema["properties"].is_object() || schema["pattern"].is_string())
    });
    rows(
        &["type", "fields, or form", "meaning"],
        parts.map(|(name, schema)| {
            let form = match schema["pattern"].as_str() {
                Some(pattern) => format!("string `{}`", pattern.replace('|', "\\|")),
                None => fields_of(schemas, schema),
            };
            vec![name.clone(), form, text(&schema["description"])]
        }),
    )
}

/// The structs that are whole messages: shown in the tables of messages.
fn contents(family: &Value) -> Vec<String> {
    let kinds = ["oneOf", "anyOf"]
        .iter()
        .filter_map(|kind| family[kind].as_array())
        .flatten();
    let paths = kinds.filter_map(|kind| kind["$ref"].as_str());
    paths
        .filter_map(|path| path.rsplit('/').next())
        .map(str::to_owned)
        .collect()
}

/// The closed lists of words.
fn word_table(schemas: &Map<String, Value>) -> String {
    let lists = schemas.iter().filter(|(name, _)| *name != "ErrorCode");
    let words = lists.flat_map(|(name, schema)| {
        let choices = schema["oneOf"].as_array().into_iter().flatten();
        choices
            .filter(|choice| choice["const"].is_string())
            .map(|choice| {
                let word = format!("`{}`", choice["const"].as_str().unwrap_or_default());
                vec![name.clone(), word, text(&choice["description"])]
            })
    });
    rows(&["type", "word", "meaning"], words)
}

fn error_table() -> String {
    let retry = |code: ErrorCode| match code.retry() {
        Retry::No => "no",
        Retry::SameId => "yes, same `id`",
        Retry::Later => "later, new `id`",
    };
    rows(
        &["`code`", "meaning", "retry", "`article`"],
        ErrorCode::ALL.iter().map(|code| {
            vec![
                format!("`{}`", code.as_str()),
                code.meaning().to_owned(),
                retry(*code).to_owned(),
                code.article().unwrap_or_default().to_owned(),
            ]
        }),
    )
}

fn close_table() -> String {
    let reconnect = |code: CloseCode| match code.reconnect() {
        Reconnect::AtOnce => "at once".to_owned(),
        Reconnect::After { least, most } => {
            format!("after {}-{} s, at random", least / 1000, most / 1000)
        }
        Reconnect::Never => "no".to_owned(),
    };
    rows(
        &["code", "reason", "meaning", "reconnect"],
        CloseCode::ALL.iter().map(|code| {
            let reason = format!("`{}`", code.reason());
            vec![
                code.code().to_string(),
                reason,
                code.meaning().to_owned(),
                reconnect(*code),
            ]
        }),
    )
}

fn limit_table() -> String {
    rows(
        &["limit", "default", "meaning"],
        limits::ALL.iter().map(|(name, value, meaning)| {
            vec![
                format!("`{name}`"),
                value.to_string(),
                (*meaning).to_owned(),
            ]
        }),
    )
}

fn text(description: &Value) -> String {
    description
        .as_str()
        .unwrap_or_default()
        .replace('\n', " ")
        .replace('|', "\\|")
}
