// The page: one game at a time, drawn anew from what the server says.

import * as api from './api.js';
import { colony } from './colony.js';
import { $, h } from './dom.js';
import { kato } from './kato.js';
import { askForGame, complete, fromHash, request, toHash } from './newgame.js';
import { shuter } from './shuter.js';
import { starduel } from './starduel.js';
import { keyboard } from './target.js';
import { graph, mistakeList, mistakes, thoughtPanel } from './thinking.js';

const GAMES = [shuter, kato, colony, starduel];
/** Moves a second when agents play each other. */
const SPEEDS = [0.25, 0.5, 1, 2, 4, 10, 50];

const app = {
  agents: [],
  game: null,
  /** What the link of this game says. */
  start: null,
  session: null,
  /** The newest state, and the one on the board. */
  state: null,
  shown: null,
  /** Thoughts by ply, of the advisor chosen now. */
  thoughts: [],
  hint: null,
  waiting: false,
  running: true,
  /** Whether the board has the keyboard. */
  held: false,
  reviewing: false,
  /** Rises with every game: what an earlier one still waits for is dropped. */
  number: 0,
};

/* Sessions */

const persons = () => app.session.keys.filter(({ seat }) => seat !== null);
const watching = () => persons().length === 0;
const keyOf = (seat) => (app.session.keys.find((one) => one.seat === seat) ?? app.session.keys[0]).key;
/** The key of the person to act, or of whoever looked last. */
const key = () => keyOf(app.state.to_move !== null && persons().some(({ seat }) => seat === app.state.to_move) ? app.state.to_move : app.state.viewer);

function fail(error) {
  $('alert').textContent = error.message;
  $('alert').classList.add('on');
  clearTimeout(fail.timer);
  fail.timer = setTimeout(() => $('alert').classList.remove('on'), 6000);
}

/** Runs something that may be refused; tells why. */
const attempt = (work) => async (...given) => {
  try {
    return await work(...given);
  } catch (error) {
    fail(error);
    app.waiting = false;
    if (app.state) render();
    return null;
  }
};

const begin = attempt(async (start) => {
  const game = GAMES.find(({ id }) => id === start.game);
  await game.prepare?.(api);
  const opened = await api.create(request(start, app.agents));
  await enter(game, opened, start);
});

async function enter(game, opened, start) {
  leave();
  Object.assign(app, {
    game, start, session: opened, state: opened.state, shown: opened.state, thoughts: [], hint: null, waiting: false, reviewing: false, seen: null,
    running: !opened.state.recorded, number: app.number + 1,
  });
  if (start) {
    // A seed that is told belongs into the link: the same link deals the same game.
    const told = { ...start, seed: opened.state.seed ?? start.seed };
    app.start = told;
    history.replaceState(null, '', toHash(told));
  } else {
    history.replaceState(null, '', location.pathname);
  }
  keep();
  $('review').replaceChildren();
  document.title = `${game.title} – Nodarium`;
  await newest(opened.state);
}

/** What a reload goes on with. */
function keep() {
  try {
    const { id, keys } = app.session;
    sessionStorage.setItem('nodarium', JSON.stringify({ id, keys, game: app.game.id, start: app.start, hash: location.hash }));
  } catch {
    // Then a reload begins anew.
  }
}

async function resume() {
  try {
    const kept = JSON.parse(sessionStorage.getItem('nodarium'));
    if (!kept || kept.hash !== location.hash) return false;
    const state = await api.state(kept.id, kept.keys[0].key);
    const game = GAMES.find(({ id }) => id === kept.game);
    await game.prepare?.(api);
    await enter(game, { id: kept.id, keys: kept.keys, state }, kept.start);
    return true;
  } catch {
    return false;
  }
}

function leave() {
  if (app.session) api.close(app.session.id, app.session.keys[0].key).catch(() => {});
}

/* Play */

