// Node, by Jeffrey Shuter: a diamond of resource squares, nodes on corners, branches on edges.

import { h, label, n, s, titled } from './dom.js';
import { glow, place } from './target.js';

const UNIT = 104;
const ROWS = [1, 3, 5, 3, 1];
const COLOURS = { r: 'red', y: 'yellow', b: 'blue', g: 'green' };
const LETTERS = ['r', 'y', 'b', 'g'];
const two = (number) => `${number}`.padStart(2, '0');

export const shuter = {
  id: 'shuter',
  title: 'Shuter’s Node',
  about: 'Grow a network over resource squares. Nodes earn cubes, cubes buy pieces, ten points win.',
  seats: () => ['Orange', 'Purple'],
  options: [
    { key: 'variant', name: 'Rules', values: ['basic', 'classic', 'advanced'], usual: 'classic' },
    { key: 'stalemate_turns', name: 'Idle turns for a draw', values: [10, 20, 40], usual: 20 },
    { key: 'layout', name: 'Board', list: 'shuffled, or 13 squares: r1 y2 …', usual: null },
  ],
  say,
  task: ({ phase, owed }) =>
    phase === 'start' ? (owed === null ? 'place a starting node' : 'place the branch of the starting node') : 'trade, buy and place, or end the turn',
  where: (move) => (move === 'e' ? [] : [move]),
  draw,
  seat,
  extras,
};

function say(move) {
  const [kind, rest] = [move[0], move.slice(1)];
  const given = () => [...rest.slice(0, -1)].map((letter) => COLOURS[letter]).join(' + ');
  switch (kind) {
    case 'n': return `node on corner ${Number(rest)}`;
    case 'b': return `branch on edge ${Number(rest)}`;
    case 'N': return `the other’s node on corner ${Number(rest)}`;
    case 'B': return `the other’s branch on edge ${Number(rest)}`;
    case 'e': return 'end the turn';
    default: return `trade ${given()} for ${COLOURS[rest.at(-1)]}`;
  }
}

const squares = ROWS.flatMap((count, r) =>
  Array.from({ length: count }, (_, i) => ({ r, c: (5 - count) / 2 + i })));
const corners = [];
for (let y = 0; y <= 5; y++) {
  const count = 1 + Math.max(ROWS[y - 1] ?? 0, ROWS[y] ?? 0);
  for (let i = 0; i < count; i++) corners.push({ y, x: (6 - count) / 2 + i });
}
const has = (x, y) => corners.some((corner) => corner.x === x && corner.y === y);
const edges = [];
for (let y = 0; y <= 5; y++) {
  for (let x = 0; x < 5; x++) if (has(x, y) && has(x + 1, y)) edges.push({ x1: x, y1: y, x2: x + 1, y2: y });
  for (let x = 0; x <= 5; x++) if (has(x, y) && has(x, y + 1)) edges.push({ x1: x, y1: y, x2: x, y2: y + 1 });
}

/** A little cube, seen from above one of its corners. */
export function cube(letter, x, y, r) {
  const [dx, dy] = [r * 0.87, r * 0.5];
  const face = (points, shade) => s('polygon', { points: points.map(([a, b]) => `${n(x + a)},${n(y + b)}`).join(' '), class: `c-${letter} ${shade}` });
  return s('g', { class: 'cube' },
    face([[0, -r], [dx, -dy], [0, 0], [-dx, -dy]], 'top'),
    face([[-dx, -dy], [0, 0], [0, r], [-dx, dy]], 'left'),
    face([[dx, -dy], [0, 0], [0, r], [dx, dy]], 'right'));
}

const icon = (letter) => s('svg', { viewBox: '-10 -10.5 20 21', class: 'cube-icon', 'aria-hidden': 'true' }, cube(letter, 0, 0, 10));

const DOTS = { 1: [[0, 0]], 2: [[-13, 13], [13, -13]], 3: [[-17, 17], [0, 0], [17, -17]] };

