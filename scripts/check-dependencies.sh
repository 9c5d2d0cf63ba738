#!/usr/bin/env bash
# Dependencies point one way (ARCHITECTURE.md, "Invariants of absence"); this fails when one turns round.
set -euo pipefail
cd "$(dirname "$0")/.."

fail=0
complain() {
    echo "dependency direction: $*" >&2
    fail=1
}

# Package $1, as it is built for use, must not reach package $2.
must_not_reach() {
    if cargo tree --locked -p "$1" -e normal --prefix none --format '{p}' | grep -q "^$2 v"; then
        complain "$1 reaches $2"
    fi
}

for outside in tokio serde_json rand getrandom tracing rookery-protocol; do
    must_not_reach rookery-core "$outside"
done
for outside in tokio shakmaty rookery-core; do
    must_not_reach rookery-protocol "$outside"
done
for package in rookery-core rookery-protocol rookery-loadtest; do
    must_not_reach "$package" rookery-server
done

# Only translate/ names both the wire and the referee.
for file in $(grep -rl 'rookery_protocol' server/src --include='*.rs' | grep -v '^server/src/translate/' || true); do
    if grep -q 'rookery_core::\(game\|board\|clock\|laws\|shard\)' "$file"; then
        complain "$file names both the wire and the referee; that is translate's business"
    fi
done

exit "$fail"
