// Star Duel: a map of planets in hidden cards, two coordinate systems, two programming cards a player.

import { h, label, n, s, titled } from './dom.js';
import { glow, place } from './target.js';

const ROWS = [3, 4, 4, 4, 3];
const WIDE = 118;
const TALL = 112;
const CARD = [100, 84];
const NAMES = ['Kurth', 'Enate'];
const RESOURCES = [
  ['influence', 'Influence', '★'],
  ['population', 'Population', '●'],
  ['minerals', 'Minerals', '◆'],
  ['energy', 'Energy', '⚡'],
];

let known = null;

export const starduel = {
  id: 'starduel',
  title: 'Star Duel',
  about: 'Program a number in secret, then activate, attack, exhaust and move nodes. Who loses all Influence or Population has lost.',
  seats: () => NAMES,
  options: [{ key: 'round_limit', name: 'Rounds at most', values: [20, 40, 60, 100], usual: 60 }],
  prepare: async (api) => { known ??= tables(await api.starduel()); },
  say,
  task: ({ phase }) =>
    phase === 'program' ? 'program a number: click a space, or choose Replace or Produce'
      : phase === 'move-to' ? 'put the node down' : 'execute, exhaust and move, each once, or end the turn',
  where,
  draw,
  seat,
};

const tables = ({ cards, map }) => ({ cards: new Map(cards.cards.map((card) => [card.name, card])), map });

const spaces = ROWS.flatMap((count, r) =>
  Array.from({ length: count }, (_, i) => {
    const kurth = `${r + 1}${i + 1}`;
    const enate = `${5 - r}${count - i}`;
    return { kurth, enate, x: (i - (count - 1) / 2) * WIDE, y: (r - 2) * TALL, tier: [1, 2, 3, 2, 1][r] };
  }));
const byKurth = new Map(spaces.map((space) => [space.kurth, space]));

function say(move) {
  if (move === 'program 14') return 'program 14: replace a card';
  if (move === 'program 15') return 'program 15: produce 2 Energy';
  if (move === 'execute') return 'execute the program';
  if (move.startsWith('attack p')) return `attack, paying ${move.slice(8)} Population and the rest in Minerals`;
  if (move.startsWith('from ')) return `pick up the node at ${move.slice(5)} to move it`;
  if (move.startsWith('to ')) return `put it down at ${move.slice(3)}`;
  if (move === 'end') return 'end the turn';
  return move.replace(/^(replace|exhaust) /, '$1 the node at ');
}

/** The programmed space of the player to act, if its number is a coordinate. */
function aim(position) {
  const program = position.programs[position.acting];
  return spaces.find((space) => space[position.acting === 1 ? 'enate' : 'kurth'] === `${program}`) ?? null;
}

/** The moves as the page draws them: each with the name of its place. */
function where(move, board) {
  const [word, number] = move.split(' ');
  if (word === 'program') {
    const side = board.seat === 1 ? 'enate' : 'kurth';
    return [spaces.find((space) => space[side] === number)?.kurth].filter(Boolean);
  }
  if (move === 'execute' || word === 'attack') return board.position.acting === null ? [] : [aim(board.position)?.kurth].filter(Boolean);
  return byKurth.has(number) ? [number] : [];
}

/** What a card pays, as signs and numbers. */
function bonus(x, y, amounts, sign, kind) {
  const parts = amounts.flatMap((amount, i) => (amount ? [s('tspan', { class: RESOURCES[i + 1][0] }, `${amount}${RESOURCES[i + 1][2]} `)] : []));
  return s('text', { x, y, class: kind }, s('tspan', { class: 'sign' }, `${sign} `), parts);
}

