#!/usr/bin/env bash
# Everything CI runs, in stages; each reports its time, a failed one does not hide the others.
# Usage: scripts/test.sh [stage ...]
set -uo pipefail
cd "$(dirname "$0")/.."

export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never}
[ -n "${CI:-}" ] && export CARGO_INCREMENTAL=0

lint() {
    cargo fmt --all -- --check &&
        cargo clippy --locked --workspace --all-targets --all-features -- -D warnings &&
        RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps --document-private-items &&
        scripts/check-dependencies.sh
}

# Unit, property, scenario, simulation and in-process wire tests.
unit() {
    cargo test --locked --workspace --all-features
}

# The built programs, as a user meets them.
programs() {
    cargo build --locked -p rookery-server -p rookery-loadtest
}

# Whole games of a file played over sockets, then again while the server is killed.
replay() {
    programs && scripts/replay.sh target/debug
}

crash() {
    programs && scripts/crash.sh target/debug
}

# WebSocket conformance of our own socket code.
autobahn() {
    scripts/autobahn.sh
}

stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(lint unit replay crash autobahn)

passed=0
failed=0
summary=
for stage in "${stages[@]}"; do
    printf '\n== %s\n' "$stage"
    started=$SECONDS
    if "$stage"; then
        verdict=ok
        passed=$((passed + 1))
    else
        verdict=FAILED
        failed=$((failed + 1))
    fi
    summary+=$(printf '%-10s %-7s %4d s' "$stage" "$verdict" $((SECONDS - started)))$'\n'
done

printf '\n%s\n%d passed, %d failed\n' "$summary" "$passed" "$failed"
[ "$failed" -eq 0 ]
