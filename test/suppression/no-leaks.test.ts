// After any sequence of operations, no suppressed value leaves by any route.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { writeBackup } from '../../engine/maintenance/backup.ts';
import { restoreBackup } from '../../engine/maintenance/restore.ts';
import { endPipeline } from '../http/end-pipeline.ts';
import { type Desk, sessionToken } from '../http/open-api-desk.ts';
import { openRestorableDesk, runJob, suppress } from './suppression-desk.ts';

/** The people of the desk, the values by which one may be suppressed, and what must not leave. */
const people = [
  {
    row: { first_name: 'Ada', last_name: 'Lovelace', company_name: 'Engines' },
    values: ['ada@engines.example', '+41 79 100 00 01', 'LinkedIn.com/in/ada/?trk=x'],
    secret: /lovelace|ada@engines|41791000001|in\/ada/i,
  },
  {
    row: { email: 'cleo@mail.globex.example', first_name: 'Cleo', last_name: 'Park' },
    values: ['*.globex.example', 'globex.example', 'MAILTO:Cleo@mail.globex.example'],
    secret: /cleo|41791000003/i,
  },
  {
    row: { profile_url: 'https://www.linkedin.com/in/dan', last_name: 'Moss' },
    values: [{ kind: 'company', value: 'Initech Inc.' }, 'Dan Moss | Initech', 'initech.example'],
    secret: /moss|dan@initech|41791000004|in\/dan/i,
  },
  {
    row: { first_name: 'Eve', last_name: 'Remote', company_name: 'Far' },
    values: ['eve@remote.example', 'Eve Remote | Far', 'remote.example'],
    secret: /eve@remote/i,
  },
] as const;

const rows = people.map(({ row }) => row);

/** What has run on the desk, to be read again after each step. */
interface Work {
  readonly jobs: string[];
  readonly monitorJobs: number[];
  readonly pipelines: string[];
}

async function callTool(desk: Desk, name: string, args: object): Promise<string> {
  const params = { name, arguments: args };
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return (await desk.call('POST', '/api/v1/mcp', { json })).text;
}

/** The paths of every record of the directory, also of suppressed ones. */
const listRecords = ({ environment: { directoryDatabase: db } }: Desk) =>
  db
    .prepare("SELECT 'people/' || uuid FROM person UNION SELECT 'companies/' || uuid FROM company")
    .pluck()
    .all() as string[];

/** The text of everything that leaves the engine by its routes. */
async function readAll(desk: Desk, { jobs, monitorJobs, pipelines }: Work): Promise<string> {
  const pages = [
    ...jobs.flatMap((id) => [
      desk.call('GET', `result/${id}`),
      desk.call('GET', `result/${id}?format=csv`),
      desk.app('GET', `jobs/${id}/rows`),
      desk.app('GET', `jobs/${id}/review`),
    ]),
    ...monitorJobs.map((id) => desk.call('GET', `/api/v1/career-monitor/jobs/${id}/result/`)),
    ...pipelines.map((id) => desk.call('GET', `/api/v1/pipeline/${id}/result/`)),
    desk.app('POST', 'directory/search/contacts', { json: { limit: 10 } }),
    desk.app('POST', 'directory/search/companies', { json: { limit: 10 } }),
    ...listRecords(desk).map((path) => desk.app('GET', `directory/${path}`)),
    desk.app('GET', 'assistants/calls'),
    desk.app('GET', 'requests?limit=500'),
    ...people.flatMap(({ row }) =>
      'profile_url' in row
        ? ['email', 'phone'].map((kind) =>
            desk.call('POST', `/${kind}/enrichment/?token=${desk.key}`, {
              key: null,
              json: { profile_url: row.profile_url },
            }),
          )
        : [],
    ),
  ];
  const texts = (await Promise.all(pages)).map(({ text }) => text);
  const found = await callTool(desk, 'search_contacts', { limit: 10 });
  const enriched = await callTool(desk, 'enrich_contact', {
    profile_url: 'https://www.linkedin.com/in/ada',
  });
  // What webhooks receive.
  const bodies = desk.environment.database.prepare('SELECT body FROM webhook_event').pluck().all();
  return [...texts, found, enriched, ...bodies].join('\n');
}

const stepArbitrary = fc.oneof(
  fc.record({ kind: fc.constant('suppress'), who: fc.nat(3), by: fc.nat(2) } as const),
  fc.record({ kind: fc.constant('suppressWhileRunning'), who: fc.nat(3), by: fc.nat(2) } as const),
  fc.record({ kind: fc.constant('release'), who: fc.nat(3) } as const),
  fc.record({ kind: fc.constant('job') } as const),
  fc.record({ kind: fc.constant('monitor') } as const),
  fc.record({ kind: fc.constant('pipeline') } as const),
  fc.record({ kind: fc.constant('suppressAndRestore'), who: fc.nat(3), by: fc.nat(2) } as const),
);
type Step = typeof stepArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** Removes every entry that suppresses a person. */
async function release(desk: Desk, who: number): Promise<void> {
  const { entries } = (await desk.app('GET', 'suppression?limit=500')).data;
  const wanted = people[who]?.values.map((value) =>
    typeof value === 'string' ? value : value.value,
  ) as string[];
  const ids = (entries as { id: number; value: string }[])
    .filter(({ value }) => wanted.includes(value))
    .map(({ id }) => id);
  if (ids.length > 0) await desk.app('POST', 'suppression-removals', { json: { ids } });
}