function card(node, space, board) {
  const [w, t] = CARD;
  const [left, top] = [space.x - w / 2, space.y - t / 2];
  if (!node) return s('rect', { class: 'd-open', x: n(left), y: n(top), width: w, height: t, rx: 12 });
  const face = node.card ? known.cards.get(node.card) : null;
  const owner = node.owner === null ? 'free' : `seat${node.owner}`;
  const { position } = board;
  const marks = [
    position.activated === space.kurth ? 'activated' : '',
    position.moving === space.kurth ? 'moving' : '',
    node.up ? '' : 'down',
  ].join(' ');
  const tier = face?.tier ?? space.tier;
  return s(
    'g',
    { class: `d-card ${owner} ${marks}` },
    s('rect', { class: 'd-back', x: n(left), y: n(top), width: w, height: t, rx: 12 }),
    s('circle', { class: `d-planet tier${tier}`, cx: n(space.x), cy: n(space.y - (node.up ? 9 : 0)), r: node.up ? 16 : 20, fill: `url(#d-planet${tier})` }),
    node.up
      ? null
      : [s('ellipse', { class: 'd-orbit', cx: n(space.x), cy: n(space.y), rx: 31, ry: 9, transform: `rotate(-18 ${n(space.x)} ${n(space.y)})` }),
         label(space.x, space.y, ['', 'I', 'II', 'III'][tier], { class: 'd-tier' })],
    face
      ? [
          label(space.x, space.y - 9, node.card, { class: 'd-name' }),
          s('text', { x: n(left + 8), y: n(top + 33), class: 'd-needs' },
            s('tspan', { class: 'population' }, `${face.needs[0]}●`), s('tspan', { class: 'minerals', x: n(left + 8), dy: 13 }, `${face.needs[1]}◆`)),
          s('path', { class: 'd-shield', d: `M${n(left + w - 24)},${n(top + 24)} h16 v9 q0,8 -8,11 q-8,-3 -8,-11 z` }),
          label(left + w - 16, top + 32.5, face.defence, { class: 'd-defence' }),
          bonus(n(left + 8), n(top + t - 20), face.activation, '+', 'd-bonus'),
          bonus(n(left + 8), n(top + t - 7), face.exhaustion, '−', 'd-bonus'),
        ]
      : null,
  );
}

