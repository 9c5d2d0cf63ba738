#!/usr/bin/env bash
# Kills the server under live games at random instants, then takes its disk away for a while; both start
# servers of their own. Usage: scripts/crash.sh BIN-DIR [SEED]; a run names its seed.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=${1:?folder of the built programs}
seed=${2:+--seed $2}
games=loadtest/games/selfplay.pgn
# shellcheck disable=SC2086  # an empty seed is no argument
"$bin/rookery-loadtest" crash --server "$bin/rookery" --pgn "$games" --json $seed
# shellcheck disable=SC2086
"$bin/rookery-loadtest" full-disk --server "$bin/rookery" --pgn "$games" --json $seed
