#!/usr/bin/env python3
"""Draws how trained policies grew stronger: one line a policy, its score against a bot over the plies of self-play.

    scripts/draw_curves.py [--against greedy] --out docs/strength.svg CURVE.json...

A curve is what `scripts/draw_curves.py --extract RUN/metrics.jsonl > CURVE.json` takes from a run: the name of the folder it is written
to names the line. Needs nothing but Python.
"""
import argparse
import itertools
import json
import math
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 380, 56, 150, 20, 48
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#6b6b6b", "#8c564b", "#1a1a1a", "#9467bd"]


def extract(path):
    points = []
    for line in Path(path).read_text().splitlines():
        row = json.loads(line)
        scores = {key.split("/")[1]: round(value, 4) for key, value in row.items() if key.startswith("strength/") and key.endswith("/score")}
        if scores:
            points.append({"iteration": row["iteration"], "plies": int(row["progress/plies"]), "scores": scores})
    return points


def draw(curves, bot):
    lines = {name: [(p["plies"], p["scores"][bot]) for p in points if bot in p["scores"]] for name, points in curves.items()}
    lines = {name: points for name, points in lines.items() if points}
    if not lines:
        sys.exit(f"no curve has a score against {bot}")
    low = math.log10(min(points[0][0] for points in lines.values()))
    high = math.log10(max(points[-1][0] for points in lines.values()))
    x = lambda plies: LEFT + (math.log10(plies) - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    y = lambda score: TOP + (1 - score) * (HEIGHT - TOP - BOTTOM)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" role="img">',
           f"<title>Score against {bot} over the plies of self-play</title>",
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    for score in (0, 0.25, 0.5, 0.75, 1):
        out.append(f'<path d="M{LEFT} {y(score):.1f}H{WIDTH - RIGHT}" stroke="{"#999999" if score == 0.5 else "#e2e2e2"}"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(score) + 4:.1f}" text-anchor="end" fill="#333333">{score:g}</text>')
    for power in range(math.floor(low), math.floor(high) + 1):
        for step in (1, 3):
            plies = step * 10**power
            if low <= math.log10(plies) <= high:
                label = f"{plies // 10**6} M" if plies >= 10**6 else f"{plies // 10**3} k"
                out.append(f'<text x="{x(plies):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle" fill="#333333">{label}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle" fill="#333333">plies of self-play</text>')
    # Names stand at the ends of their lines, apart from each other.
    ends = sorted(((y(points[-1][1]), name) for name, points in lines.items()))
    places, last = {}, -1e9
    for place, name in ends:
        last = max(place, last + 16)
        places[name] = last
    for colour, (name, points) in zip(itertools.cycle(COLOURS), lines.items()):
        path = " ".join(f"{x(plies):.1f},{y(score):.1f}" for plies, score in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<circle cx="{x(points[-1][0]):.1f}" cy="{y(points[-1][1]):.1f}" r="3" fill="{colour}"/>')
        out.append(f'<path d="M{x(points[-1][0]):.1f} {y(points[-1][1]):.1f}L{WIDTH - RIGHT + 8} {places[name]:.1f}" stroke="{colour}" stroke-dasharray="2 3"/>')
        out.append(f'<text x="{WIDTH - RIGHT + 12}" y="{places[name] + 4:.1f}" fill="{colour}">{name}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--extract", metavar="METRICS", help="print the curve of a run")
    parser.add_argument("--against", default="greedy", help="the bot (default: greedy)")
    parser.add_argument("--out", help="the picture")
    parser.add_argument("curves", nargs="*")
    given = parser.parse_args()
    if given.extract:
        print(json.dumps(extract(given.extract), separators=(",", ":")).replace("},{\"it", "},\n{\"it"))
    elif given.out and given.curves:
        curves = {Path(path).parent.name: json.loads(Path(path).read_text()) for path in given.curves}
        Path(given.out).write_text(draw(curves, given.against))
    else:
        parser.error("expected --extract METRICS, or --out PICTURE and curves")


if __name__ == "__main__":
    main()