function draw(board) {
  const { position, last } = board;
  const homes = [{ x: 0, y: -2 * TALL - 98 }, { x: 0, y: 2 * TALL + 98 }];
  const path = (a, b, kind) => s('line', { class: kind, x1: n(a.x), y1: n(a.y), x2: n(b.x), y2: n(b.y) });
  const links = [
    ...known.map.links.map(([a, b]) => path(byKurth.get(`${a}`), byKurth.get(`${b}`), 'd-link')),
    ...['kurth', 'enate'].flatMap((side, seat) => known.map.homes[side].map((a) => path(homes[seat], byKurth.get(`${a}`), `d-link seat${seat}`))),
  ];
  const aimed = [0, 1].map((seat) => {
    const program = `${position.programs[seat]}`;
    return spaces.find((space) => space[seat ? 'enate' : 'kurth'] === program) ?? null;
  });
  const candidates = [...board.legal, ...(board.heat?.keys() ?? [])];
  const drawn = spaces.map((space) => {
    const node = position.spaces[space.kurth];
    const moves = [...new Set(candidates)].filter((move) => where(move, board).includes(space.kurth));
    const what = !node ? 'open space'
      : !node.up ? `face-down node of tier ${space.tier}`
        : `node ${node.card}, ${node.owner === null ? 'inactive' : `of ${NAMES[node.owner]}`}`;
    const [w, t] = CARD;
    const fresh = last.some((move) => /^(execute|attack|exhaust|to|replace)/.test(move) && (move.split(' ')[1] === space.kurth || (/^(execute|attack)/.test(move) && aimed[board.lastSeat] === space)));
    return place(
      board,
      { moves, x: space.x, y: space.y, name: `${space.kurth} for Kurth, ${space.enate} for Enate, ${what}`, kind: `d-space${fresh ? ' fresh' : ''}` },
      s('rect', { class: 'hit', x: n(space.x - w / 2 - 4), y: n(space.y - t / 2 - 13), width: w + 8, height: t + 17, rx: 14 }),
      card(node, space, board),
      glow(board, moves, s('rect', { x: n(space.x - w / 2), y: n(space.y - t / 2), width: w, height: t, rx: 12 })),
      [0, 1].map((seat) => aimed[seat] === space
        ? s('rect', { class: `d-aim seat${seat}`, x: n(space.x - w / 2 - 4 - 4 * seat), y: n(space.y - t / 2 - 4 - 4 * seat), width: w + 8 + 8 * seat, height: t + 8 + 8 * seat, rx: 15 + 3 * seat })
        : null),
      s('rect', { class: 'spot', x: n(space.x - w / 2 - 4.5), y: n(space.y - t / 2 - 4.5), width: w + 9, height: t + 9, rx: 16 }),
      s('text', { class: 'd-at seat0', x: n(space.x - w / 2 + 8), y: n(space.y - t / 2 + 14) }, space.kurth),
      s('text', { class: 'd-at seat1', x: n(space.x + w / 2 - 8), y: n(space.y - t / 2 + 14), 'text-anchor': 'end' }, space.enate),
    );
  });
  const home = (seat) => s('g', { class: `d-home seat${seat}` },
    s('circle', { cx: homes[seat].x, cy: homes[seat].y, r: 30, fill: `url(#d-home${seat})` }),
    label(homes[seat].x, homes[seat].y, NAMES[seat], { class: 'd-home-name' }), titled(`${NAMES[seat]}’s home world`));
  const ball = (id, light, dark) => s('radialGradient', { id, cx: '35%', cy: '30%', r: '80%' }, s('stop', { offset: 0, 'stop-color': light }), s('stop', { offset: 1, 'stop-color': dark }));
  // A sky that is the same in every drawing.
  const stars = Array.from({ length: 90 }, (_, i) => s('circle', { class: 'd-star', cx: ((i * 197) % 540) - 270, cy: ((i * 331) % 700) - 350, r: 0.5 + ((i * 7) % 10) / 9 }));
  return s(
    'svg',
    { viewBox: '-262 -366 524 732', class: 'starduel', role: 'group', 'aria-label': 'The map' },
    s('defs', {}, ball('d-planet1', '#b8e0a8', '#38704e'), ball('d-planet2', '#f4cf8e', '#9a5b24'), ball('d-planet3', '#d9b3f5', '#5b2f8c'),
      ball('d-home0', '#8fc1ff', '#1c4aa0'), ball('d-home1', '#ffb0a3', '#a32a24')),
    s('rect', { class: 'd-sky', x: -262, y: -366, width: 524, height: 732, rx: 22 }),
    s('g', { 'aria-hidden': 'true' }, stars, links),
    home(0), home(1), drawn,
  );
}

/** The player's board and the two programming cards. */
function seat(board, number) {
  const { position } = board;
  const player = position.players[number];
  const program = position.programs[number];
  const digits = program === null ? ['', ''] : program === '?' ? ['?', '?'] : [...`${program}`];
  return [
    h('div', { class: 'program', role: 'img', 'aria-label': program === null ? 'no number programmed' : program === '?' ? 'a secret number' : `programmed ${program}` },
      digits.map((digit) => h('span', { class: `program-card seat${number}${digit === '?' ? ' secret' : digit === '' ? ' empty' : ''}` }, digit))),
    h('div', { class: 'tracks' }, RESOURCES.map(([key, name, sign]) =>
      h('div', { class: `track ${key}`, title: name }, h('span', { class: 'sign' }, sign), h('span', { class: 'sr' }, name),
        h('span', { class: 'cells', 'aria-hidden': 'true' }, Array.from({ length: 12 }, (_, i) => h('i', { class: i < Math.min(12, player[key]) ? 'on' : '' }))), h('b', {}, `${player[key]}`)))),
  ];
}
