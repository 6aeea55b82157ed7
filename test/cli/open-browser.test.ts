/**
 * `desk serve --open`: the argument of the system's opener, and its cleanup.
 * @module-tag posix
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { openBrowser } from '../../engine/cli/commands/serve.ts';
import { startEngineProcess } from '../engine-process.ts';
import { makePlace, type Place } from './run-desk.ts';

const places: Place[] = [];
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

/** What the opener saw at its start. */
interface Seen {
  readonly args: readonly string[];
  readonly mode: number;
  readonly html: string;
  readonly password: string | null;
}

/** A folder with a recording opener, first on PATH. */
function makeOpener(exitCode = 0) {
  const place = makePlace();
  places.push(place);
  const bin = join(place.dir, 'bin');
  const seenPath = join(place.dir, 'seen.json');
  mkdirSync(bin);
  mkdirSync(place.dataDir, { recursive: true });
  const script = `#!${process.execPath}
    const { readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
    const args = process.argv.slice(2);
    const mode = statSync(args[0]).mode & 0o777;
    const html = readFileSync(args[0], 'utf8');
    writeFileSync('${seenPath}.partial', JSON.stringify({
      args, mode, html, password: process.env.PGPASSWORD ?? null,
    }));
    renameSync('${seenPath}.partial', '${seenPath}');
    process.exit(${exitCode});`;
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(bin, name), script);
    chmodSync(join(bin, name), 0o755);
  }
  return {
    place,
    path: `${bin}:${process.env.PATH}`,
    async waitForOpener(): Promise<Seen> {
      await expect.poll(() => existsSync(seenPath)).toBe(true);
      return JSON.parse(readFileSync(seenPath, 'utf8'));
    },
  };
}

const listPages = ({ dataDir }: Place) => readdirSync(dataDir).filter((name) => /html/.test(name));

test('the opener receives a private file and never the code, and the file is removed once it is used', async () => {
  const { place, path, waitForOpener } = makeOpener();
  const env = { PATH: path, PGPASSWORD: 'secret' };
  const engine = await startEngineProcess(place.dataDir, ['--open'], { env });
  const [, code = ''] = engine.openUrl.split('#open=');
  expect(code).toMatch(/^[\w-]{43}$/);
  const { args, mode, html, password } = await waitForOpener();
  expect(password).toBeNull();
  expect(args).toEqual([join(place.dataDir, 'open.html')]);
  expect(args.join()).not.toContain(code);
  expect(mode).toBe(0o600);
  expect(html).toContain(engine.openUrl);
  const response = await fetch(`${engine.url}/app/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  expect(response.status).toBe(200);
  await expect.poll(() => listPages(place)).toEqual([]);
  expect(await engine.stop()).toBe(0);
});

test('an unused link leaves no file behind when the engine ends', async () => {
  const { place, path, waitForOpener } = makeOpener();
  const engine = await startEngineProcess(place.dataDir, ['--open'], { env: { PATH: path } });
  await waitForOpener();
  expect(listPages(place)).toEqual(['open.html']);
  expect(await engine.stop()).toBe(0);
  expect(listPages(place)).toEqual([]);
});

/** Opens a link in this process; returns the output and the folder. */
function openHere(exitCode = 0) {
  const opener = makeOpener(exitCode);
  vi.stubEnv('PATH', opener.path);
  onTestFinished(() => void vi.unstubAllEnvs());
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const notes: string[] = [];
  const url = 'http://127.0.0.1:1/#open=code';
  const start = () =>
    openBrowser({
      url,
      dataDir: opener.place.dataDir,
      done: ended.signal,
      note: (line) => notes.push(line),
    });
  return { ...opener, notes, start, url };
}

test('a file of a killed engine is replaced, and never followed as a link', async () => {
  const { place, start, waitForOpener, url } = openHere();
  writeFileSync(join(place.dataDir, 'open.html'), 'old', { mode: 0o644 });
  start();
  const seen = await waitForOpener();
  expect(seen.mode).toBe(0o600);
  expect(seen.html).toContain(url);
});

test('if the opener fails the link is printed and the file removed', async () => {
  const { place, start, notes, url } = openHere(3);
  start();
  await expect.poll(() => notes).toEqual([expect.stringContaining(url)]);
  expect(listPages(place)).toEqual([]);
});

test('if the folder is not writable the link is printed', () => {
  const { place, start, notes, url } = openHere();
  place.remove();
  start();
  expect(notes).toEqual([expect.stringContaining(url)]);
});

test('if the page is not opened in time the link is printed and the file removed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { place, start, notes, url } = openHere();
  start();
  expect(listPages(place)).toEqual(['open.html']);
  vi.runAllTimers();
  expect(notes).toEqual([expect.stringContaining(url)]);
  expect(listPages(place)).toEqual([]);
});