/** A newer state has come: show it, and let agents move while it is their turn. */
async function newest(state) {
  const number = app.number;
  app.state = state;
  app.shown = state;
  app.hint = null;
  app.thoughts.length = Math.min(app.thoughts.length, state.plies + 1);
  for (;;) {
    const { to_move: seat } = app.state;
    const agent = seat !== null && app.state.seats[seat] !== null && !app.state.recorded;
    if (!agent) break;
    if (watching() && !app.running) break;
    app.waiting = true;
    render();
    if (watching()) {
      await ponder();
      await new Promise((done) => setTimeout(done, 1000 / SPEEDS[$('speed').value]));
      if (number !== app.number || !app.running) break;
    }
    const from = performance.now();
    const next = await api.advance(app.session.id, keyOf(app.state.viewer), app.state.plies);
    if (number !== app.number) return;
    const follows = app.shown === app.state || app.shown.ply === app.state.plies;
    app.state = next;
    if (follows) app.shown = next;
    render();
    // For whoever measures: how long the agent thought, and when its move was on the screen.
    document.body.dataset.botMs = `${next.time_ms} ${Math.round((performance.now() - from) * 10) / 10}`;
  }
  if (number !== app.number) return;
  app.waiting = false;
  await handOver();
  render();
  await ponder();
}

/** Where several persons play with one screen, each sees its own side; hidden cards behind a curtain. */
async function handOver() {
  const { to_move: seat, hidden, viewer, over } = app.state;
  if (over || seat === null || seat === viewer || !persons().some((one) => one.seat === seat)) return;
  if (hidden) {
    const curtain = $('curtain');
    await new Promise((done) => {
      curtain.replaceChildren(h('p', {}, `${names()[seat]} is to act. Nobody else may look.`), h('button', { type: 'button', class: 'strong', onclick: done }, 'I am here'));
      curtain.hidden = false;
      curtain.querySelector('button').focus();
    });
    curtain.hidden = true;
  }
  app.state = await api.state(app.session.id, keyOf(seat));
  app.shown = app.state;
}

const play = attempt(async (move) => {
  if (app.waiting || !app.shown.yours) return;
  wait();
  const state = await api.play(app.session.id, key(), app.state.plies, move);
  await newest(state);
});

function wait() {
  app.waiting = true;
  $('board').classList.add('waiting');
  closeMenu();
}

