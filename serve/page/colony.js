// Node and Colony: Nodes laid out as a map, piles of Colony cards on them, a hand.

import { h, label, many, n, s } from './dom.js';
import { glow, place, share } from './target.js';

const CELL = 92;
const CARD = [60, 78];
const TYPES = { C: 'Culture', M: 'Military', E: 'Economy' };
const BEATS = { C: 'Military', M: 'Economy', E: 'Culture' };

export const colony = {
  id: 'colony',
  title: 'Node and Colony',
  about: 'Explore Nodes, colonise them, slide Colonies over weaker ones. Most Nodes win when the deck is empty.',
  seats: (rules) => Array.from({ length: rules.players }, (_, i) => `Player ${i + 1}`),
  options: [
    { key: 'players', name: 'Players', values: [2, 3, 4], usual: 2 },
    { key: 'layout', name: 'Layout', values: ['grid9', 'plus5', 'diamond13'], usual: 'grid9' },
    { key: 'table', name: 'Cells a side of the table', values: [5, 7, 9, 11], usual: 11 },
    { key: 'movement', name: 'Movement', values: ['line', 'path'], usual: 'line' },
    { key: 'turn_limit', name: 'Turns at most', values: [50, 100, 200, 400], usual: 200 },
  ],
  say,
  task: ({ phase }) =>
    ({
      explore: 'explore: lay a Node beside one of yours, or skip',
      colonise: 'colonise: choose a Colony from your hand, or skip',
      'colonise-at': 'choose the Node for the Colony',
      move: 'invade or move: choose a Colony on the table, or skip',
      'move-to': 'choose where it goes',
    })[phase] ?? 'play',
  where: (move) => (move === 'skip' ? [] : [move.split(' ')[1]]),
  draw,
  seat,
  extras,
};

function say(move) {
  const [word, rest] = move.split(' ');
  if (word === 'card') return `put down ${named(rest)}`;
  if (word === 'at') return `onto the Node at ${rest}`;
  if (word === 'from') return `move the Colony at ${rest}`;
  if (word === 'to') return `move it to ${rest}`;
  if (word === 'explore') return `lay a Node at ${rest}`;
  return 'skip';
}

const named = (card) => (card === 'N' ? 'Node' : `${TYPES[card[0]]} ${card[1]}`);

/** The sign of a type, drawn around a point. */
function sign(type, x, y, size) {
  const at = (path) => s('path', { class: 'o-sign', d: path, transform: `translate(${n(x)} ${n(y)}) scale(${size})` });
  if (type === 'C') return at('M0,-10 L11,-3 H-11 Z M-8,0 V8 M0,0 V8 M8,0 V8 M-11,10 H11');
  if (type === 'M') return at('M-9,-10 L8,7 M9,-10 L-8,7 M-11,3 L-3,11 M11,3 L3,11');
  return at('M0,-10 A10,10 0 1 0 0.01,-10 Z M0,-5 V5 M-4,-2 H4 M-4,2 H4');
}

/** A Colony card; the arrow at its foot shows whose it is. */
function face(card, owner, x, y, scale = 1, extra = '') {
  const [w, t] = CARD.map((side) => side * scale);
  const level = Number(card[1]);
  return s(
    'g',
    { class: `o-card o-${card[0]} ${extra}` },
    s('rect', { x: n(x - w / 2), y: n(y - t / 2), width: n(w), height: n(t), rx: n(7 * scale), class: owner === null ? '' : `own${owner}` }),
    sign(card[0], x, y - 9 * scale, 1.05 * scale),
    Array.from({ length: level }, (_, i) => s('circle', { class: 'o-pip', cx: n(x + (i - (level - 1) / 2) * 12 * scale), cy: n(y + 14 * scale), r: n(4 * scale) })),
    label(x - w / 2 + 8 * scale, y - t / 2 + 10 * scale, level, { class: 'o-level', 'font-size': n(11 * scale) }),
    owner === null ? null : s('path', { class: `o-arrow own${owner}`, d: `M${n(x - 9 * scale)},${n(y + t / 2 - 11 * scale)} h${n(18 * scale)} l${n(-9 * scale)},${n(8.5 * scale)} z` }),
  );
}

