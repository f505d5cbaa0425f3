"""Checks exported policies with other people's software: onnx.checker and onnxruntime.

    python check_onnx.py EXPORT...

For every folder that `nodarium export` wrote: the model is well formed, it has the inputs and outputs that policy.json
names, and on every recorded example its outputs are within 1e-4 of the recorded ones and its likeliest action is the
recorded one (or one whose share is as large to within 1e-6). Examples are asked one by one and all in one batch.
Needs onnx, onnxruntime and numpy.
"""

import hashlib
import json
import pathlib
import sys

import numpy as np
import onnx
import onnxruntime as ort

TOLERANCE = 1e-4
TIE = 1e-6


def check(folder):
    card = json.loads((folder / "policy.json").read_text())
    path = folder / card["model"]["file"]
    bytes_ = path.read_bytes()
    assert hashlib.sha256(bytes_).hexdigest() == card["model"]["sha256"], "the model is not the one of policy.json"
    model = onnx.load_from_string(bytes_)
    onnx.checker.check_model(model, full_check=True)
    assert model.opset_import[0].version == card["model"]["opset"]

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(bytes_, options, providers=["CPUExecutionProvider"])
    ports = lambda ports: [(port.name, list(port.shape)) for port in ports]
    told = lambda kind: [(port["name"], list(port["shape"])) for port in card["model"][kind]]
    assert ports(session.get_inputs()) == told("inputs"), ports(session.get_inputs())
    assert ports(session.get_outputs()) == told("outputs"), ports(session.get_outputs())

    examples = card["examples"]
    assert len(examples) >= 8, f"{len(examples)} examples"
    actions = card["actions"]["count"]
    assert len(card["actions"]["names"]) == actions == len(set(card["actions"]["names"]))
    fields = card["observation"]["fields"]
    ends = [field["offset"] + field["length"] for field in fields]
    assert [field["offset"] for field in fields] == [0] + ends[:-1] and ends[-1] == card["observation"]["length"]

    observation = np.array([example["observation"] for example in examples], np.float32)
    mask = np.zeros((len(examples), actions), bool)
    for row, example in zip(mask, examples):
        row[example["legal"]] = True
    expected = {name: np.array([example[name] for example in examples], np.float32)
                for name in ("logits", "policy", "value")}
    best = np.array([example["best"] for example in examples])

    names = ["logits", "policy", "value"]
    together = session.run(names, {"observation": observation, "mask": mask})
    apart = [session.run(names, {"observation": observation[i:i + 1], "mask": mask[i:i + 1]})
             for i in range(len(examples))]
    apart = [np.concatenate(rows) for rows in zip(*apart)]
    worst = 0.0
    for outputs in (together, apart):
        for name, output in zip(names, outputs):
            assert np.isfinite(output).all(), name
            worst = max(worst, float(np.abs(output - expected[name]).max()))
        policy = outputs[1]
        assert (policy[~mask] == 0).all(), "an illegal action has a share"
        assert np.allclose(policy.sum(axis=1), 1, atol=1e-5)
        chosen = policy.argmax(axis=1)
        rows = np.arange(len(examples))
        tied = expected["policy"][rows, best] - expected["policy"][rows, chosen] <= TIE
        assert tied.all(), f"{(~tied).sum()} of {len(examples)} best actions differ"
        same = int((chosen == best).sum())
    assert worst <= TOLERANCE, f"largest difference {worst}"
    print(f"{folder}: {card['game']['id']}, {len(examples)} examples, largest difference {worst:.1e}, "
          f"same best action in {same} (onnx {onnx.__version__}, onnxruntime {ort.__version__})")


for argument in sys.argv[1:] or sys.exit(__doc__):
    check(pathlib.Path(argument))
