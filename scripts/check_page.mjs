// Plays a whole game of each kind against `random` by clicking on the page, uses what stands around the board, and fails on
// the first error in the browser's console. Prints the first paint, the time of a bot's move, and the page's size.
// usage: node check_page.mjs ADDRESS SCREENSHOTS

import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [address, shots] = process.argv.slice(2);
const problems = [];
await mkdir(shots, { recursive: true });

const browser = await chromium.launchPersistentContext(await mkdtemp(join(tmpdir(), 'page-')), {
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  viewport: { width: 1160, height: 860 },
  colorScheme: 'light',
  acceptDownloads: true,
});
browser.setDefaultTimeout(30_000);

async function open(hash, size) {
  const page = await browser.newPage();
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`); });
  page.on('pageerror', (error) => problems.push(`page: ${error.message}`));
  page.on('response', (response) => { if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`); });
  page.on('requestfailed', (request) => { if (request.method() !== 'DELETE') problems.push(`failed: ${request.url()}`); });
  if (size) await page.setViewportSize(size);
  await page.goto(`${address}/${hash}`);
  await page.waitForSelector('#board svg');
  return page;
}

function check(holds, problem) {
  if (!holds) problems.push(problem);
}

const shoot = (page, name) => page.screenshot({ path: join(shots, `${name}.png`) });
const idle = (page) => page.waitForFunction(() => !document.querySelector('#board').classList.contains('waiting'));
const over = (page) => page.evaluate(() => document.querySelector('#status').classList.contains('over'));
/** Everything on the page that plays a move: places, buttons, cards. */
const TARGETS = '#board .legal, #actions button, #extras [data-moves]:not(:disabled)';

/** Clicks one of the places, chosen by the step's number; where a place has several moves, the first of the menu. */
async function click(page, step) {
  const targets = page.locator(TARGETS);
  const count = await targets.count();
  if (!count) return false;
  const target = targets.nth((step * 7) % count);
  await target.dispatchEvent('click');
  const menu = page.locator('#menu:not([hidden]) button');
  if (await menu.count()) await menu.first().click();
  await idle(page);
  return true;
}

async function playToTheEnd(page, game, shootAt) {
  let step = 0;
  while (!(await over(page))) {
    if (step === shootAt) await shoot(page, game);
    if (!(await click(page, step))) {
      await idle(page);
      check(await over(page) || (await page.locator(TARGETS).count()) > 0, `${game}: nothing can be clicked after ${step} clicks`);
      if (problems.length) return;
      continue;
    }
    step += 1;
    if (problems.length || step > 1500) return;
  }
  console.log(`${game}: played to the end with ${step} clicks: ${await page.textContent('#status')}`);
}

// The first paint, of a page that nothing has warmed up.
{
  const page = await open('');
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  const size = await page.evaluate(() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).filter(({ name }) => !name.includes('/api/')).reduce((sum, entry) => sum + entry.decodedBodySize, 0));
  const tab = await open('');
  const again = await tab.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  await tab.close();
  console.log(`first paint after ${Math.round(paint)} ms in the first tab of a fresh browser, ${Math.round(again)} ms in the next, ${size} bytes of page`);
  check(size < 300_000, `the page has ${size} bytes`);
  await page.close();
}

// A whole game of each, against random; the picture is taken after some clicks.
for (const [game, rules, shootAt] of [['kato', '&size=6', 24], ['shuter', '&variant=classic', 19], ['colony', '&players=2', 34], ['starduel', '', 5]]) {
  const page = await open(`#game=${game}${rules}&seats=you,random&seed=5`);
  await playToTheEnd(page, game, shootAt);
  await page.close();
}

