"""How long `nodarium engine` takes to answer: time from sending a line to the end of the answer.

    python measure_engine.py target/release/nodarium
"""

import subprocess
import sys
import time

engine = subprocess.Popen([sys.argv[1], "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def ask(line):
    start = time.perf_counter()
    engine.stdin.write(line + "\n")
    engine.stdin.flush()
    answer = []
    while (told := engine.stdout.readline()) != "\n":
        answer.append(told)
    return time.perf_counter() - start, "".join(answer)


print("| game | command | median, ms | 99 % within, ms | longest, ms | answers |")
print("|---|---|---|---|---|---|")
for game in ["shuter", "kato size=8", "colony players=4", "starduel"]:
    times = {"play": [], "show": [], "legal": []}
    for seed in range(20):
        ask(f"new {game} seed={seed}")
        while len(times["play"]) < 100 * (seed + 1):
            taken, moves = ask("legal")
            times["legal"].append(taken)
            moves = moves.removeprefix("=").split("\n")
            moves = [move.strip() for move in moves if move.strip()]
            if not moves:
                break
            move = moves[len(times["play"]) % len(moves)]
            taken, answer = ask(f"play {move}")
            assert answer.startswith("="), answer
            times["play"].append(taken)
            times["show"].append(ask("show all")[0])
    for command, taken in times.items():
        taken.sort()
        at = lambda share: 1e3 * taken[min(len(taken) - 1, int(share * len(taken)))]
        print(f"| {game} | `{command}` | {at(0.5):.3f} | {at(0.99):.3f} | {at(1):.3f} | {len(taken)} |")
ask("quit")
