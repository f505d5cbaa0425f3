"""A frontend that knows nothing but an exported folder: picks moves for the positions of recorded games.

    nodarium simulate --game kato --games 3 --out games.jsonl
    nodarium export CHECKPOINT --out exported
    python play_exported.py exported games.jsonl

It reads policy.json, turns each position of the records into an observation by the layout that is written there, asks the model
and says what it would have played. A record says what was legal; the layout says which number is what. First it tests its own
encoding, and the model, on the recorded examples of policy.json. The encoding of kato is below; another game is one
more function, and the examples of its policy.json tell whether it is right.
Needs onnxruntime and numpy.
"""

import argparse
import json
import pathlib
import sys

import numpy as np
import onnxruntime as ort


class Policy:
    """An exported folder."""

    def __init__(self, folder):
        self.card = json.loads((folder / "policy.json").read_text())
        self.names = self.card["actions"]["names"]
        self.fields = {field["name"]: slice(field["offset"], field["offset"] + field["length"])
                       for field in self.card["observation"]["fields"]}
        self.encode = ENCODERS.get(self.card["game"]["id"])
        self.session = ort.InferenceSession(folder / self.card["model"]["file"])
        if self.encode is None:
            sys.exit(f"no encoding of {self.card['game']['id']} here; there are: {', '.join(ENCODERS)}")
        self.test()

    def observe(self, state, seat, legal):
        """The observation of a position of a record, for the seat to act."""
        observation = np.zeros(self.card["observation"]["length"], np.float32)
        for name, numbers in self.encode(state, seat, legal, self.card["game"]["rules"]).items():
            observation[self.fields[name]] = numbers
        return observation

    def ask(self, observation, legal):
        """The shares of all actions and the value of each seat, the seat to act first."""
        mask = np.zeros((1, len(self.names)), bool)
        mask[0, legal] = True
        policy, value = self.session.run(["policy", "value"], {"observation": observation[None], "mask": mask})
        return policy[0], value[0]

    def action(self, move):
        """The index of a move; in these games a move is written as its action is named."""
        return self.names.index(move)

    def choose(self, state, seat, moves):
        legal = [self.action(move) for move in moves]
        policy, value = self.ask(self.observe(state, seat, moves), legal)
        # With hidden information one draws instead: see usage.choosing.
        best = int(policy.argmax())
        return moves[legal.index(best)], float(policy[best]), value

    def test(self):
        for number, example in enumerate(self.card["examples"]):
            observation = self.observe(example["state"], example["seat"], example["moves"])
            wrong = np.flatnonzero(np.abs(observation - np.array(example["observation"], np.float32)) > 1e-6)
            if wrong.size:
                field = next(name for name, place in self.fields.items() if place.start <= wrong[0] < place.stop)
                sys.exit(f"example {number}: the encoding of `{field}` is wrong at number {wrong[0]}")
            policy, value = self.ask(observation, example["legal"])
            assert np.abs(policy - example["policy"]).max() < 1e-4 and np.abs(value - example["value"]).max() < 1e-4
        print(f"{len(self.card['examples'])} examples: the encoding and the model are right")


def grid(letters, own, other):
    """Two planes from a row of letters."""
    return {"own": [letter == own for letter in letters], "other": [letter == other for letter in letters]}


