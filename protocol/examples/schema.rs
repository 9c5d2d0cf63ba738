//! Writes `schema/rookery.v1.json`, `schema/asyncapi.json` and the tables of `PROTOCOL.md` anew:
//! `cargo run -p rookery-protocol --features schema --example schema`.

use std::path::Path;
use std::{fs, io};

use rookery_protocol::{page, schema};

fn main() -> io::Result<()> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = package.join("schema");
    for (name, document) in [
        ("rookery.v1.json", schema::json_schema()),
        ("asyncapi.json", schema::asyncapi()),
    ] {
        fs::write(folder.join(name), format!("{document:#}\n"))?;
    }
    let protocol = package.join("PROTOCOL.md");
    fs::write(&protocol, page::fill(&fs::read_to_string(&protocol)?))
}
