//! The machine-readable descriptions of the protocol, made from the types: a JSON Schema of every
//! frame, and an AsyncAPI 3 document of who sends which. Built only with the feature `schema`.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::{ClientMessage, SUBPROTOCOL, ServerMessage};

/// Where the schema's definitions of single types live.
const DEFS: &str = "#/$defs/";

/// The same in the AsyncAPI document.
const COMPONENTS: &str = "#/components/schemas/";

/// The JSON Schema (draft 2020-12): a frame is a `ClientMessage` or a `ServerMessage`.
pub fn json_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:rookery:rookery.v1",
        "title": "A frame of rookery.v1",
        "anyOf": [
            { "$ref": format!("{DEFS}ClientMessage") },
            { "$ref": format!("{DEFS}ServerMessage") },
        ],
        "$defs": definitions(),
    })
}

/// The AsyncAPI 3.0 document, seen from a client: it sends requests and receives the rest.
pub fn asyncapi() -> Value {
    let mut schemas = definitions();
    let sent = messages(&schemas, "ClientMessage");
    let received = messages(&schemas, "ServerMessage");
    let names = |messages: &[(String, Value)]| -> Vec<Value> {
        let reference =
            |(tag, _): &(String, Value)| json!({ "$ref": format!("#/channels/ws/messages/{tag}") });
        messages.iter().map(reference).collect()
    };
    let (send, receive) = (names(&sent), names(&received));
    for family in ["ClientMessage", "ServerMessage"] {
        schemas.remove(family);
    }
    let messages: Map<String, Value> = sent.into_iter().chain(received).collect();
    let mut document = json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Rookery's WebSocket protocol",
            "version": "1.0.0",
            "description": "See PROTOCOL.md. One JSON object a text frame; `t` names the message.",
            "license": { "name": "AGPL-3.0-or-later" },
        },
        "defaultContentType": "application/json",
        "servers": {
            "local": { "host": "127.0.0.1:8080", "protocol": "ws", "description": "as `make run` serves it" },
        },
        "channels": {
            "ws": {
                "address": "/ws",
                "description": format!("subprotocol `{SUBPROTOCOL}`"),
                "messages": messages,
            },
        },
        "operations": {
            "request": {
                "action": "send",
                "channel": { "$ref": "#/channels/ws" },
                "messages": send,
            },
            "hear": {
                "action": "receive",
                "channel": { "$ref": "#/channels/ws" },
                "messages": receive,
            },
        },
        "components": { "schemas": schemas },
    });
    repoint(&mut document);
    document
}

/// The schema of every type by name.
pub(crate) fn definitions() -> Map<String, Value> {
    let mut generator = SchemaGenerator::new(SchemaSettings::draft2020_12());
    generator.subschema_for::<ClientMessage>();
    generator.subschema_for::<ServerMessage>();
    generator.take_definitions(true)
}

/// The single messages of a family, by tag, families inside it included.
pub(crate) fn messages(schemas: &Map<String, Value>, family: &str) -> Vec<(String, Value)> {
    let schema = &schemas[family];
    let kinds = ["oneOf", "anyOf"]
        .iter()
        .filter_map(|kind| schema[kind].as_array())
        .flatten();
    kinds.flat_map(|kind| single(schemas, kind)).collect()
}

fn single(schemas: &Map<String, Value>, kind: &Value) -> Vec<(String, Value)> {
    let Some(tag) = kind["properties"]["t"]["const"].as_str() else {
        let family = kind["$ref"]
            .as_str()
            .and_then(|path| path.strip_prefix(DEFS));
        return messages(
            schemas,
            family.expect("what has no `t` is a family of its own"),
        );
    };
    let summary = kind["description"].as_str().unwrap_or_default();
    vec![(
        tag.to_owned(),
        json!({ "name": tag, "summary": summary, "payload": kind }),
    )]
}

/// Points references into the document they now stand in.
fn repoint(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(path)) = fields.get_mut("$ref") {
                *path = path.replace(DEFS, COMPONENTS);
            }
            fields.values_mut().for_each(repoint);
        }
        Value::Array(items) => items.iter_mut().for_each(repoint),
        _ => {}
    }
}