/** A place was chosen; when it has several moves, asks which. */
function choose(moves, from) {
  if (moves.length === 1) return play(moves[0]);
  const menu = $('menu');
  menu.replaceChildren(...moves.map((move) => h('button', { type: 'button', role: 'menuitem', 'data-moves': move, onclick: () => play(move) }, app.game.say(move))));
  menu.hidden = false;
  const box = from.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(box.left + box.width / 2 - menu.offsetWidth / 2, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(box.bottom + 6, innerHeight - menu.offsetHeight - 8))}px`;
  menu.querySelector('button').focus();
  return null;
}

function closeMenu() {
  $('menu').hidden = true;
}

const step = attempt(async (ply) => {
  const wanted = Math.max(0, Math.min(app.state.plies, ply));
  if (watching() && wanted < app.state.plies) app.running = false;
  app.shown = wanted === app.state.plies ? app.state : await api.state(app.session.id, keyOf(app.state.viewer), wanted);
  app.hint = null;
  render();
  await ponder();
});

/* Thinking */

const advisor = () => Number($('advisor').value);
const mayThink = (state) => state.to_move !== null && (state.open || state.viewer === state.to_move);

async function thoughtAt(ply, state, lines) {
  const known = app.thoughts[ply];
  if (known && (!lines || known.lines)) return known;
  const thought = await api.think(app.session.id, keyOf(state.viewer), ply, advisor(), lines);
  thought.lines = lines;
  app.thoughts[ply] = thought;
  return thought;
}

/** Asks the advisor about the position on the board, if thinking is on. */
const ponder = attempt(async () => {
  const [number, shown] = [app.number, app.shown];
  if (!$('think').checked || !mayThink(shown)) return;
  await thoughtAt(shown.ply, shown, true);
  if (number === app.number && app.shown === shown) render();
});

const hint = attempt(async () => {
  const [number, shown] = [app.number, app.shown];
  if (!mayThink(shown)) throw new Error('There is nothing to advise here.');
  const { moves: [best], agent } = await thoughtAt(shown.ply, shown, false);
  if (number !== app.number || app.shown !== shown || !best) return;
  app.hint = best.move;
  render();
  say(`${agent} would ${app.game.say(best.move)}.`);
});

const review = attempt(async () => {
  const [number, { state }] = [app.number, app];
  app.reviewing = true;
  render();
  for (let ply = 0; ply < state.plies; ply++) {
    await thoughtAt(ply, state, false);
    if (number !== app.number) return;
    if (ply % 4 === 0) renderThinking();
  }
  app.reviewing = false;
  const found = mistakes(app.thoughts, app.state.moves, app.state.outcome?.returns);
  $('review').replaceChildren(h('h3', {}, 'Biggest mistakes'), mistakeList(app.game, names(), found, step));
  render();
});

/* Drawing */

const names = () => app.game.seats(app.state.rules);
const sits = (seat) => app.state.seats[seat] ?? (app.state.recorded ? 'recorded' : persons().length > 1 ? 'person' : 'you');

/** What a board is drawn from. */
function scene() {
  const { shown } = app;
  const legal = new Set(app.waiting || !shown.yours ? [] : shown.legal.flatMap((group) => group.moves));
  const thought = $('think').checked && mayThink(shown) ? app.thoughts[shown.ply] : null;
  const mover = shown.moves.at(-1)?.seat;
  const last = [];
  for (let i = shown.moves.length - 1; i >= 0 && shown.moves[i].seat === mover && last.length < 4; i--) if (shown.moves[i].move) last.push(shown.moves[i].move);
  return {
    position: shown.position,
    rules: shown.rules,
    seat: shown.to_move,
    viewer: shown.viewer,
    over: shown.to_move === null,
    legal,
    heat: thought ? new Map(thought.moves.map(({ move, policy }) => [move, policy])) : null,
    last,
    lastSeat: mover,
    say: app.game.say,
    choose,
  };
}

function status() {
  const { shown, state, game } = app;
  if (shown.outcome) {
    const { end, returns } = shown.outcome;
    const best = Math.max(...returns);
    const winners = names().filter((_, seat) => returns[seat] === best);
    if (winners.length === returns.length) return `A draw: ${end}.`;
    return `${winners.join(' and ')} ${winners.length > 1 ? 'share the win' : 'wins'}: ${end}.`;
  }
  const who = names()[shown.to_move];
  if (shown.ply < state.plies) return `Before ply ${shown.ply + 1}: ${who} is to act.`;
  if (state.recorded) return `The record ends here: ${who} would be to act.`;
  if (shown.yours) return `${who}: ${game.task(shown.position)}.`;
  return app.waiting ? `${who} (${sits(shown.to_move)}) is thinking …` : `${who} is to act.`;
}

/** Says it once: what stays the same is not read out again. */
function say(text) {
  if ($('status').textContent !== text) $('status').textContent = text;
}

function render() {
  const { shown, state, game } = app;
  const board = scene();
  app.held ||= $('board').contains(document.activeElement);
  const svg = game.draw(board);
  $('board').replaceChildren(svg);
  document.body.dataset.game = game.id;
  $('board').className = `on-${game.id}${app.waiting ? ' waiting' : ''}`;
  const free = [...board.legal].filter((move) => !game.where(move, board).length);
  $('actions').replaceChildren(...free.map((move) => h('button', { type: 'button', 'data-moves': move, class: 'action', onclick: () => play(move) }, capital(game.say(move)), share(board, move))));
  $('extras').replaceChildren(...(game.extras?.(board) ?? []).filter(Boolean));
  if (app.hint) document.querySelectorAll(`[data-moves]`).forEach((target) => target.classList.toggle('hinted', target.dataset.moves.split('|').includes(app.hint)));
  const targets = svg.querySelectorAll('.legal');
  targets[0]?.setAttribute('tabindex', 0);
  if (app.held) (svg.querySelector('.hinted') ?? targets[0])?.focus({ preventScroll: true });

  say(status());
  $('status').classList.toggle('over', shown.to_move === null);
  $('players').replaceChildren(...names().map((name, seat) =>
    h('div', { class: `player${shown.to_move === seat ? ' acts' : ''}${state.outcome?.returns[seat] > 0 ? ' won' : ''}` },
      h('div', { class: 'row' }, h('i', { class: `chip ${game.id} own${seat}` }), h('b', {}, name), h('span', { class: 'who' }, sits(seat))),
      game.seat?.(board, seat) ?? null)));

  $('ply').max = state.plies;
  $('ply').value = shown.ply;
  $('ply-text').textContent = `${shown.ply} / ${state.plies}`;
  $('undo').disabled = watching() || app.waiting || !state.moves.some(({ seat }) => seat === state.viewer);
  $('hint').disabled = app.waiting || !mayThink(shown);
  $('run').hidden = !watching() || state.recorded || state.over;
  $('run').textContent = app.running ? 'Pause' : 'Go on';
  $('speed-row').hidden = !watching() || state.recorded;
  $('speed-text').textContent = `${SPEEDS[$('speed').value]}/s`;
  $('again').disabled = !app.start;
  $('link-game').disabled = !app.start;
  $('link-position').disabled = !shown.open || shown.to_move === null;
  $('save').disabled = !state.open;
  $('games').querySelectorAll('button').forEach((tab) => tab.setAttribute('aria-current', `${tab.dataset.game === game.id}`));

  $('history').replaceChildren(...state.moves.map(({ seat, move }, ply) =>
    h('li', {}, h('button', { type: 'button', class: `own${seat} ${game.id}${ply + 1 === shown.ply ? ' now' : ''}`, title: `${names()[seat]}: ${move ? game.say(move) : 'hidden'}`, onclick: () => step(ply + 1) }, move ?? '···'))));
  const now = $('history').querySelector('.now');
  if (now) $('history').scrollTop = now.offsetTop - $('history').clientHeight / 2;
  $('legal').replaceChildren(...(board.legal.size ? shown.legal : []).flatMap(({ about, moves }) => [
    h('h3', {}, capital(about)),
    h('div', { class: 'texts' }, moves.map((move) => h('button', { type: 'button', 'data-text': move, onclick: () => play(move) }, move))),
  ]));
  $('drawing').textContent = shown.drawing;
  renderThinking();
}

function renderThinking() {
  const { shown, state, game } = app;
  const on = $('think').checked;
  const parts = [];
  const thought = app.thoughts[shown.ply];
  if (on && thought && mayThink(shown)) parts.push(...thoughtPanel(game, names(), thought, (move) => { app.hint = move; render(); }));
  else if (on && shown.to_move !== null && !mayThink(shown)) parts.push(h('p', { class: 'faint' }, 'Thoughts about a hidden hand stay hidden.'));
  const known = app.thoughts.filter((point) => point?.value?.length).length;
  if ((on || state.over || state.recorded) && known > 1) {
    const end = state.outcome ? [{ ply: state.plies, value: state.outcome.returns }] : [];
    parts.push(graph([...app.thoughts, ...end], state.plies, shown.ply, step, names().length), h('p', { class: 'faint' }, names().length === 2 ? `Value for ${names()[0]} over the game` : 'Value of each player over the game'));
  }
  if ((state.over || state.recorded) && state.plies) {
    parts.push(h('button', { type: 'button', id: 'do-review', disabled: app.reviewing, onclick: review }, app.reviewing ? `Reviewing … ${known} of ${state.plies}` : 'Review the game'));
  }
  $('thought').replaceChildren(...parts);
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

function share(board, move) {
  const part = board.heat?.get(move);
  return part ? h('small', { class: 'part' }, ` ${Math.round(part * 100)} %`) : null;
}

/* Records and links */

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    fail({ message: `${what} copied.` });
  } catch {
    window.prompt(`${what}:`, text);
  }
}

const save = attempt(async () => {
  const record = await api.record(app.session.id, keyOf(app.state.viewer));
  const link = h('a', { href: URL.createObjectURL(new Blob([`${JSON.stringify(record)}\n`], { type: 'application/json' })), download: `${app.state.game}.jsonl` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});

const openRecord = attempt(async (line) => {
  const opened = await api.load(line);
  const game = GAMES.find(({ id }) => id === opened.state.game);
  if (!game) throw new Error(`There is no board for ${opened.state.game}.`);
  await game.prepare?.(api);
  await enter(game, opened, null);
});

const readFile = attempt(async (file) => {
  const lines = (await file.text()).split('\n').filter((line) => line.trim());
  if (!lines.length) throw new Error('This file is empty.');
  $('which').hidden = lines.length < 2;
  $('which').replaceChildren(...lines.slice(0, 1000).map((_, i) => h('option', {}, `game ${i + 1} of ${lines.length}`)));
  $('which').onchange = (event) => openRecord(lines[event.target.selectedIndex]);
  await openRecord(lines[0]);
});

/* Start */

function theme(next) {
  const dark = next ?? (document.documentElement.dataset.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  document.documentElement.dataset.theme = dark;
}

function wire() {
  $('games').replaceChildren(...GAMES.map((game) => h('button', { type: 'button', 'data-game': game.id, onclick: () => begin(complete(game, app.agents)) }, game.title)));
  $('open-new').addEventListener('click', () => askForGame($('new'), GAMES, app.agents, app.game ?? kato, undefined, begin));
  $('again').addEventListener('click', () => begin({ ...app.start, seed: undefined, position: undefined }));
  $('undo').addEventListener('click', attempt(async () => {
    wait();
    await newest(await api.undo(app.session.id, keyOf(app.state.viewer)));
  }));
  $('hint').addEventListener('click', hint);
  $('run').addEventListener('click', attempt(async () => {
    app.running = !app.running;
    if (app.running) await newest(app.state);
    else { app.waiting = false; render(); }
  }));
  $('speed').addEventListener('input', () => { $('speed-text').textContent = `${SPEEDS[$('speed').value]}/s`; });
  $('advisor').replaceChildren(...app.agents.map(({ label }, i) => h('option', { value: i, selected: label === 'uct:1000' }, label)));
  $('advisor').addEventListener('change', () => { app.thoughts = []; $('review').replaceChildren(); render(); ponder(); });
  $('think').addEventListener('change', () => { render(); ponder(); });
  $('ply').addEventListener('input', (event) => step(Number(event.target.value)));
  $('steps').addEventListener('click', ({ target }) => {
    const to = { first: 0, back: app.shown.ply - 1, on: app.shown.ply + 1, last: app.state.plies }[target.dataset?.step];
    if (to !== undefined) step(to);
  });
  $('link-game').addEventListener('click', () => copy(location.origin + location.pathname + toHash(app.start), 'Link'));
  $('link-position').addEventListener('click', () => {
    const start = app.start ?? complete(app.game, app.agents, { rules: app.state.rules });
    copy(location.origin + location.pathname + toHash({ ...start, seed: undefined, position: bare(app.shown.position) }), 'Link to this position');
  });
  $('save').addEventListener('click', save);
  $('load').addEventListener('click', () => $('file').click());
  $('file').addEventListener('change', ({ target }) => { if (target.files[0]) readFile(target.files[0]); target.value = ''; });
  $('theme').addEventListener('click', () => {
    const next = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    theme(next);
    try { localStorage.setItem('nodarium.theme', next); } catch { /* the choice lasts as long as the page */ }
  });
  keyboard($('board'));
  // Whoever plays by keyboard stays on the board while others move.
  addEventListener('focusin', ({ target }) => { if (!$('board').contains(target)) app.held = false; });
  addEventListener('hashchange', () => {
    const told = fromHash(location.hash, GAMES);
    if (told) begin(complete(told.game, app.agents, told.given));
  });
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeMenu();
    if (event.target !== document.body || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { ArrowLeft: () => step(app.shown.ply - 1), ArrowRight: () => step(app.shown.ply + 1), u: () => $('undo').click(), h: () => $('hint').click(), t: () => $('think').click(), n: () => $('open-new').click() }[event.key];
    if (act) { event.preventDefault(); act(); }
  });
  addEventListener('pointerdown', (event) => { if (!event.target.closest('#menu')) closeMenu(); });
}

/** A position without what the server adds to it for the eye. */
function bare(position) {
  const { exhausted, income, network, bank, two_trades: trades, ...rest } = position;
  return rest;
}

attempt(async () => {
  let chosen = null;
  try { chosen = localStorage.getItem('nodarium.theme'); } catch { /* then the system's choice holds */ }
  theme(chosen ?? undefined);
  app.agents = (await api.agents()).agents;
  wire();
  if (await resume()) return;
  const told = fromHash(location.hash, GAMES) ?? { game: kato, given: {} };
  await begin(complete(told.game, app.agents, told.given));
})();