function cells({ table }, more) {
  const names = [...Object.keys(table), ...more];
  const at = names.map((name) => [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1]);
  const span = (axis) => {
    let [low, high] = [Math.min(...at.map((cell) => cell[axis])) - 1, Math.max(...at.map((cell) => cell[axis])) + 1];
    while (high - low < 4) { low -= 1; if (high - low < 4) high += 1; }
    return [low, high];
  };
  return [span(0), span(1)];
}

function draw(board) {
  const { position, last } = board;
  const explored = [...board.legal].filter((move) => move.startsWith('explore ')).map((move) => move.split(' ')[1]);
  const [[left, right], [top, bottom]] = cells(position, explored);
  const middle = (cell) => [(cell.charCodeAt(0) - 97) * CELL, (Number(cell.slice(1)) - 1) * CELL];
  const fan = s('g', { class: 'o-fan', 'aria-hidden': 'true' });
  const spread = (stack, x, y) => {
    const gap = 64;
    const from = Math.max(left * CELL + 30, Math.min(x - ((stack.length - 1) * gap) / 2, right * CELL - 30 - (stack.length - 1) * gap));
    fan.replaceChildren(
      s('rect', { class: 'o-tray', x: n(from - 38), y: n(y - CELL - 47), width: (stack.length - 1) * gap + 76, height: 94, rx: 10 }),
      ...stack.map(([owner, card], i) => face(card, owner, from + i * gap, y - CELL, 0.95)));
  };
  const names = new Set([...Object.keys(position.table), ...explored]);
  const candidates = new Set([...board.legal, ...(board.heat?.keys() ?? [])]);
  const drawn = [...names].map((cell) => {
    const [x, y] = middle(cell);
    const stack = (position.table[cell] ?? []).map((text) => [Number(text[0]), text.slice(2)]);
    const isNode = cell in position.table;
    const moves = [...candidates].filter((move) => !move.startsWith('card ') && move.split(' ')[1] === cell);
    const words = stack.length ? stack.toReversed().map(([owner, card]) => `${named(card)} of player ${owner + 1}`).join(' over ') : 'unoccupied';
    const fresh = last.some((move) => /^(at|to|explore) /.test(move) && move.split(' ')[1] === cell);
    const half = 41;
    const open = stack.length > 1 ? { onpointerenter: () => spread(stack, x, y), onpointerleave: () => fan.replaceChildren(), onfocus: () => spread(stack, x, y), onblur: () => fan.replaceChildren() } : {};
    return place(
      board,
      { moves, x, y, name: isNode ? `${cell}, Node, ${words}` : `${cell}, empty`, kind: `o-cell${fresh ? ' fresh' : ''}${position.chosen === cell ? ' chosen' : ''}`, attributes: open },
      s('rect', { class: isNode ? 'o-node' : 'o-empty', x: n(x - half), y: n(y - half), width: 2 * half, height: 2 * half, rx: 10 }),
      isNode && !stack.length ? s('path', { class: 'o-rune', d: `M${x - 15},${y} L${x},${y - 15} L${x + 15},${y} L${x},${y + 15} Z M${x - 15},${y} h-10 M${x + 15},${y} h10 M${x},${y - 15} v-10 M${x},${y + 15} v10` }) : null,
      stack.slice(0, -1).slice(-3).map(([owner], i, under) => s('rect', { class: `o-under own${owner}`, x: n(x - 30 + (under.length - i) * 4), y: n(y - 39 - (under.length - i) * 3), width: 60, height: 78, rx: 7 })),
      stack.length ? face(stack.at(-1)[1], stack.at(-1)[0], x, y, 1) : null,
      stack.length > 1 ? [s('circle', { class: 'o-count', cx: n(x + 29), cy: n(y - 37), r: 10 }), label(x + 29, y - 37, stack.length, { class: 'o-count-text' })] : null,
      glow(board, moves, s('rect', { x: n(x - half), y: n(y - half), width: 2 * half, height: 2 * half, rx: 10 })),
      s('rect', { class: 'spot', x: n(x - half), y: n(y - half), width: 2 * half, height: 2 * half, rx: 10 }),
    );
  });
  const edge = [];
  for (let c = left; c <= right; c++) if (c >= 0 && c < 11) edge.push(label(c * CELL, top * CELL - 40, String.fromCharCode(97 + c), { class: 'o-axis' }));
  for (let r = top; r <= bottom; r++) if (r >= 0 && r < 11) edge.push(label(left * CELL - 40, r * CELL, r + 1, { class: 'o-axis' }));
  return s(
    'svg',
    {
      viewBox: `${left * CELL - 54} ${top * CELL - 54} ${(right - left) * CELL + 108} ${(bottom - top) * CELL + 108}`,
      class: 'colony', role: 'group', 'aria-label': 'The table',
    },
    s('rect', { class: 'o-felt', x: left * CELL - 54, y: top * CELL - 54, width: (right - left) * CELL + 108, height: (bottom - top) * CELL + 108, rx: 20 }),
    s('g', { 'aria-hidden': 'true' }, edge),
    drawn,
    fan,
  );
}