// A strong opponent answers as soon as it has thought.
{
  const page = await open('#game=kato&size=6&seats=you,uct:1000&seed=5');
  const late = [];
  for (let step = 0; step < 12; step++) {
    await click(page, step * 3 + 1);
    const told = await page.evaluate(() => document.body.dataset.botMs);
    if (!told) continue;
    const [thought, shown] = told.split(' ').map(Number);
    late.push(shown - thought);
  }
  late.sort((a, b) => a - b);
  console.log(`uct:1000's move is shown ${Math.round(late[late.length >> 1])} ms after its thinking time (median of ${late.length}, worst ${Math.round(late.at(-1))} ms)`);

  // Thinking, hint, undo, stepping, the list of moves.
  await page.locator('.switch').click();
  await page.waitForSelector('.tops .top');
  check((await page.locator('#board .heat').count()) > 0, 'no heat on the board');
  check((await page.locator('.tops .line').count()) > 0, 'no lines behind the best moves');
  await shoot(page, 'thinking');
  await page.locator('#hint').click();
  await page.waitForSelector('.hinted');
  const before = await page.textContent('#ply-text');
  await page.locator('#undo').click();
  await page.waitForFunction((before) => document.querySelector('#ply-text').textContent !== before, before);
  await idle(page);
  await page.locator('[data-step="back"]').click();
  await page.waitForFunction(() => document.querySelector('#status').textContent.startsWith('Before ply'));
  await page.locator('[data-step="last"]').click();
  await page.waitForSelector('#board .legal');
  await page.locator('#list summary').click();
  const plies = await page.textContent('#ply-text');
  await page.locator('#legal button').first().click();
  await page.waitForFunction((plies) => document.querySelector('#ply-text').textContent !== plies, plies);
  await idle(page);
  // The keyboard alone.
  const typed = await page.textContent('#ply-text');
  await page.locator('#board .legal[tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.waitForFunction((typed) => document.querySelector('#ply-text').textContent !== typed, typed);
  await idle(page);
  await page.close();
}

// Two agents to the end, review, save, load.
{
  const page = await open('#game=kato&size=4&seats=greedy,uct:100&seed=9');
  await page.locator('#speed').fill('6');
  await page.waitForFunction(() => document.querySelector('#status').classList.contains('over'));
  await page.locator('#do-review').click();
  await page.waitForSelector('#review h3');
  check((await page.locator('.graph').count()) === 1, 'no graph of the value');
  await shoot(page, 'review');
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save').click()]);
  const record = JSON.parse(await readFile(await download.path(), 'utf8'));
  check(record.game === 'kato' && record.plies.length > 5, 'the saved record is no game');
  await page.locator('#file').setInputFiles(await download.path());
  await page.waitForFunction(() => document.querySelector('.who').textContent === 'recorded');
  await page.locator('[data-step="first"]').click();
  await page.waitForFunction(() => document.querySelector('#ply-text').textContent.startsWith('0 /'));
  await page.close();
}

// A position by link, in the dark, on a phone; the form for a new game.
{
  const first = await open('#game=shuter&seats=you,random&seed=3', { width: 390, height: 844 });
  await first.locator('#theme').click();
  for (let step = 0; step < 12; step++) await click(first, step);
  await first.evaluate(() => scrollTo(0, 0));
  await shoot(first, 'phone');
  await first.evaluate(() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; });
  await first.locator('#link-position').click();
  const link = await first.waitForFunction(() => window.copied).then((text) => text.jsonValue());
  const drawing = await first.textContent('#drawing');
  const wide = await first.evaluate(() => document.documentElement.scrollWidth);
  check(wide <= 390, `the page is ${wide} wide on a phone of 390`);
  const second = await open(new URL(link).hash);
  check((await second.textContent('#drawing')) === drawing, 'the linked position is another one');
  await second.locator('#open-new').click();
  await second.locator('.kinds button').nth(2).click();
  await second.locator('.fields select').first().selectOption('3');
  await second.locator('#begin').click();
  await second.waitForFunction(() => document.querySelectorAll('.player').length === 3);
  await first.close();
  await second.close();
}

await browser.close();
if (problems.length) {
  console.error(`The page fails:\n  ${[...new Set(problems)].slice(0, 12).join('\n  ')}`);
  process.exit(1);
}
console.log('The page holds.');
