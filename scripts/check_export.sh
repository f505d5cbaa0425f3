#!/usr/bin/env bash
# Proves exports with other people's software, from nothing: onnx and onnxruntime in Python, onnxruntime-web in Node, tract in Rust.
#
#     scripts/check_export.sh [--without-rust] [CHECKPOINT...]
#
# Every checkpoint is exported with 1,000 random positions and what our own network says about them; each runtime has to say the
# same to within 0.0001 and to find the same best action. Without checkpoints, one that has learned nothing is made for each of the
# four games, and one with convolutions for each that has a board. What is needed is installed into a scratch folder that is removed at the end; SCRATCH=FOLDER keeps and reuses one.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

rust=yes
if [ "${1:-}" = --without-rust ]; then rust=no; shift; fi
checkpoints=()
for checkpoint in "$@"; do checkpoints+=("$(realpath "$checkpoint")"); done

if [ -n "${SCRATCH:-}" ]; then
  mkdir -p "$SCRATCH"
  scratch=$(realpath "$SCRATCH")
else
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
fi
step() { echo "[$SECONDS s] $*"; }

cd "$root"
step "building nodarium"
cargo build --quiet --locked --workspace --bin nodarium --example fresh_checkpoint
nodarium=$root/target/debug/nodarium

step "exporting"
rm -rf "$scratch/checkpoints" "$scratch/exports"
mkdir -p "$scratch/checkpoints" "$scratch/exports"
if [ ${#checkpoints[@]} -eq 0 ]; then
  for game in shuter kato colony starduel; do
    "$root/target/debug/examples/fresh_checkpoint" "$game" "$scratch/checkpoints/$game"
    checkpoints+=("$scratch/checkpoints/$game")
  done
  for game in shuter kato colony connect_four; do
    "$root/target/debug/examples/fresh_checkpoint" "$game" "$scratch/checkpoints/$game-grid" 1 16 3 grid
    checkpoints+=("$scratch/checkpoints/$game-grid")
  done
  for game in shuter colony; do
    "$root/target/debug/examples/fresh_checkpoint" "$game" "$scratch/checkpoints/$game-direct" 1 64 3 direct
    checkpoints+=("$scratch/checkpoints/$game-direct")
  done
fi
number=0
for checkpoint in "${checkpoints[@]}"; do
  number=$((number + 1))
  "$nodarium" export "$checkpoint" --quiet --examples 1000 --out "$scratch/exports/$number"
done
"$nodarium" export "${checkpoints[0]}" --examples 1000 --f16 --out "$scratch/exports/f16"

step "Python: onnx.checker, onnxruntime"
[ -d "$scratch/python" ] || python3 -m venv "$scratch/python"
"$scratch/python/bin/pip" install --quiet --disable-pip-version-check onnx onnxruntime numpy
"$scratch/python/bin/python" scripts/check_onnx.py "$scratch"/exports/*

step "JavaScript: onnxruntime-web"
mkdir -p "$scratch/node"
(
  cd "$scratch/node"
  [ -d node_modules/onnxruntime-web ] || npm install --silent --no-audit --no-fund --ignore-scripts onnxruntime-web
  node "$root/scripts/check_onnx.mjs" "$scratch"/exports/*
)

if [ $rust = yes ]; then
  step "Rust: tract"
  cargo run --quiet --manifest-path scripts/check_onnx_rust/Cargo.toml --target-dir "$scratch/rust" -- "$scratch"/exports/*
fi

step "a frontend that knows only an exported folder"
if [ ! -d "$scratch/checkpoints/frontend" ]; then
  "$root/target/debug/examples/fresh_checkpoint" kato "$scratch/checkpoints/frontend"
fi
"$nodarium" export "$scratch/checkpoints/frontend" --quiet --out "$scratch/exports/frontend"
"$nodarium" simulate --game kato --games 2 --quiet --out "$scratch/games.jsonl"
"$scratch/python/bin/python" scripts/play_exported.py "$scratch/exports/frontend" "$scratch/games.jsonl" --moves 2
step "done"
