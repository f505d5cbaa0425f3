"""Positions a second of an exported policy in onnxruntime, on one thread.

    python time_onnx.py EXPORT [BATCH]
"""

import json
import pathlib
import sys
import time

import numpy as np
import onnxruntime as ort

folder = pathlib.Path(sys.argv[1])
batch = int(sys.argv[2]) if len(sys.argv) > 2 else 256
card = json.loads((folder / "policy.json").read_text())
options = ort.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
session = ort.InferenceSession(folder / card["model"]["file"], options, providers=["CPUExecutionProvider"])
rng = np.random.default_rng(0)
observation = rng.random((batch, card["observation"]["length"]), np.float32)
mask = rng.random((batch, card["actions"]["count"])) < 0.3
mask[:, 0] = True
feed = {"observation": observation, "mask": mask}
best = 0.0
end = time.monotonic() + 10
while time.monotonic() < end:
    # Seconds that a core worked for us, which other people's work on the machine changes little.
    before = time.thread_time()
    session.run(None, feed)
    best = max(best, batch / (time.thread_time() - before))
print(f"onnxruntime {ort.__version__}, one thread, batch {batch}: {best:.0f} positions/s")
