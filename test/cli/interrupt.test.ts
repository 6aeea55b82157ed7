// During a command: Ctrl+C leaves or cancels it, and it outlasts the command whose engine it uses.
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { csvUploadBytesMax } from '../../engine/contract/limits/spreadsheet.ts';
import { getJob } from '../../engine/jobs/job.table.ts';
import { readBalances } from '../../engine/ledger/ledger.ts';
import { answersAt, socketPathOf } from '../../engine/platform/data-dir.ts';
import type { ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { openStoreReadable } from '../../engine/platform/sqlite/open-store.ts';
import { statement } from '../../engine/platform/sqlite/statement.ts';
import { watchThreads } from '../engine/watch-threads.ts';
import { startEngineHere } from '../engine-here.ts';
import { startEngineProcess } from '../engine-process.ts';
import { contacts, people } from './lists.ts';
import { makePlace, type Run, runHere } from './run-desk.ts';
import { mcpWords, openStdio, type StdioDesk } from './stdio-desk.ts';

const place = makePlace();
const [header, row = ''] = contacts.split('\n');
const longRows = 24_000;
const importedRows = 10_000;
/** The command that enriches a list of so many rows. */
function longArgs(rows: number): readonly string[] {
  const list = `${rows}.csv`;
  place.write(list, `${header}\n${`${row}\n`.repeat(rows)}`);
  return ['enrich', list, '--layers', 'L1', '--out', 'long-out.csv', '--yes', '--json'];
}
beforeAll(async () => {
  place.write('people.csv', people);
  const unreadRows = Math.floor(csvUploadBytesMax / 2 / row.length);
  place.write('unread.csv', `${header}\n${`${row}\n`.repeat(unreadRows)}`);
  const engine = await startEngineHere(place.dataDir);
  await place.here('directory', 'import', 'people.csv');
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

function readStore<Value>(read: (store: ReadableDatabase) => Value): Value {
  const store = openStoreReadable(place.dataDir);
  try {
    return read(store);
  } finally {
    store.close();
  }
}

const isCompleted = (jobId: string): boolean =>
  readStore((store) => getJob(store, 1, jobId))?.status === 'completed';

/**
 * Presses Ctrl+C in a command. If its job was completed before, presses it in one of more rows.
 * Returns that command's words and end.
 */
async function interruptJob(press: (args: readonly string[]) => Promise<Run>) {
  for (let rows = longRows; ; rows *= 2) {
    const args = longArgs(rows);
    const run = await press(args);
    if (!isCompleted(String(run.json.job_id))) return { args, rows, run };
    rmSync(join(place.dir, 'long-out.csv'), { force: true });
  }
}

test('Ctrl+C leaves the job running, which the same command or --resume continues', async () => {
  const { args, rows, run } = await interruptJob(async (words) => {
    const started = place.start(...words);
    await started.said('Enriching: ');
    started.interrupt();
    return started.done;
  });
  expect(run.code).toBe(1);
  expect(run.json).toMatchObject({ status: 'running', out: null });
  expect(existsSync(join(place.dir, 'long-out.csv'))).toBe(false);
  const jobId = String(run.json.job_id);
  const done = await place.here(...args);
  expect(done.stderr).toContain(`Job ${jobId} of the same rows and layers was not finished`);
  const result = { status: 'completed', enriched_rows: rows, job_id: jobId };
  expect(done.json).toMatchObject(result);
  const again = await place.here('enrich', '--resume', jobId, '--out', 'long-out.csv', '--json');
  expect(again.json).toMatchObject(result);
});

/** What the first account has held and spent. A hold adds the credits that its wallet lacks. */
function readSpending() {
  const { heldUnits, spentUnits } = readStore((store) => readBalances(store, 1));
  return { heldUnits, spentUnits };
}

/** Presses Ctrl+C in a command whose job runs on its threads. @param answer to "Cancel the job" */
function interruptHere(args: readonly string[], answer: () => Promise<boolean>): Promise<Run> {
  watchThreads();
  return runHere(place, args, {
    answer: (question) => question.startsWith('Cancel the job') && answer(),
    hear: (said, interrupt) => said.includes('Enriching: ') && interrupt.abort(),
  });
}

test('Ctrl+C can cancel the job, and nothing is charged', async () => {
  let before = readSpending();
  const { run } = await interruptJob((words) => {
    before = readSpending();
    return interruptHere(words, async () => true);
  });
  expect(run.json).toMatchObject({ status: 'cancelled', credits_charged: '0.0000' });
  expect(run.code).toBe(1);
  expect(readSpending()).toEqual(before);
});

test('a job that is completed before it can be cancelled writes its file', async () => {
  rmSync(join(place.dir, 'long-out.csv'), { force: true });
  const run = await interruptHere(longArgs(longRows), async () => {
    const { uuid } = readStore(
      (store) => statement<{ uuid: string }>(store, 'SELECT uuid FROM job ORDER BY id DESC').get()!,
    );
    await expect.poll(() => isCompleted(uuid), { timeout: 120_000 }).toBe(true);
    return true;
  });
  expect(run.stderr).toContain('The job ended before it could be cancelled.');
  expect([run.code, run.json.status]).toEqual([0, 'completed']);
  expect(existsSync(join(place.dir, 'long-out.csv'))).toBe(true);
});

test('if the engine dies, the command starts its own and continues', {
  tags: ['full'],
}, async () => {
  const engine = await startEngineProcess(place.dataDir);
  const started = place.start(...longArgs(longRows));
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
