// What can be clicked on a board: one place, one or several moves.

import { n, s, titled } from './dom.js';

/**
 * A place on the board. With legal moves it is a button for pointer, keyboard and screen reader; with several of them it
 * asks which one is meant. `heat` draws how much an advisor would give these moves.
 */
export function place(board, { moves = [], x, y, name, kind, attributes }, ...children) {
  const legal = moves.filter((move) => board.legal.has(move));
  const told = legal.length ? `${name}: ${legal.map(board.say).join(', or ')}` : name;
  if (!legal.length) return s('g', { class: kind ?? '', ...attributes }, children, name ? titled(name) : null);
  return s(
    'g',
    {
      class: `${kind ?? ''} legal`,
      role: 'button',
      tabindex: -1,
      'aria-label': told,
      'data-moves': legal.join('|'),
      'data-x': n(x),
      'data-y': n(y),
      onclick: (event) => board.choose(legal, event.currentTarget),
      ...attributes,
    },
    children,
    titled(told),
  );
}

/** The share that the advisor gives to any of these moves, 0 to 1; null without an advisor. */
export const share = (board, moves) =>
  board.heat && moves.some((move) => board.heat.has(move))
    ? moves.reduce((sum, move) => sum + (board.heat.get(move) ?? 0), 0)
    : null;

/** A glow that grows with the share of the advisor's policy. */
export function glow(board, moves, shape) {
  const part = share(board, moves);
  if (part === null || part < 0.004) return null;
  const top = Math.max(...board.heat.values());
  shape.setAttribute('class', 'heat');
  shape.setAttribute('opacity', n(0.18 + 0.72 * Math.sqrt(part / top)));
  return shape;
}

/** Arrow keys go to the nearest target in their direction; Enter and Space choose it. */
export function keyboard(host) {
  host.addEventListener('keydown', (event) => {
    const here = event.target.closest?.('.legal');
    if (!here) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      here.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      return;
    }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const at = (target) => [Number(target.dataset.x), Number(target.dataset.y)];
    const [x, y] = at(here);
    let best = null;
    for (const target of host.querySelectorAll('.legal')) {
      const [tx, ty] = at(target);
      const along = (tx - x) * way[0] + (ty - y) * way[1];
      const across = Math.abs((tx - x) * way[1]) + Math.abs((ty - y) * way[0]);
      const cost = along + 2.5 * across;
      if (target !== here && along > 0.01 && (!best || cost < best.cost)) best = { target, cost };
    }
    best?.target.focus();
  });
}
