// Node, by Kanare Kato: a hexagon of hexes.

import { label, n, s, titled } from './dom.js';
import { glow, place } from './target.js';

const WIDE = 44;
const TALL = (WIDE * Math.sqrt(3)) / 2;
const ROUND = WIDE / Math.sqrt(3);

export const kato = {
  id: 'kato',
  title: 'Kato’s Node',
  about: 'Link two opposite sides, or three that do not touch. Anchors go on the rim, nodes where the lines of two anchors cross.',
  seats: () => ['White', 'Black'],
  options: [
    { key: 'size', name: 'Cells a side', values: [4, 5, 6, 7, 8], usual: 6 },
    { key: 'swap', name: 'Black may swap', values: [false, true], usual: false },
  ],
  say: (move) => (move === '-' ? 'skip the anchor' : move === 'swap' ? 'take White’s piece over' : `place at ${move}`),
  task: ({ phase, anchor }) =>
    phase === 'prepare' ? 'place a first piece on the rim'
      : phase === 'anchor' ? 'place an anchor on the rim, or skip it'
        : anchor ? 'place a node in line with the new anchor' : 'place a node where two of your anchors’ lines cross',
  where: (move) => (move === '-' || move === 'swap' ? [] : [move]),
  draw,
};

function geometry(size) {
  const cells = [];
  const rim = size - 1;
  for (let r = -rim; r <= rim; r++) {
    const first = Math.max(-rim, -rim - r);
    const count = 2 * size - 1 - Math.abs(r);
    for (let i = 0; i < count; i++) {
      const q = first + i;
      const name = String.fromCharCode(97 + r + rim) + (i + 1);
      const t = -q - r;
      const sides = [r === -rim, q === rim, t === -rim, r === rim, q === -rim, t === rim];
      cells.push({ q, r, t, name, sides, outer: sides.includes(true), x: WIDE * (q + r / 2), y: TALL * r });
    }
  }
  return cells;
}

const hexagon = (x, y, radius) =>
  Array.from({ length: 6 }, (_, i) => {
    const angle = (Math.PI / 3) * i + Math.PI / 6;
    return `${n(x + radius * Math.cos(angle))},${n(y + radius * Math.sin(angle))}`;
  }).join(' ');

/** The cells of a finished connection. */
function winners(cells, letters) {
  const at = new Map(cells.map((cell, i) => [`${cell.q},${cell.r}`, i]));
  const near = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, -1], [-1, 1]];
  const seen = new Set();
  for (let start = 0; start < cells.length; start++) {
    if (letters[start] === '.' || seen.has(start)) continue;
    const group = [start];
    seen.add(start);
    for (const i of group) {
      for (const [dq, dr] of near) {
        const j = at.get(`${cells[i].q + dq},${cells[i].r + dr}`);
        if (j !== undefined && letters[j] === letters[start] && !seen.has(j)) { seen.add(j); group.push(j); }
      }
    }
    const touched = [0, 1, 2, 3, 4, 5].map((side) => group.some((i) => cells[i].sides[side]));
    const opposite = [0, 1, 2].some((side) => touched[side] && touched[side + 3]);
    const three = [0, 1].some((first) => touched[first] && touched[first + 2] && touched[first + 4]);
    if (opposite || three) return new Set(group);
  }
  return new Set();
}

/** The lines through a cell, as segments from rim to rim. */
function lines(cells, cell) {
  return ['q', 'r', 't'].flatMap((axis) => {
    const on = cells.filter((other) => other[axis] === cell[axis]);
    // The rim's own rows cross nothing.
    if (on.every((other) => other.outer)) return [];
    const [first, last] = [on[0], on[on.length - 1]];
    return [s('line', { x1: n(first.x), y1: n(first.y), x2: n(last.x), y2: n(last.y) })];
  });
}

