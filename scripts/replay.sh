#!/usr/bin/env bash
# Plays the committed games over sockets against a server of its own. Usage: scripts/replay.sh BIN-DIR
set -euo pipefail
cd "$(dirname "$0")/.."

bin=${1:?folder of the built programs}
data=$(mktemp -d)
log=$data/log
"$bin/rookery" serve --listen 127.0.0.1:0 --admin-listen 127.0.0.1:0 --data "$data/store" >"$log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; rm -rf "$data"' EXIT

address=
for _ in $(seq 100); do
    address=$(sed -n 's|.*http://\(127\.0\.0\.1:[0-9]*\).*|\1|p' "$log" | head -n 1)
    [ -n "$address" ] && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
done
if [ -z "$address" ]; then
    cat "$log" >&2
    exit 1
fi

"$bin/rookery-loadtest" replay --url "ws://$address/ws" --pgn loadtest/games/selfplay.pgn --json
