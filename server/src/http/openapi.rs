//! The OpenAPI 3.1 document, made from the list of operations and the types they name.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::error::{Code, ErrorBody};
use super::operation::{Access, Operation};
use super::routes::operations;
use super::{PREFIX, error};
use crate::gateway::Scope;

/// The document as it is committed and served.
pub fn openapi_text() -> String {
    let mut text = serde_json::to_string_pretty(&document()).expect("a document is plain JSON");
    text.push('\n');
    text
}

fn document() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into());
    let mut generator = SchemaGenerator::new(settings);
    let mut paths: Map<String, Value> = Map::new();
    for operation in operations() {
        let item = paths
            .entry(format!("{PREFIX}{}", operation.path))
            .or_insert_with(|| json!({}));
        let method = operation.method.as_str().to_ascii_lowercase();
        item[method] = describe(&operation, &mut generator);
    }
    let error_schema = generator.subschema_for::<ErrorBody>();
    generator.subschema_for::<Code>();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Rookery",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The REST interface of a rated chess server. Games are played over the WebSocket at /ws, see PROTOCOL.md.",
            "license": { "name": "AGPL-3.0-or-later", "identifier": "AGPL-3.0-or-later" },
        },
        "servers": [{ "url": "http://127.0.0.1:8080" }],
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "responses": {
                "Error": {
                    "description": "Why it was not done.",
                    "content": { "application/json": { "schema": error_schema } },
                },
            },
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A session's ticket, or a program's token (rk_…).",
                },
            },
        },
    })
}

fn describe(operation: &Operation, generator: &mut SchemaGenerator) -> Value {
    let mut described = json!({
        "operationId": operation_id(operation),
        "summary": operation.summary,
        "responses": responses(operation, generator),
    });
    let parameters = parameters(operation, generator);
    if !parameters.is_empty() {
        described["parameters"] = parameters.into();
    }
    if let Some(body) = operation.takes {
        let schema = body(generator);
        described["requestBody"] =
            json!({ "required": true, "content": { "application/json": { "schema": schema } } });
    }
    if operation.access != Access::Anyone {
        described["security"] = json!([{ "bearer": [] }]);
    }
    if let Access::Scope(scope) = operation.access {
        described["description"] = needed(scope).into();
    }
    described
}

/// What a credential needs, in the words of tokens.
const fn needed(scope: Scope) -> &'static str {
    match scope {
        Scope::Account => "Needs a session: no token allows this.",
        Scope::Read => "Needs a session, or a token with `account:read`.",
        Scope::Challenge => "Needs a player, or a token with `challenge`.",
        Scope::Play => "Needs a player, or a token with `play`.",
        Scope::Chat => "Needs a player, or a token with `chat`.",
    }
}

/// `get_games_game`, as no two operations share method and path.
fn operation_id(operation: &Operation) -> String {
    let method = operation.method.as_str().to_ascii_lowercase();
    let words = operation
        .path
        .split(['/', '{', '}'])
        .filter(|word| !word.is_empty());
    words.fold(method, |id, word| format!("{id}_{word}"))
}

fn parameters(operation: &Operation, generator: &mut SchemaGenerator) -> Vec<Value> {
    let in_path = operation.path.split('/').filter_map(|part| {
        let name = part.strip_prefix('{')?.strip_suffix('}')?;
        Some(
            json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }),
        )
    });
    let mut parameters: Vec<Value> = in_path.collect();
    for parameter in operation.query {
        parameters.push(json!({
            "name": parameter.name,
            "in": "query",
            "description": parameter.meaning,
            "schema": (parameter.schema)(generator),
        }));
    }
    parameters
}

fn responses(operation: &Operation, generator: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    let mut done = json!({ "description": "Done." });
    if let Some(answer) = operation.gives {
        let mut content = json!({ "application/json": { "schema": answer(generator) } });
        for kind in operation.also {
            content[kind] = json!({ "schema": { "type": "string" } });
        }
        done["content"] = content;
    }
    responses.insert(operation.status.as_str().to_owned(), done);
    let mut refusals: Vec<Code> = operation.errors.to_vec();
    refusals.extend(error::ALWAYS);
    if operation.access != Access::Anyone {
        refusals.extend(error::OF_ACCESS);
    }
    if operation.takes.is_some() {
        refusals.extend(error::OF_BODIES);
    }
    for refusal in refusals {
        let status = refusal.status().as_str().to_owned();
        let response = responses.entry(status).or_insert_with(
            || json!({ "$ref": "#/components/responses/Error", "description": "" }),
        );
        let told = response["description"].as_str().unwrap_or_default();
        let separator = if told.is_empty() { "" } else { ", " };
        response["description"] = format!("{told}{separator}`{}`", refusal.as_str()).into();
    }
    responses.into()
}
