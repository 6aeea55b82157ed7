// During a command: Ctrl+C leaves or cancels it, and it outlasts the command whose engine it uses.
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { csvUploadBytesMax } from '../../engine/contract/limits/spreadsheet.ts';
import { readBalances } from '../../engine/ledger/ledger.ts';
import { answersAt, socketPathOf } from '../../engine/platform/data-dir.ts';
import { openStoreReadable } from '../../engine/platform/sqlite/open-store.ts';
import { watchThreads } from '../engine/watch-threads.ts';
import { startEngineHere } from '../engine-here.ts';
import { startEngineProcess } from '../engine-process.ts';
import { contacts, people } from './lists.ts';
import { makePlace, runHere } from './run-desk.ts';
import { mcpWords, openStdio, type StdioDesk } from './stdio-desk.ts';

const place = makePlace();
// Long enough to be running when Ctrl+C is pressed.
const longRows = 24_000;
const importedRows = 10_000;
const longArgs = [
  'enrich',
  'long.csv',
  '--layers',
  'L1',
  '--out',
  'long-out.csv',
  '--yes',
  '--json',
];
beforeAll(async () => {
  const [header, row] = contacts.split('\n');
  place.write('long.csv', `${header}\n${`${row}\n`.repeat(longRows)}`);
  place.write('people.csv', people);
  const unreadRows = Math.floor(csvUploadBytesMax / 2 / (row ?? '').length);
  place.write('unread.csv', `${header}\n${`${row}\n`.repeat(unreadRows)}`);
  const engine = await startEngineHere(place.dataDir);
  await place.here('directory', 'import', 'people.csv');
  await place.here('wallet', 'grant', String(3 * longRows));
  await engine.stop();
});
afterAll(() => place.remove());

/** Whether rows of a table are being written to disk. */
const isReading = (): boolean =>
  readdirSync(place.dataDir, { recursive: true }).some((name) =>
    String(name).endsWith('input.csv.partial'),
  );
/** Folders and files that are created while a list is read. */
const listWork = (): string[] =>
  readdirSync(place.dataDir, { recursive: true })
    .map(String)
    .filter((name) => /^uploads.|^import-|^match-/.test(name));
const unread = [
  ['enrich', ['unread.csv', '--layers', 'L1', '--out', 'unread-out.csv', '--yes']],
  ['directory import', ['unread.csv']],
  ['directory match-companies', ['unread.csv', '--out', 'unread-out.csv']],
] as const;

const stopsReading = 'Ctrl+C while %s reads a list stops it and leaves nothing behind';
async function interruptReading(command: string, args: readonly string[]): Promise<void> {
  const started = place.start(...command.split(' '), ...args, '--json');
  onTestFinished(started.interrupt);
  await expect.poll(isReading, { interval: 5, timeout: 120_000 }).toBe(true);
  started.interrupt();
  const { code, json } = await started.done;
  expect([code, json.error]).toEqual([1, 'interrupted']);
  expect(listWork()).toEqual([]);
  expect(existsSync(join(place.dir, 'unread-out.csv'))).toBe(false);
}
test.each(unread.slice(0, 1))(stopsReading, interruptReading);
test.each(unread.slice(1))(stopsReading, { tags: ['full'] }, interruptReading);

test('Ctrl+C leaves the job running, which the same command or --resume continues', async () => {
  const started = place.start(...longArgs);
  await started.said('Enriching: ');
  started.interrupt();
  const left = await started.done;
  expect(left.code).toBe(1);
  expect(left.json).toMatchObject({ status: 'running', out: null });
  expect(existsSync(join(place.dir, 'long-out.csv'))).toBe(false);
  const jobId = String(left.json.job_id);
  const done = await place.here(...longArgs);
  expect(done.stderr).toContain(`Job ${jobId} of the same rows and layers was not finished`);
  const result = { status: 'completed', enriched_rows: longRows, job_id: jobId };
  expect(done.json).toMatchObject(result);
  const again = await place.here('enrich', '--resume', jobId, '--out', 'long-out.csv', '--json');
  expect(again.json).toMatchObject(result);
});

/** The balances of the first account, while no engine runs. */
function readWallet() {
  const store = openStoreReadable(place.dataDir);
  try {
    return readBalances(store, 1);
  } finally {
    store.close();
  }
}

test('Ctrl+C can cancel the job, and nothing is charged', async () => {
  const before = readWallet();
  // The job runs on its threads while the command waits.
  watchThreads();
  const { code, json } = await runHere(place, longArgs, {
    answer: (question) => question.startsWith('Cancel the job'),
    hear: (said, interrupt) => said.includes('Enriching: ') && interrupt.abort(),
  });
  expect(json).toMatchObject({ status: 'cancelled', credits_charged: '0.0000' });
  expect(code).toBe(1);
  expect(readWallet()).toEqual(before);
});

test('if the engine dies, the command starts its own and continues', {
  tags: ['full'],
}, async () => {
  const engine = await startEngineProcess(place.dataDir);
  const started = place.start(...longArgs);
  await started.said('Enriching: ');
  await engine.kill();
  const { json, code } = await started.done;
  expect(json).toMatchObject({ status: 'completed', enriched_rows: longRows });
  expect(code).toBe(0);
});

/** Another command, whose engine is used until its input ends. */
async function openHost(dataDir: string): Promise<StdioDesk> {
  const host = openStdio(mcpWords(dataDir));
  await expect.poll(() => answersAt(socketPathOf(dataDir)), { interval: 20 }).toBe(true);
  return host;
}

test('a command that is done ends when its engine has answered the other commands', async () => {
  const shared = makePlace();
  onTestFinished(() => shared.remove());
  const host = await openHost(shared.dataDir);
  const body = JSON.stringify({ name: 'Sales' });
  const asked = request({
    socketPath: socketPathOf(shared.dataDir),
    path: '/app/v1/accounts',
    method: 'POST',
    headers: {
      host: 'localhost',
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  asked.flushHeaders();
  await once(asked, 'continue');
  host.end();
  await expect.poll(() => host.said).toContain('ends when its engine has answered');
  asked.end(body);
  const [answer] = await once(asked, 'response');
  answer.resume();
  expect([answer.statusCode, await host.exited]).toEqual([201, 0]);
});

test.each([
  ['the command whose engine it uses is killed', openHost],
  ['the app takes the folder from its command', async () => null],
] as const)('an import is done once, even if %s', async (_when, open) => {
  const shared = makePlace();
  onTestFinished(() => shared.remove());
  const host = await open(shared.dataDir);
  const lines = Array.from({ length: importedRows }, (_, at) => `Ann Lee${at},ann@${at}.example`);
  shared.write('many.csv', ['Name,Email', ...lines].join('\n'));
  const started = shared.start('directory', 'import', 'many.csv', '--json');
  await started.said('Importing');
  host?.child.kill('SIGKILL');
  const app = host ? null : await startEngineHere(shared.dataDir);
  const { code, json } = await started.done;
  expect([code, json.people_added]).toEqual([0, importedRows]);
  const stats = await shared.here('directory', 'stats', '--json');
  expect(stats.json).toMatchObject({ people: importedRows, imports: [{ status: 'completed' }] });
  await app?.stop();
});