async function startMonitor(desk: Desk): Promise<number> {
  const json = { title: 'Watch', rows };
  return (await desk.call('POST', '/api/v1/career-monitor/jobs/', { json })).body.job_id;
}

/** Unlocks everyone; resolves with the id of the completed pipeline. */
async function runPipeline(desk: Desk): Promise<string> {
  const json = { contacts: rows, unlock: ['email', 'phone'] };
  const started = await desk.call('POST', '/api/v1/pipeline/', { json });
  const id = started.data.pipeline_id as string;
  await endPipeline(desk, id);
  return id;
}

/** A desk in the middle of a sequence of steps. */
interface State {
  desk: Desk;
  readonly work: Work;
  readonly hidden: Set<number>;
}

/** How the steps are run: what they call besides the routes. */
interface Runner {
  readonly archivePath: string;
  restart(meanwhile: (folder: string) => Promise<unknown>): Promise<Desk>;
}

// The app's session has no limit of requests, unlike a key.
const session = { key: null, headers: { 'x-desk-session': sessionToken } };
const asApp = (desk: Desk): Desk => ({
  ...desk,
  call: (method, path, options) => desk.call(method, path, { ...session, ...options }),
});

async function runWork({ desk, work }: State, kind: Step['kind']): Promise<void> {
  if (kind === 'job') work.jobs.push(await runJob(desk, rows));
  if (kind === 'pipeline') work.pipelines.push(await runPipeline(desk));
  if (kind !== 'monitor') return;
  const id = await startMonitor(desk);
  await desk.environment.finishMonitorJob(id);
  work.monitorJobs.push(id);
}

async function suppressOne({ desk, hidden }: State, who: number, by: number): Promise<void> {
  const value = people[who]?.values[by] ?? '';
  expect((await suppress(desk, value)).data).toMatchObject({ unreadable: 0 });
  hidden.add(who);
}

/** Restores a backup that is older than an entry of the list: the entry is kept. */
async function suppressAndRestore(
  state: State,
  { who, by }: { who: number; by: number },
  { archivePath, restart }: Runner,
): Promise<void> {
  await writeBackup(state.desk.environment, archivePath);
  await suppressOne(state, who, by);
  const restored = await restart(async (dataDir) => {
    const report = await restoreBackup({ archivePath, dataDir, environment: 'live' });
    rmSync(report.kept_as ?? '', { recursive: true });
  });
  state.desk = asApp(restored);
}

async function runSuppression(state: State, step: Step): Promise<void> {
  const { desk, work, hidden } = state;
  if (step.kind === 'release') {
    await release(desk, step.who);
    hidden.delete(step.who);
  }
  if (step.kind !== 'suppress' && step.kind !== 'suppressWhileRunning') return;
  const isRunning = step.kind === 'suppressWhileRunning';
  const json = { selected_layers: ['L1', 'MPA'], rows };
  const jobId = isRunning && (await desk.call('POST', 'submit/', { json })).data.job_id;
  await suppressOne(state, step.who, step.by);
  if (!isRunning) return;
  await desk.environment.finish(jobId);
  work.jobs.push(jobId);
}

const webhook = {
  url: 'https://hooks.example.com/x',
  events: ['pipeline.completed', 'pipeline.failed'],
};

async function checkSequences(numRuns: number, stepsMax: number): Promise<void> {
  const logged: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((...words) => void logged.push(words.join(' ')));
  const opened = await openRestorableDesk();
  const archives = mkdtempSync(join(tmpdir(), 'desk-backup-'));
  onTestFinished(() => rmSync(archives, { recursive: true }));
  const runner = { archivePath: join(archives, 'copy.tar.gz'), restart: opened.restart };
  let desk = asApp(opened.desk);
  await desk.call('POST', '/api/v1/webhooks/', { json: webhook });
  const steps = fc.array(stepArbitrary, { minLength: 1, maxLength: stepsMax });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      for (const who of people.keys()) await release(desk, who);
      const work: Work = { jobs: [], monitorJobs: [], pipelines: [] };
      const state: State = { desk, work, hidden: new Set<number>() };
      for (const step of sequence) {
        await runWork(state, step.kind);
        await runSuppression(state, step);
        if (step.kind === 'suppressAndRestore') await suppressAndRestore(state, step, runner);
      }
      desk = state.desk;
      const text = [await readAll(desk, work), ...logged].join('\n');
      expect(text).not.toContain('There is no route');
      for (const who of state.hidden) {
        const leak = text.search(people[who]?.secret ?? /./);
        expect(leak < 0 ? '' : text.slice(leak - 200, leak + 50)).toBe('');
      }
    }),
    { numRuns, examples: [[[{ kind: 'suppressAndRestore', who: 0, by: 0 }, { kind: 'job' }]]] },
  );
}

test('no suppressed value leaves by a result, search, lookup, finding, tool, webhook, log or restore', () =>
  checkSequences(4, 5));

const long = { tags: ['full'], timeout: 600_000 };
test('the same holds for many and longer sequences', long, () => checkSequences(40, 12));
