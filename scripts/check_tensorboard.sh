#!/bin/sh
# Reads the events of runs with TensorBoard's own EventAccumulator and compares them with metrics.jsonl.
#   scripts/check_tensorboard.sh runs/kuhn [more runs …]
# TensorBoard is installed into a folder of its own, target/tensorboard, the first time.
set -eu
here=$(dirname "$0")
place="$here/../target/tensorboard"
if [ ! -x "$place/bin/tensorboard" ]; then
    python3 -m venv "$place"
    # pkg_resources, which TensorBoard imports, left setuptools with version 81.
    "$place/bin/pip" install --quiet tensorboard 'setuptools<81'
fi
for run in "$@"; do
    "$place/bin/python" "$here/check_tensorboard.py" "$run"
done
