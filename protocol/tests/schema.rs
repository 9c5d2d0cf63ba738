//! The committed descriptions are those of the types.

use std::fs;
use std::path::Path;

use rookery_protocol::schema;
use serde_json::Value;

fn check(name: &str, made: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("schema")
        .join(name);
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == format!("{made:#}\n"),
        "schema/{name} has drifted: cargo run -p rookery-protocol --features schema --example schema"
    );
}

#[test]
fn the_json_schema_is_that_of_the_types() {
    check("rookery.v1.json", &schema::json_schema());
}

#[test]
fn the_asyncapi_document_is_that_of_the_types() {
    check("asyncapi.json", &schema::asyncapi());
}
