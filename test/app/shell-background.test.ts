/**
 * The desktop shell beyond its window: files, links, tray, login, crashes, updates, display.
 * @module-tag full
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crashesMax } from '../../engine/contract/limits/platform.ts';
import { type Desk, launch, longWork, scratch, startAgain } from '../launch.ts';
import { goTo } from '../open-desk.ts';

const contacts = join(import.meta.dirname, '../fixtures/contacts.csv');
const place = scratch();
const configHome = join(place.dir, 'config');
let desk: Desk;
beforeAll(async () => {
  mkdirSync(configHome);
  // A desktop that shows icons in a tray. Machines without a desktop have none.
  const programs = join(place.dir, 'programs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'gdbus'), '#!/bin/sh\necho "(true,)"\n', { mode: 0o755 });
  const path = `${programs}${delimiter}${process.env.PATH}`;
  desk = await launch(place.dir, { env: { XDG_CONFIG_HOME: configHome, PATH: path } });
});
afterAll(async () => {
  await desk?.close();
  place[Symbol.dispose]();
});

const listCalls = (api: string) =>
  desk.evaluate(
    ({ seen }, name) => (seen ?? []).filter((call) => call.api === name).map(({ args }) => args),
    api,
  );

test('a file and a link of a second start are opened in the window; other links do nothing', async () => {
  const page = desk.window;
  await page.getByRole('heading', { name: 'Enrich', level: 1 }).waitFor();
  // It ends at once, because the first one has the lock.
  expect(await startAgain(place.dir, ['desk://open/wallet'])).toBe(0);
  await page.getByRole('heading', { name: 'Wallet', level: 1 }).waitFor();
  await startAgain(place.dir, ['desk://run/jobs', '/lists/none.csv', contacts]);
  // The engine's threads may still be starting.
  await page.getByText(/300 rows · .*8 columns · UTF-8, semicolon/).waitFor(longWork);
  if (desk.host === 'double')
    await expect.poll(() => listCalls('app.addRecentDocument')).toEqual([[contacts]]);
});

test('a file that is drawn onto the dock and a link of the system open the same', async () => {
  const page = desk.window;
  await desk.evaluate(({ app }) => {
    const event = { preventDefault: () => undefined, defaultPrevented: false };
    app.emit('open-url', event, 'desk://open/settings');
  });
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  await desk.evaluate(({ app }, path) => {
    const event = { preventDefault: () => undefined, defaultPrevented: false };
    app.emit('open-file', event, path);
  }, contacts);
  await page.getByText(/300 rows · .*8 columns · UTF-8, semicolon/).waitFor(longWork);
});

test('after a sleep the engine looks for the network at once', async () => {
  await desk.evaluate(({ powerMonitor }) => {
    const shell = globalThis as typeof globalThis & { answered?: string[] };
    const answered: string[] = [];
    const { fetch } = globalThis;
    shell.answered = answered;
    shell.fetch = async (input, init) => {
      const answer = await fetch(input, init);
      answered.push(`${init?.method} ${new URL(String(input)).pathname} ${answer.status}`);
      return answer;
    };
    powerMonitor.emit('resume');
  });
  const answered = () =>
    desk.evaluate(() => (globalThis as typeof globalThis & { answered?: string[] }).answered);
  await expect.poll(answered).toContain('POST /app/v1/network 200');
});

test('the menu opens screens and the list of keys, which has the keys of the menu', async () => {
  const click = (id: string) =>
    desk.evaluate(({ Menu }, name) => {
      Menu.getApplicationMenu()?.getMenuItemById(name)?.click();
    }, id);
  await click('jobs');
  await desk.window.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
  await click('shortcuts');
  const keys = desk.window.getByRole('region', { name: 'App menu' });
  await keys.getByText('Open a spreadsheet').waitFor();
  await desk.window.keyboard.press('Escape');
});

test('Settings say how the app runs without a window, and why there are no updates', async () => {
  const page = desk.window;
  await goTo(page, 'Settings');
  await page.getByText('was not installed by an installer').waitFor();
  const login = page.getByRole('switch', { name: 'Start when I log in' });
  // On other systems it would change the machine itself, and macOS may refuse an unsigned app.
  if (process.platform !== 'linux') return;
  await login.click();
  await expect.poll(() => login.isChecked()).toBe(true);
  const entry = join(configHome, 'autostart/enrichment-desk.desktop');
  await expect.poll(() => existsSync(entry)).toBe(true);
  await login.click();
  await expect.poll(() => login.isChecked()).toBe(false);
  await expect.poll(() => existsSync(entry)).toBe(false);
});

test('a window that crashes is loaded again, says that nothing was lost, and is reported', async () => {
  await desk.evaluate(({ dialog }) => {
    const shown: unknown[] = [];
    Object.assign(globalThis, { shown });
    dialog.showMessageBox = (async (options: unknown) => {
      shown.push(options);
      return { response: 0, checkboxChecked: false };
    }) as never;
  });
  const loaded = desk.window.waitForEvent('load');
  await desk.evaluate(({ app, BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    const event = { preventDefault: () => undefined, defaultPrevented: false };
    const details = { reason: 'crashed' as const, exitCode: 5 };
    if (window) app.emit('render-process-gone', event, window.webContents, details);
  });
  await loaded;
  await desk.window.locator('#root > *').first().waitFor({ state: 'attached' });
  const shown = () => desk.evaluate(() => (globalThis as { shown?: unknown[] }).shown);
  await expect.poll(shown).toMatchObject([
    {
      message: 'The window stopped working.',
      detail: expect.stringContaining('It was reloaded.\n\nNothing was lost:'),
      buttons: ['Close', 'Show report'],
    },
  ]);
  await expect
    .poll(() => readdirSync(join(place.dir, 'crash-reports')))
    .toEqual([expect.stringMatching(/-window\.json$/)]);
});

test('graphics that crash too often are offered to be switched off', async () => {
  const crashGraphics = () =>
    desk.evaluate(({ app }) => {
      const event = { preventDefault: () => undefined, defaultPrevented: false };
      app.emit('child-process-gone', event, { type: 'GPU', reason: 'crashed', exitCode: 1 });
    });
  const lastShown = () =>
    desk.evaluate(() => (globalThis as { shown?: { buttons: string[] }[] }).shown?.at(-1));
  for (let crashes = 0; crashes < crashesMax; crashes++) await crashGraphics();
  expect(await lastShown()).toMatchObject({ message: 'The window stopped working.' });
  await desk.evaluate(({ dialog }) => {
    const shown = (globalThis as unknown as { shown: unknown[] }).shown;
    dialog.showMessageBox = (async (options: unknown) => {
      shown.push(options);
      return { response: 1, checkboxChecked: false };
    }) as never;
  });
  await crashGraphics();
  await expect.poll(lastShown).toMatchObject({
    message: 'The graphics process stopped working.',
    buttons: ['Restart without acceleration', 'Close', 'Show report'],
  });
  const reports = () => readdirSync(join(place.dir, 'crash-reports'));
  await expect.poll(reports).toContainEqual(expect.stringMatching(/-graphics\.json$/));
});

test('a window on a screen that was removed comes back', async () => {
  if (desk.host !== 'double') return;
  await desk.evaluate(({ BrowserWindow, screen }) => {
    const window = BrowserWindow.getAllWindows()[0];
    if (window) window.getBounds = () => ({ x: 3_000, y: 10, width: 1_000, height: 700 });
    const [display] = screen.getAllDisplays();
    const event = { preventDefault: () => undefined, defaultPrevented: false };
    if (display) screen.emit('display-removed', event, display);
  });
  await expect.poll(() => listCalls('window.center')).toHaveLength(1);
});

test('with its window closed the engine and the tools go on; the tray opens the window', async () => {
  if (desk.host !== 'double') return;
  const url = await desk.window.evaluate(async () => {
    const answer = await fetch('/app/v1/state');
    return ((await answer.json()) as { data: { url: string } }).data.url;
  });
  const context = desk.window.context();
  // The browser of the double ends with its last page.
  await context.newPage();
  await desk.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect.poll(() => desk.window.isClosed()).toBe(true);
  expect((await fetch(`${url}/api/v1/mcp`)).status).toBe(401);
  await expect
    .poll(() => listCalls('notification.show'))
    .toMatchObject([[{ title: 'Enrichment Desk is still running' }]]);
  await desk.evaluate(({ Tray }) => {
    const { last } = Tray as unknown as { last: { emit(name: string): void } };
    last.emit('click');
  });
  await expect
    .poll(() => desk.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length))
    .toBe(1);
});

test('a log-off quits the app: the engine ends by itself', async () => {
  await desk.evaluate(({ powerMonitor }) => {
    const event = { preventDefault: () => undefined, defaultPrevented: false };
    setImmediate(() => powerMonitor.emit('shutdown', event));
  });
  expect(await desk.exited).toBe(0);
  // Only an engine that ended by itself takes its socket away.
  expect(existsSync(join(place.dir, 'engine/engine.sock'))).toBe(false);
});
