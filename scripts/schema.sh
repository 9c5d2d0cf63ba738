#!/usr/bin/env bash
# Writes the generated documents anew; tests fail when they drift from the types.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo run --locked -p rookery-protocol --features schema --example schema
cargo run --locked -p rookery-server --bin rookery -- openapi >server/openapi.json