function square(board, text, i) {
  const { r, c } = squares[i];
  const [x, y] = [(c - 2) * UNIT, (r - 2) * UNIT];
  const [letter, limit] = [text[0], Number(text[1])];
  const owner = Number(board.position.captured[i]);
  const exhausted = board.position.exhausted[i];
  const kind = letter === 'v' ? 'vacant square' : letter === 'p' ? 'trading post' : `${COLOURS[letter]} square, limit ${limit}`;
  const state = owner ? `, captured by ${['', 'orange', 'purple'][owner]}` : exhausted ? ', exhausted' : '';
  const half = UNIT / 2 - 4;
  return s(
    'g',
    { class: `tile t-${letter}${exhausted ? ' dry' : ''}` },
    s('rect', { x: n(x - half), y: n(y - half), width: 2 * half, height: 2 * half, rx: 9 }),
    s('rect', { class: 'inner', x: n(x - half + 7), y: n(y - half + 7), width: 2 * half - 14, height: 2 * half - 14, rx: 5 }),
    letter === 'p'
      ? [label(x, y - 28, '2 : 1', { class: 'post' }), s('path', { class: 'post-arrows', d: `M${x - 17},${y + 25} h30 l-6,-5 M${x + 17},${y + 33} h-30 l6,5` }),
         s('circle', { class: 'post-ring', cx: x, cy: y, r: 11 })]
      : null,
    // Dots are the limit; beside a marker in the middle they move to the corner.
    owner || exhausted
      ? Array.from({ length: limit }, (_, i) => s('circle', { class: 'dot', cx: n(x - 28 + 10 * i), cy: n(y - 28), r: 3.4 }))
      : (DOTS[limit] ?? []).map(([dx, dy]) => s('circle', { class: 'dot', cx: n(x + dx), cy: n(y + dy), r: 6.2 })),
    owner ? s('circle', { class: `marker seat${owner - 1}`, cx: x, cy: y, r: 15 }) : null,
    !owner && exhausted ? s('circle', { class: 'marker black', cx: x, cy: y, r: 15 }) : null,
    titled(kind + state),
  );
}

function draw(board) {
  const { position, last } = board;
  const at = (x, y) => [(x - 2.5) * UNIT, (y - 2.5) * UNIT];
  const bars = edges.map((edge, i) => {
    const [x1, y1] = at(edge.x1, edge.y1);
    const [x2, y2] = at(edge.x2, edge.y2);
    const owner = Number(position.edges[i]);
    const moves = [`b${two(i)}`, `B${two(i)}`];
    const flat = y1 === y2;
    const bar = (wide, attributes) =>
      flat
        ? s('rect', { x: x1 + 17, y: y1 - wide / 2, width: UNIT - 34, height: wide, rx: wide / 2, ...attributes })
        : s('rect', { x: x1 - wide / 2, y: y1 + 17, width: wide, height: UNIT - 34, rx: wide / 2, ...attributes });
    return place(
      board,
      { moves, x: (x1 + x2) / 2, y: (y1 + y2) / 2, name: `edge ${i}${owner ? `, ${['', 'orange', 'purple'][owner]} branch` : ''}`, kind: 'edge' },
      bar(30, { class: 'hit' }),
      glow(board, moves, bar(16)),
      owner
        ? bar(12, { class: `branch seat${owner - 1}${last.includes(moves[0]) || last.includes(moves[1]) ? ' fresh' : ''}` })
        : bar(9, { class: 'spot' }),
    );
  });
  const posts = corners.map((corner, i) => {
    const [x, y] = at(corner.x, corner.y);
    const owner = Number(position.corners[i]);
    const moves = [`n${two(i)}`, `N${two(i)}`];
    const fresh = last.includes(moves[0]) || last.includes(moves[1]);
    return place(
      board,
      { moves, x, y, name: `corner ${i}${owner ? `, ${['', 'orange', 'purple'][owner]} node` : ''}`, kind: 'corner' },
      s('circle', { class: 'hit', cx: x, cy: y, r: 22 }),
      glow(board, moves, s('circle', { cx: x, cy: y, r: 17 })),
      owner
        ? [
            s('circle', { class: `node seat${owner - 1}${fresh ? ' fresh' : ''}`, cx: x, cy: y, r: 15 }),
            s('circle', { class: 'gleam', cx: x - 4.5, cy: y - 5, r: 4 }),
            position.owed === i ? s('circle', { class: 'owed', cx: x, cy: y, r: 20 }) : null,
          ]
        : s('circle', { class: 'spot', cx: x, cy: y, r: 8 }),
    );
  });
  const half = 2.5 * UNIT + 30;
  return s(
    'svg',
    { viewBox: `${-half} ${-half} ${2 * half} ${2 * half}`, class: 'shuter', role: 'group', 'aria-label': 'The board' },
    s('g', {}, position.squares.map((text, i) => square(board, text, i))),
    s('g', {}, bars),
    s('g', {}, posts),
  );
}

