//! Writes `schema/rookery.v1.json` and `schema/asyncapi.json` anew:
//! `cargo run -p rookery-protocol --features schema --example schema`.

use std::path::Path;
use std::{fs, io};

use rookery_protocol::schema;

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    fs::create_dir_all(&folder)?;
    for (name, document) in [
        ("rookery.v1.json", schema::json_schema()),
        ("asyncapi.json", schema::asyncapi()),
    ] {
        fs::write(folder.join(name), format!("{document:#}\n"))?;
    }
    Ok(())
}
