// The form for a new game, and links that hold one.

import { h } from './dom.js';

const YOU = 'you';

/** What was chosen last for a game. */
function remembered(game) {
  try {
    return JSON.parse(localStorage.getItem(`nodarium.${game.id}`)) ?? {};
  } catch {
    return {};
  }
}

function remember(game, start) {
  try {
    localStorage.setItem(`nodarium.${game.id}`, JSON.stringify({ rules: start.rules, seats: start.seats }));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** The agents that play a game under given rules. */
const fitting = (agents, game, rules) =>
  agents.filter((agent) => !agent.game || (agent.game === game.id && game.options.every(({ key }) => JSON.stringify(agent.rules[key]) === JSON.stringify(rules[key]))));

/** A whole start from what is known of one: {game, rules, seats by label, seed?, position?}. */
export function complete(game, agents, given = {}) {
  const last = remembered(game);
  const rules = Object.fromEntries(game.options.map(({ key, values, usual }) => {
    const told = given.rules?.[key] ?? last.rules?.[key];
    // What is typed freely is for the server to judge.
    return [key, values ? (values.includes(told) ? told : usual) : Array.isArray(told) ? told : usual];
  }));
  const count = game.seats(rules).length;
  const labels = fitting(agents, game, rules).map((agent) => agent.label);
  const usual = labels.includes('uct:1000') ? 'uct:1000' : labels[0];
  const seats = Array.from({ length: count }, (_, i) => {
    const told = (given.seats ?? last.seats)?.[i];
    return told === YOU || labels.includes(told) ? told : i === 0 ? YOU : usual;
  });
  return { game: game.id, rules, seats, seed: given.seed, position: given.position };
}

/** The request for the server: agents by number. */
export const request = (start, agents) => ({
  game: start.game,
  rules: start.rules,
  seats: start.seats.map((who) => (who === YOU ? null : agents.findIndex((agent) => agent.label === who))),
  ...(start.seed === undefined ? {} : { seed: start.seed }),
  ...(start.position === undefined ? {} : { position: start.position }),
});

export function toHash({ game, rules, seats, seed, position }) {
  const told = Object.entries(rules).filter(([, value]) => value !== null).map(([key, value]) => [key, Array.isArray(value) ? JSON.stringify(value) : value]);
  const words = new URLSearchParams([['game', game], ...told, ['seats', seats.join(',')]]);
  if (seed !== undefined && seed !== null) words.set('seed', seed);
  if (position) words.set('position', JSON.stringify(position));
  return `#${words}`;
}

/** What a link says; null when it says nothing of use. */
export function fromHash(hash, games) {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const game = games.find(({ id }) => id === words.get('game'));
  if (!game) return null;
  const value = (text) => { try { return JSON.parse(text); } catch { return text; } };
  const rules = Object.fromEntries(game.options.filter(({ key }) => words.has(key)).map(({ key }) => [key, value(words.get(key))]));
  const seed = /^\d{1,15}$/.test(words.get('seed') ?? '') ? Number(words.get('seed')) : undefined;
  const position = words.has('position') ? value(words.get('position')) : undefined;
  return { game, given: { rules, seats: words.get('seats')?.split(','), seed, position } };
}

/** Shows the form; calls back with a start. */
export function askForGame(dialog, games, agents, game, given, begin) {
  let start = complete(game, agents, given);
  const show = () => {
    const names = game.seats(start.rules);
    const labels = fitting(agents, game, start.rules).map((agent) => agent.label);
    const chooser = (name, values, now, onchange) =>
      h('label', { class: 'field' }, h('span', {}, name),
        h('select', { onchange: (event) => onchange(values[event.target.selectedIndex]) },
          values.map((value) => h('option', { selected: value === now }, value === YOU ? 'You' : value === true ? 'yes' : value === false ? 'no' : `${value}`))));
    dialog.replaceChildren(
      h('form', { method: 'dialog', onsubmit: () => { start.seats = start.seats.slice(0, names.length); remember(game, start); begin(start); } },
        h('h2', { id: 'new-title' }, 'New game'),
        h('div', { class: 'kinds' }, games.map((other) =>
          h('button', { type: 'button', 'aria-pressed': `${other === game}`, onclick: () => { game = other; start = complete(game, agents); show(); } }, other.title))),
        h('p', { class: 'faint' }, game.about),
        h('div', { class: 'fields' },
          game.options.map(({ key, name, values, list }) =>
            values ? chooser(name, values, start.rules[key], (value) => { start = complete(game, agents, { ...start, rules: { ...start.rules, [key]: value } }); show(); })
              : h('label', { class: 'field wide' }, h('span', {}, name),
                h('input', { type: 'text', placeholder: list, value: start.rules[key]?.join(' ') ?? '', oninput: ({ target }) => { start.rules[key] = target.value.trim() ? target.value.trim().split(/[\s,]+/) : null; } }))),
          names.map((name, i) => chooser(name, [YOU, ...labels], start.seats[i], (value) => { start.seats[i] = value; })),
          h('label', { class: 'field' }, h('span', {}, 'Seed'),
            h('input', { type: 'text', inputmode: 'numeric', pattern: '[0-9]{0,15}', placeholder: 'any', value: start.seed ?? '', oninput: (event) => { start.seed = event.target.value === '' ? undefined : Number(event.target.value); } }))),
        h('div', { class: 'row end' },
          h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
          h('button', { class: 'strong', id: 'begin' }, 'Begin'))));
  };
  show();
  dialog.showModal();
}