function draw(board) {
  const { position, rules, last } = board;
  const size = rules.size;
  const cells = geometry(size);
  const letters = position.cells;
  const won = board.over ? winners(cells, letters) : new Set();
  const reach = TALL * (size - 1) + ROUND;
  const wide = WIDE * (size - 0.5) + 44;
  const across = s('g', { class: 'k-lines', 'aria-hidden': 'true' });
  const show = (cell) => across.replaceChildren(...(cell ? lines(cells, cell) : []));
  const owed = cells.find((cell) => cell.name === position.anchor) ?? null;
  let chosen = owed;
  show(chosen);

  const sides = [0, 1, 2, 3, 4, 5].map((side) => {
    const on = cells.filter((cell) => cell.sides[side]);
    const [a, b] = [on[0], on[on.length - 1]];
    const angle = (Math.PI / 3) * (side - 2) + Math.PI / 6;
    const [ox, oy] = [Math.cos(angle) * (ROUND + 9), Math.sin(angle) * (ROUND + 9)];
    const trim = (p, q) => p + (q - p) * 0.03;
    return [
      s('line', { class: `k-side k-side${side % 2}`, x1: n(trim(a.x, b.x) + ox), y1: n(trim(a.y, b.y) + oy), x2: n(trim(b.x, a.x) + ox), y2: n(trim(b.y, a.y) + oy) },
        titled(`Side ${side}`)),
    ];
  });

  const names = cells.filter((cell, i) => i === 0 || cells[i - 1].r !== cell.r).map((cell) =>
    label(cell.x - WIDE * 1.42, cell.y, cell.name[0], { class: 'k-name' }));

  const drawn = cells.map((cell, i) => {
    const piece = letters[i];
    const kind = cell.outer ? 'k-outer' : 'k-inner';
    const what = piece === '.' ? 'empty' : `${piece === 'w' ? 'white' : 'black'} ${cell.outer ? 'anchor' : 'node'}`;
    const fresh = last.includes(cell.name);
    return place(
      board,
      {
        moves: [cell.name],
        x: cell.x,
        y: cell.y,
        name: `${cell.name}, ${what}`,
        kind: `k-cell ${kind}`,
        attributes: cell.outer
          ? {
              onpointerenter: () => show(cell),
              onpointerleave: () => show(chosen),
              onfocus: () => show(cell),
              onblur: () => show(chosen),
              onpointerdown: () => { if (piece !== '.') show((chosen = chosen === cell ? owed : cell)); },
            }
          : {},
      },
      s('polygon', { points: hexagon(cell.x, cell.y, ROUND - 1) }),
      glow(board, [cell.name], s('circle', { cx: n(cell.x), cy: n(cell.y), r: ROUND * 0.62 })),
      piece === '.'
        ? s('circle', { class: 'spot', cx: n(cell.x), cy: n(cell.y), r: 6 })
        : [
            won.has(i) ? s('circle', { class: 'k-won', cx: n(cell.x), cy: n(cell.y), r: 20.5 }) : null,
            s('circle', { class: `k-piece ${piece}`, cx: n(cell.x), cy: n(cell.y), r: 17, fill: `url(#k-${piece})` }),
            cell.outer ? s('circle', { class: `k-ring ${piece}`, cx: n(cell.x), cy: n(cell.y), r: 9 }) : null,
            fresh ? s('circle', { class: 'k-last', cx: n(cell.x), cy: n(cell.y), r: cell.outer ? 4 : 5 }) : null,
            cell === owed ? s('circle', { class: 'k-owed', cx: n(cell.x), cy: n(cell.y), r: 21 }) : null,
          ],
    );
  });

  const shine = (id, light, dark) =>
    s('radialGradient', { id, cx: '38%', cy: '32%', r: '75%' }, s('stop', { offset: 0, 'stop-color': light }), s('stop', { offset: 1, 'stop-color': dark }));
  return s(
    'svg',
    { viewBox: `${n(-wide)} ${n(-reach - 26)} ${n(2 * wide)} ${n(2 * reach + 52)}`, class: 'kato', role: 'group', 'aria-label': 'The board' },
    s('defs', {}, shine('k-w', '#ffffff', '#cfc8ba'), shine('k-b', '#5d6472', '#14171d')),
    s('g', { class: 'k-sides' }, sides),
    s('g', { 'aria-hidden': 'true' }, names),
    s('g', {}, drawn),
    across,
  );
}