class Hexagon:
    """Kato's board: cells by three coordinates (y down, x right, z left) that sum to zero, row by row."""

    def __init__(self, size):
        edge = size - 1
        span = range(-edge, edge + 1)
        self.places = [(y, x, -x - y) for y in span for x in span if abs(x + y) <= edge]
        number = {place: cell for cell, place in enumerate(self.places)}
        steps = [(0, 1, -1), (1, 0, -1), (1, -1, 0), (0, -1, 1), (-1, 0, 1), (-1, 1, 0)]
        shifted = lambda place, step: tuple(a + b for a, b in zip(place, step))
        self.neighbours = [[number[shifted(place, step)] for step in steps if shifted(place, step) in number]
                           for place in self.places]
        # The sides that a cell is part of, clockwise from the top.
        self.sides = [{side for side, far in enumerate((-y, x, -z, y, -x, z)) if far == edge}
                      for y, x, z in self.places]
        self.outer = [cell for cell, sides in enumerate(self.sides) if sides]
        self.inner = [cell for cell, sides in enumerate(self.sides) if not sides]

    def lines(self, pieces):
        """On how many lines through each inner cell there is an anchor among the pieces."""
        anchors = [self.places[cell] for cell in self.outer if cell in pieces]
        found = [0] * len(self.places)
        for cell in self.inner:
            found[cell] = sum(any(anchor[axis] == self.places[cell][axis] for anchor in anchors) for axis in range(3))
        return found

    def connected(self, pieces, start):
        """Whether the group of a piece touches opposite sides, or three of which no two touch."""
        group, todo, sides = {start}, [start], set()
        while todo:
            cell = todo.pop()
            sides |= self.sides[cell]
            for near in self.neighbours[cell]:
                if near in pieces and near not in group:
                    group.add(near)
                    todo.append(near)
        return any({side, side + 3} <= sides for side in range(3)) or {0, 2, 4} <= sides or {1, 3, 5} <= sides


def encode_kato(state, seat, moves, rules):
    board = Hexagon(rules["size"])
    letters = "wb" if seat == 0 else "bw"
    cells = state["cells"]
    planes = grid(cells, *letters)
    for side, letter in zip(("own", "other"), letters):
        pieces = {cell for cell, found in enumerate(cells) if found == letter}
        lines = board.lines(pieces)
        planes[f"{side}.lines"] = [min(found, 2) / 2 for found in lines]
        planes[f"{side}.wins"] = [found == "." and board.connected(pieces | {cell}, cell)
                                  for cell, found in enumerate(cells)]
        planes[f"{side}.open"] = sum(cells[cell] == "." and lines[cell] >= 2 for cell in board.inner) / len(board.inner)
    names = [f"{chr(ord('a') + y + rules['size'] - 1)}{x - max(1 - rules['size'], 1 - rules['size'] - y) + 1}"
             for y, x, _ in board.places]
    planes["placeable"] = [name in moves for name in names]
    planes["phase"] = [state["phase"] == phase for phase in ("prepare", "anchor", "node")]
    planes["to_act"] = 1
    planes["swap"] = "swap" in moves
    planes["ring"] = sum(cells[cell] == "." for cell in board.outer) / len(board.outer)
    return planes


ENCODERS = {"kato": encode_kato}


def positions(record):
    """Every position of a record with who is to act, what was legal and what was played."""
    states = [record["start"]] + [ply["state"] for ply in record["plies"]]
    for state, ply in zip(states, record["plies"]):
        yield state, ply["seat"], ply["legal"], ply["move"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path, help="what nodarium export wrote")
    parser.add_argument("records", type=pathlib.Path, help="what nodarium simulate wrote")
    parser.add_argument("--moves", type=int, default=8, help="how many moves of each game are shown")
    arguments = parser.parse_args()
    policy = Policy(arguments.folder)
    asked = agreed = 0
    for number, line in enumerate(arguments.records.open(), 1):
        record = json.loads(line)
        game = policy.card["game"]
        if record["game"] != game["id"] or record["rules"] != game["rules"]:
            sys.exit(f"{arguments.records}, line {number}: {record['game']} {record['rules']}, "
                     f"expected {game['id']} {game['rules']}")
        for ply, (state, seat, legal, played) in enumerate(positions(record)):
            move, share, value = policy.choose(state, seat, legal)
            assert move in legal
            asked += 1
            agreed += move == played
            if ply < arguments.moves:
                print(f"game {number}, ply {ply + 1}: seat {seat} played {played}, the policy would play {move} "
                      f"({share:.0%}, expects {value[0]:+.2f})")
    print(f"{asked} positions, the policy would have played the same in {agreed}")


main()