function seat(board, number) {
  const { position } = board;
  const held = Object.values(position.table).filter((stack) => stack.length && Number(stack.at(-1)[0]) === number);
  const levels = held.reduce((sum, stack) => sum + Number(stack.at(-1).at(-1)), 0);
  const hand = position.hands[number];
  const cards = Array.isArray(hand) ? hand.length : hand;
  return [
    h('div', { class: 'figures' },
      h('span', {}, h('b', {}, `${held.length}`), ' Nodes'), h('span', {}, h('b', {}, `${levels}`), ' levels'),
      h('span', { class: 'backs', title: many(cards, 'card') }, Array.from({ length: Math.min(cards, 9) }, () => h('i')), h('b', {}, `${cards}`))),
  ];
}

/** The hands that may be seen, and the deck. */
function extras(board) {
  const { position } = board;
  const deck = Array.isArray(position.deck) ? position.deck.length : position.deck;
  const small = (card, owner, extra) =>
    s('svg', { viewBox: '-33 -42 66 84', class: 'hand-card', 'aria-hidden': 'true' },
      card === 'N'
        ? [s('rect', { class: 'o-node', x: -30, y: -39, width: 60, height: 78, rx: 7 }), s('path', { class: 'o-rune', d: 'M-15,0 L0,-15 L15,0 L0,15 Z M-15,0 h-10 M15,0 h10 M0,-15 v-14 M0,15 v14' })]
        : face(card, owner, 0, 0, 1, extra));
  const hands = position.hands.map((hand, number) => !Array.isArray(hand) ? null : h(
    'div', { class: 'hand', role: 'group', 'aria-label': `Hand of player ${number + 1}` },
    hand.map((card) => {
      const move = `card ${card}`;
      const legal = board.seat === number && board.legal.has(move);
      const part = board.seat === number ? share(board, [move]) : null;
      const chosen = position.chosen === card && position.to_move === number;
      const title = card === 'N' ? 'Node' : `${named(card)}: trumps ${BEATS[card[0]]}`;
      return h('button', { type: 'button', class: `card${chosen ? ' chosen' : ''}${legal ? ' legal-card' : ''}`, disabled: !legal, title, 'aria-label': named(card), 'data-moves': legal ? move : null, onclick: () => board.choose([move]) },
        small(card, number), part ? h('small', { class: 'part' }, `${Math.round(part * 100)} %`) : null);
    })));
  return [
    ...hands,
    h('div', { class: 'faint deck' }, h('span', { class: 'pile', 'aria-hidden': 'true' }), `${many(deck, 'card')} in the deck.  Culture trumps Military, Military trumps Economy, Economy trumps Culture.`),
  ];
}
