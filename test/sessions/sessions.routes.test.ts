// Browsers that open the app by a one-time link: sessions, their end, and new links.
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../engine/app/start-server.ts';
import {
  browserSessionTouchMs,
  browserSessionUnusedMs,
} from '../../engine/contract/limits/http-server.ts';
import { noteClock } from '../../engine/platform/trusted-clock.ts';
import { createBrowserSessions } from '../../engine/sessions/browser-sessions.ts';
import { createSessionCommands } from '../../engine/sessions/create-session-commands.ts';
import { type Desk, expectRefusal, openApiDesk } from '../http/open-api-desk.ts';
import { openTemporaryStore } from '../migrations/temporary-store.ts';

const firefox = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
};

/** Opens a browser by a link; returns its headers. */
async function openBrowser(desk: Desk, link = desk.openUrl(), headers = {}) {
  const answer = await desk.call('POST', '/app/v1/session', {
    key: null,
    json: { code: link.split('#open=')[1] },
    headers: { ...firefox, ...headers },
  });
  expect(answer.status).toBe(200);
  return { 'x-desk-session': answer.data.token as string };
}

const readWallet = (desk: Desk, headers: Record<string, string>) =>
  desk.call('GET', '/app/v1/wallet', { key: null, headers });

test('every link opens a browser of its own, and all of them go on', async () => {
  const desk = await openApiDesk();
  const first = await openBrowser(desk);
  const second = await openBrowser(desk);
  expect(second).not.toEqual(first);
  for (const headers of [first, second]) expect((await readWallet(desk, headers)).status).toBe(200);
  expectRefusal(await readWallet(desk, { 'x-desk-session': 'x' }), 'unauthorized', /desk open/);
  const { data } = await desk.call('GET', '/app/v1/sessions', { key: null, headers: first });
  expect(data).toHaveLength(2);
  expect(data).toContainEqual({
    id: expect.any(String),
    browser: 'Firefox on Linux',
    opened_at: expect.any(String),
    last_used_at: expect.any(String),
    is_current: true,
  });
});

test('a browser stays open when the engine restarts, because its session is stored as a hash', async () => {
  const desk = await openApiDesk();
  const headers = await openBrowser(desk);
  const { database } = desk.environment;
  const stored = JSON.stringify(database.prepare('SELECT * FROM browser_session').all());
  expect(stored).not.toContain(headers['x-desk-session']);
  await desk.stop();
  const config = { port: 0, socketPath: null, uiDir: null, sessionToken: null, version: '1' };
  const again = await startServer({ environment: desk.environment, config });
  onTestFinished(() => again.close());
  const answer = await fetch(`${again.url}/app/v1/wallet`, { headers });
  expect(answer.status).toBe(200);
});

test('a browser that is not used for 30 days is closed; use, noted once an hour, keeps it', async () => {
  let nowMs = Date.parse('2026-01-01T00:00:00Z');
  const desk = await openApiDesk({ now: () => nowMs });
  const headers = await openBrowser(desk);
  const list = async () =>
    (await desk.app('GET', 'sessions')).data as { last_used_at: string; is_current: boolean }[];
  nowMs += browserSessionTouchMs;
  await readWallet(desk, headers);
  expect(await list()).toMatchObject([{ last_used_at: '2026-01-01T00:00:00.000Z' }]);
  nowMs += browserSessionUnusedMs - browserSessionTouchMs;
  expect((await readWallet(desk, headers)).status).toBe(200);
  const usedAt = new Date(nowMs).toISOString();
  await expect.poll(list).toMatchObject([{ last_used_at: usedAt, is_current: false }]);
  nowMs += browserSessionUnusedMs + 1;
  expectRefusal(await readWallet(desk, headers), 'unauthorized');
  expect(await list()).toEqual([]);
  await openBrowser(desk);
  expect(desk.environment.database.prepare('SELECT 1 FROM browser_session').all()).toHaveLength(1);
});

test('a session of a clock that was ahead is open after the clock is right, for 30 days', async () => {
  const rightMs = Date.parse('2026-01-01T00:00:00Z');
  let nowMs = rightMs + 10 * browserSessionUnusedMs;
  const desk = await openApiDesk({ now: () => nowMs });
  const headers = await openBrowser(desk);
  nowMs = rightMs;
  expect((await readWallet(desk, headers)).status).toBe(200);
  const list = async () => (await desk.app('GET', 'sessions')).data;
  await expect.poll(list).toMatchObject([{ last_used_at: '2026-01-01T00:00:00.000Z' }]);
  nowMs += browserSessionUnusedMs + 1;
  expectRefusal(await readWallet(desk, headers), 'unauthorized');
});

test('a browser that a clock far ahead refuses is open again after the clock is right', async () => {
  const rightMs = Date.parse('2026-01-01T00:00:00Z');
  const database = openTemporaryStore();
  const writer = createSessionCommands(database);
  let nowMs = rightMs;
  const sessions = createBrowserSessions({ database, writer }, () => nowMs);
  const token = await sessions.open('Firefox');
  noteClock(database, new Date(nowMs));
  nowMs += 10 * browserSessionUnusedMs;
  noteClock(database, new Date(nowMs));
  expect(sessions.find(token)).toBeNull();
  await sessions.open('Chromium');
  nowMs = rightMs;
  expect(sessions.find(token)).not.toBeNull();
});

test('closing a browser locks its pages and ends its events; others go on', async () => {
  const desk = await openApiDesk();
  const [closed, other] = [await openBrowser(desk), await openBrowser(desk)];
  const events = await fetch(`${desk.url}/app/v1/events`, { headers: closed });
  const end = events.text();
  const sessions = (await desk.call('GET', '/app/v1/sessions', { key: null, headers: closed }))
    .data as { id: string; is_current: boolean }[];
  const id = sessions.find(({ is_current }) => is_current)?.id;
  const close = () => desk.call('DELETE', `/app/v1/sessions/${id}`, { key: null, headers: other });
  expect((await close()).data).toEqual({ id });
  expect(await end).toContain(': open');
  expectRefusal(await readWallet(desk, closed), 'unauthorized');
  expect((await readWallet(desk, other)).status).toBe(200);
  expectRefusal(await close(), 'not_found', /closed already/);
});

test('a new link in a browser replaces its session', async () => {
  const desk = await openApiDesk();
  const former = await openBrowser(desk);
  const next = await openBrowser(desk, desk.openUrl(), former);
  expectRefusal(await readWallet(desk, former), 'unauthorized');
  expect((await readWallet(desk, next)).status).toBe(200);
  expect((await desk.app('GET', 'sessions')).data).toHaveLength(1);
});

test('a new link is given to the app alone, and only by an engine that serves the page', async () => {
  const desk = await openApiDesk({ uiDir: import.meta.dirname });
  const { data } = await desk.app('POST', 'session-links');
  const headers = await openBrowser(desk, data.open_url);
  expect((await readWallet(desk, headers)).status).toBe(200);
  expectRefusal(await desk.call('POST', '/app/v1/session-links'), 'unauthorized');
  const bare = await openApiDesk();
  expectRefusal(await bare.app('POST', 'session-links'), 'not_found', /serves no interface/);
});
