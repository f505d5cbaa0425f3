"""Checks that TensorBoard itself reads what a run wrote, and that it agrees with metrics.jsonl.

    scripts/check_tensorboard.sh runs/kuhn
"""

import json
import math
import struct
import sys
from pathlib import Path

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator


def as_f32(number: float) -> float:
    """TensorBoard keeps scalars in 32 bits."""
    return struct.unpack("f", struct.pack("f", number))[0]


def expected(run: Path) -> dict[str, list[tuple[int, float]]]:
    """Every finite number of the metrics, by its name."""
    found: dict[str, list[tuple[int, float]]] = {}
    for line in (run / "metrics.jsonl").read_text().splitlines():
        numbers = json.loads(line)
        iteration = numbers.pop("iteration")
        for name, number in numbers.items():
            if number is not None:
                found.setdefault(name, []).append((iteration, as_f32(number)))
    return found


def main() -> int:
    run = Path(sys.argv[1])
    # 0 keeps every event; by default TensorBoard keeps a sample.
    events = EventAccumulator(str(run / "tensorboard"), size_guidance={"scalars": 0, "histograms": 0})
    events.Reload()
    tags = events.Tags()
    wanted = expected(run)
    problems = []
    if set(tags["scalars"]) != set(wanted):
        problems.append(f"names differ: {sorted(set(tags['scalars']) ^ set(wanted))}")
    compared = 0
    for name in sorted(set(tags["scalars"]) & set(wanted)):
        told = [(event.step, event.value) for event in events.Scalars(name)]
        compared += len(told)
        if told != wanted[name]:
            problems.append(f"{name}: TensorBoard has {len(told)} values, the metrics {len(wanted[name])}, or they differ")
    bars = 0
    for name in tags["histograms"]:
        steps = [event.step for event in events.Histograms(name)]
        if steps != sorted(set(steps)):
            problems.append(f"{name}: steps {steps} are not each there once")
        for event in events.Histograms(name):
            bars += 1
            histogram = event.histogram_value
            if not math.isclose(sum(histogram.bucket), histogram.num):
                problems.append(f"{name}: the bars of step {event.step} do not add up")
    if not tags["histograms"]:
        problems.append("no histograms")
    for problem in problems:
        print(f"{run}: {problem}")
    print(
        f"{run}: {len(wanted)} scalars with {compared} values, "
        f"{len(tags['histograms'])} histograms with {bars} values, {len(problems)} problems"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
