// Any request to any route is answered or refused without internals, and moves no credits.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { startEngine } from '../../engine/app/main.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { openStoreReadable } from '../../engine/platform/sqlite/open-store.ts';
import { describedBy } from './described-api.ts';
import {
  findBreach,
  type HostileRequest,
  hostileRequests,
  planRuns,
  type Route,
  sendHostile,
  watchRoutes,
} from './hostile-requests.ts';
import { send, sessionToken } from './open-api-desk.ts';

const atOnce = 8;

const people = 'first_name,last_name,email,company_name\nAda,Byron,found@a.example,Engines\n';
const own = { 'x-desk-session': sessionToken };

/** A running engine and all its routes. */
interface Target {
  readonly url: string;
  readonly key: string;
  readonly folder: string;
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

async function openTarget(): Promise<Target> {
  const folder = await mkdtemp(join(tmpdir(), 'desk-hostile-'));
  const config = { dataDir: folder, port: 0, socket: false, uiDir: null, sessionToken };
  const [engine, routes] = await watchRoutes(() => startEngine(config));
  const url = engine.url ?? '';
  const app = (path: string, json: unknown) =>
    send(`${url}/app/v1/${path}`, 'POST', { headers: own, json });
  await writeFile(join(folder, 'people.csv'), people);
  await app('directory/imports?wait=1', { people_path: join(folder, 'people.csv') });
  // The maximum of a key, so that few requests end at the rate limit.
  const limits = { label: 'hostile', requests_per_minute: 6_000 };
  return {
    url,
    folder,
    routes,
    key: (await app('keys', limits)).data.key,
    async close() {
      await engine.close();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * The engine that all tests share. The tests of the app's routes are last: they change its data.
 */
let target: Target;
beforeAll(async () => {
  target = await openTarget();
  return target.close;
});

/** Sends generated requests, a few at a time, and checks every answer against the rules. */
async function bombard(
  { url }: Target,
  routes: readonly Route[],
  credentials: Record<string, string>,
  runs: { numRuns: number; seed: number },
): Promise<void> {
  const api = await describedBy(url);
  const judge = async (asked: HostileRequest) => {
    const answer = await sendHostile(url, asked, credentials);
    // Invalid HTTP, and oversized requests, are refused before their route is known.
    const isUnread = asked.method === 'HEAD' || answer.text.includes('not valid HTTP');
    const breach =
      findBreach(answer) ?? (isUnread ? null : api.findOffence({ ...asked, ...answer }));
    if (breach) throw new Error(`${asked.method} ${asked.path} ${breach}`);
  };
  const batches = fc.array(hostileRequests(routes), { minLength: atOnce, maxLength: atOnce });
  const property = fc.asyncProperty(batches, async (batch) => {
    await Promise.all(batch.map(judge));
  });
  await fc.assert(property, runs);
}

const readLedger = ({ folder }: Target): number => {
  const database = openStoreReadable(folder);
  expect(verifyLedger(database)).toEqual([]);
  const { entries } = database.prepare('SELECT count(*) AS entries FROM ledger_entry').get() as {
    entries: number;
  };
  database.close();
  return entries;
};

const isRest = ({ url }: Route) => /^\/(api|phone|email|healthz|openapi)/.test(url);
// Loading the sample has no input and takes seconds.
const isApp = ({ url }: Route) => /^\/app\/(?!v1\/directory\/sample)/.test(url);

test('no request to a REST route is a 500, hangs, reveals internals or moves credits', async () => {
  const before = readLedger(target);
  const rest = target.routes.filter(isRest);
  expect(rest.length).toBeGreaterThan(18);
  await bombard(target, rest, { authorization: `Token ${target.key}` }, planRuns(400));
  expect(readLedger(target)).toBe(before);
  expect(await readdir(join(target.folder, 'uploads'))).toEqual([]);
  expect((await send(`${target.url}/healthz`, 'GET', {})).status).toBe(200);
}, 600_000);

test('a request without a key is 401 or 404, whatever its other content', async () => {
  const { url, routes } = target;
  const isForAll = ({ url }: Route) => /healthz|openapi|\.well-known/.test(url);
  const keyed = routes.filter((route) => isRest(route) && !isForAll(route));
  const requests = hostileRequests([...keyed, ...routes.filter(isApp)]);
  const property = fc.asyncProperty(requests, async (asked) => {
    const { authorization: _key, ...headers } = asked.headers;
    const { status } = await sendHostile(url, { ...asked, headers }, {});
    const isOpen = /^\/app\/v1\/(session|downloads)/.test(asked.path);
    expect(isOpen ? [400, 401, 404, 429] : [401, 404]).toContain(status);
  });
  await fc.assert(property, planRuns(500));
}, 600_000);

test('no request to a route of the app is a 500, hangs, reveals internals or breaks the ledger', async () => {
  const app = target.routes.filter(isApp);
  expect(app.length).toBeGreaterThan(30);
  await bombard(target, app, own, planRuns(400));
  readLedger(target);
  expect((await send(`${target.url}/healthz`, 'GET', {})).status).toBe(200);
}, 600_000);
