#!/usr/bin/env bash
# Installs what building (or testing) needs where that is possible: Debian packages when root. Otherwise
# names exactly what is missing and stops. Usage: scripts/install.sh build|test
set -euo pipefail

purpose=${1:?build or test}
declare -A package_of=([cc]=gcc [pkg-config]=pkg-config)
[ "$purpose" = test ] && package_of+=([python3]=python3)

missing=()
for tool in "${!package_of[@]}"; do
    command -v "$tool" >/dev/null || missing+=("${package_of[$tool]}")
done
if [ "$purpose" = test ] && ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
    missing+=(python3-venv)
fi

if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing: ${missing[*]}"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    else
        echo "missing; as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
fi

if ! command -v cargo >/dev/null; then
    echo "missing: Rust $(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml) or newer (https://rustup.rs)" >&2
    exit 1
fi
