//! The committed OpenAPI document is the one the server gives, and every operation of it is served.

use serde_json::Value;

use super::Site;
use crate::http::openapi_text;

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");

#[test]
fn the_committed_document_is_true() {
    let committed = std::fs::read_to_string(COMMITTED).unwrap_or_default();
    assert!(
        committed == openapi_text(),
        "server/openapi.json is not what the routes say: run `make schema`"
    );
}

#[tokio::test]
async fn every_operation_is_served() {
    let site = Site::open().await;
    let document: Value = serde_json::from_str(&openapi_text()).unwrap();
    let mut walked = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let path = path
            .split('/')
            .map(|part| if part.starts_with('{') { "x" } else { part });
        let path = path.collect::<Vec<_>>().join("/");
        for method in item.as_object().unwrap().keys() {
            let answer = site
                .client
                .send(&method.to_ascii_uppercase(), &path, "", &[], "")
                .await;
            let served =
                answer.status != 405 && !(answer.status == 404 && answer.code() == "not_found");
            assert!(served, "{method} {path}: {answer:?}");
            walked += 1;
        }
    }
    assert!(walked > 25, "{walked}");
}

/// Every reference leads somewhere.
#[test]
fn the_document_is_whole() {
    let document: Value = serde_json::from_str(&openapi_text()).unwrap();
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 50);
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                references.push(reference.clone());
            }
            fields.values().for_each(|field| collect(field, references));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, references)),
        _ => {}
    }
}
