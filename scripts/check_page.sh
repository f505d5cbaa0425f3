#!/usr/bin/env bash
# Plays the games of `nodarium serve` in a real browser, from the page alone, and keeps a screenshot of each board.
# usage: scripts/check_page.sh [BINARY [SCREENSHOTS]]; needs npm, and brings Chromium where it is missing. Exit status 3: there
# is no browser to be had here, and nothing was tried.
set -euo pipefail
cd "$(dirname "$0")/.."
binary=${1:-target/debug/nodarium}
shots=${2:-}

if ! command -v chromium >/dev/null; then
  { apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } >/dev/null || exit 3
fi
scratch=$(mktemp -d)
server=
stop() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$scratch"
}
trap stop EXIT
cp scripts/check_page.mjs "$scratch/"
npm install --silent --no-audit --no-fund --prefix "$scratch" playwright-core@1.64.1 >/dev/null || exit 3

"$binary" serve --port 0 >"$scratch/address" &
server=$!
for _ in $(seq 100); do
  grep -q http:// "$scratch/address" && break
  sleep 0.1
done
address=$(grep -o 'http://[0-9.:]*' "$scratch/address")
node "$scratch/check_page.mjs" "$address" "${shots:-$scratch/shots}"
