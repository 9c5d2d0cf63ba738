#!/usr/bin/env bash
# The driver simulation at length. Usage: scripts/sim.sh GAMES [SEED]; a failing seed is printed and
# replays with GAMES=1.
set -euo pipefail
cd "$(dirname "$0")/.."

export ROOKERY_SIM_GAMES=${1:?how many games}
[ -n "${2:-}" ] && export ROOKERY_SIM_SEED=$2
exec cargo test --locked --release -p rookery-server --test simulation -- --nocapture
