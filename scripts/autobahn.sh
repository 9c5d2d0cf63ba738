#!/usr/bin/env bash
# WebSocket conformance: the Autobahn cases against an echo made of the server's own listener, upgrade and
# socket. Left out are 12.* and 13.* (compression, which we do not offer). Fails when a case does.
set -euo pipefail
cd "$(dirname "$0")/.."

# One run of 301 cases takes about 10 s.
LIMIT=300

out=target/autobahn
venv=$out/venv
mkdir -p "$out"
rm -f "$out/address"
if [ ! -x "$venv/bin/kosoku" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check kosoku==0.1.0
fi

cargo build --locked -p rookery-server --example ws-echo
timeout "$LIMIT" target/debug/examples/ws-echo 127.0.0.1:0 >"$out/address" &
echo=$!
trap 'kill "$echo" 2>/dev/null || true' EXIT
until [ -s "$out/address" ]; do
    kill -0 "$echo" || { echo "the echo did not start" >&2; exit 1; }
    sleep 0.1
done

timeout "$LIMIT" "$venv/bin/kosoku" "$(cat "$out/address")" \
    --parallelism 2 --exclude '12.*' --exclude '13.*' --outdir "$out/report"