function seat(board, number) {
  const { position } = board;
  const score = position.score[number];
  const largest = position.network[number] > position.network[1 - number];
  return [
    h('div', { class: 'pips', role: 'img', 'aria-label': `${score} of 10 points` },
      Array.from({ length: 10 }, (_, i) => h('i', { class: i < score ? `on seat${number}` : '' })), h('b', {}, `${score}`)),
    h('div', { class: 'cubes' }, LETTERS.map((letter, i) =>
      h('span', { class: 'cubes-of', title: `${COLOURS[letter]} cubes, and what the next income brings` },
        icon(letter), h('b', {}, `${position.cubes[number][i]}`),
        position.income[number][i] ? h('small', {}, `+${position.income[number][i]}`) : null))),
    h('div', { class: 'faint' }, `largest network ${position.network[number]}${largest ? ' (+2)' : ''}`),
  ];
}

/** Costs, and trades put together cube by cube. */
function extras(board) {
  const trades = [...board.legal].filter((move) => 'td'.includes(move[0]) && move.length > 3)
    .map((move) => ({ move, give: [...move.slice(1, -1)].sort().join(''), get: move.at(-1) }));
  const bar = h('div', { class: 'trade' });
  const shop = h('div', { class: 'faint prices' }, 'Branch ', icon('r'), icon('b'), '  Node ', icon('y'), icon('y'), icon('g'), icon('g'),
    h('span', { class: 'bank' }, ' Bank ', LETTERS.map((letter, i) => [icon(letter), ` ${board.position.bank[i]} `])));
  if (!trades.length) return [shop];
  let given = '';
  const refresh = () => {
    const fits = (give) => {
      const left = [...give];
      return [...given].every((letter) => left.includes(letter) && left.splice(left.indexOf(letter), 1));
    };
    const open = trades.filter((trade) => fits(trade.give));
    const full = open.filter((trade) => trade.give.length === given.length);
    const more = LETTERS.filter((letter) => trades.some((trade) => {
      const want = [...given, letter].sort().join('');
      const left = [...trade.give];
      return [...want].every((one) => left.includes(one) && left.splice(left.indexOf(one), 1));
    }));
    bar.replaceChildren(
      h('span', { class: 'trade-word' }, 'Give'),
      ...LETTERS.map((letter) => h('button', {
        type: 'button', class: 'cube-button', disabled: !more.includes(letter), 'aria-label': `give a ${COLOURS[letter]} cube`,
        onclick: () => { given = [...given, letter].sort().join(''); refresh(); },
      }, icon(letter))),
      h('span', { class: 'given', 'aria-live': 'polite' }, given ? [...given].map(icon) : h('span', { class: 'faint' }, 'nothing yet')),
      given ? h('button', { type: 'button', class: 'plain', 'aria-label': 'give nothing', onclick: () => { given = ''; refresh(); } }, '✕') : '',
      h('span', { class: 'trade-word' }, 'for'),
      ...LETTERS.map((letter) => {
        const trade = full.find((one) => one.get === letter);
        return h('button', {
          type: 'button', class: 'cube-button', disabled: !trade, 'aria-label': `receive a ${COLOURS[letter]} cube`,
          'data-moves': trade?.move, onclick: () => board.choose([trade.move]),
        }, icon(letter));
      }),
    );
  };
  refresh();
  return [bar, shop];
}
