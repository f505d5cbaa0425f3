// What an advisor thinks: bars, lines, the value over time, mistakes.

import { h, label, n, s } from './dom.js';

const percent = (share) => `${Math.round(share * 100)} %`;
const signed = (value) => (value >= 0 ? '+' : '−') + Math.abs(value).toFixed(2);

/** One bar for two seats, a bar a seat for more. */
function values(names, value) {
  if (!value.length) return h('p', { class: 'faint' }, 'This agent has no opinion of who is ahead.');
  if (value.length === 2) {
    const part = Math.max(0.02, Math.min(0.98, (value[0] + 1) / 2));
    const bar = h('div', { class: 'value', role: 'img', 'aria-label': `${names[0]} ${signed(value[0])}, ${names[1]} ${signed(value[1])}` },
      h('span', { class: 'seat0' }), h('b', {}, signed(value[0])), h('b', {}, signed(value[1])));
    bar.firstChild.style.width = `${part * 100}%`;
    return bar;
  }
  return h('div', { class: 'values' }, value.map((one, seat) => h('span', {}, h('i', { class: `chip own${seat}` }), ` ${signed(one)}`)));
}

/** The panel for one thought. */
export function thoughtPanel(game, names, thought, onMove) {
  const top = thought.moves.slice(0, 5);
  const best = Math.max(top[0]?.policy ?? 0, 0.001);
  return [
    values(names, thought.value),
    h('ol', { class: 'tops' }, top.map(({ move, policy, visits, line }) => {
      const bar = h('span', { class: 'bar' });
      bar.style.width = `${(policy / best) * 100}%`;
      return h('li', {},
        h('button', { type: 'button', class: 'top', onclick: () => onMove(move), title: 'Show it on the board' },
          bar, h('span', { class: 'what' }, game.say(move)), h('span', { class: 'how' }, percent(policy), visits === undefined ? null : h('small', {}, ` ${visits}`))),
        line && line.length > 1 ? h('small', { class: 'line' }, `then ${line.slice(1).join(' ')}`) : null);
    })),
    h('p', { class: 'faint' }, `${thought.agent}, ${thought.moves.length} moves, ${thought.time_ms} ms${top[0]?.visits === undefined ? '' : '; small numbers are visits'}`),
  ];
}

/** The value of seat 0 (of each seat when there are more than two) over the plies. */
export function graph(points, plies, at, onPly, seats) {
  const [wide, tall] = [300, 90];
  const x = (ply) => n((ply / Math.max(1, plies)) * wide);
  const y = (value) => n(tall / 2 - (value * (tall - 8)) / 2);
  const known = points.filter((point) => point?.value?.length);
  const lines = (seats > 2 ? Array.from({ length: seats }, (_, seat) => seat) : [0]).map((seat) =>
    s('polyline', { class: `curve own${seat}${seats === 2 ? ' only' : ''}`, points: known.map((point) => `${x(point.ply)},${y(point.value[seat])}`).join(' ') }));
  const area = seats === 2 && known.length > 1
    ? s('polygon', { class: 'area', points: `${x(known[0].ply)},${tall / 2} ${known.map((point) => `${x(point.ply)},${y(point.value[0])}`).join(' ')} ${x(known.at(-1).ply)},${tall / 2}` })
    : null;
  return s('svg', {
    viewBox: `-2 0 ${wide + 4} ${tall}`, class: 'graph', role: 'img', 'aria-label': 'Value over time',
    onclick: (event) => {
      const box = event.currentTarget.getBoundingClientRect();
      onPly(Math.round(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * plies));
    },
  },
    s('line', { class: 'zero', x1: 0, x2: wide, y1: tall / 2, y2: tall / 2 }), area, lines,
    s('line', { class: 'now', x1: x(at), x2: x(at), y1: 0, y2: tall }),
    label(6, 8, '+1', { class: 'scale' }), label(6, tall - 7, '−1', { class: 'scale' }));
}

/** The plies after which the mover expected least against before, worst first. */
export function mistakes(points, moves, returns) {
  const found = [];
  for (let ply = 0; ply < moves.length; ply++) {
    const mover = moves[ply].seat;
    const before = points[ply]?.value?.[mover];
    const after = ply + 1 < moves.length ? points[ply + 1]?.value?.[mover] : returns?.[mover];
    const best = points[ply]?.moves?.[0]?.move;
    if (before === undefined || after === undefined || best === moves[ply].move) continue;
    found.push({ ply, mover, loss: before - after, best, played: moves[ply].move });
  }
  return found.filter(({ loss }) => loss > 0.1).sort((a, b) => b.loss - a.loss).slice(0, 5);
}

/** The list of mistakes. */
export function mistakeList(game, names, found, onPly) {
  if (!found.length) return h('p', { class: 'faint' }, 'No move lost more than a tenth of a point.');
  return h('ol', { class: 'mistakes' }, found.map(({ ply, mover, loss, best, played }) =>
    h('li', {}, h('button', { type: 'button', onclick: () => onPly(ply) },
      h('b', {}, `${ply + 1}. ${names[mover]}`), ` ${played ?? 'hidden'} `, h('span', { class: 'loss' }, `−${loss.toFixed(2)}`),
      h('small', {}, ` rather ${game.say(best)}`)))));
}
