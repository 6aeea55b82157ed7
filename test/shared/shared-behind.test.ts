// Monitors, pipelines, lookups and tools ask the team's directory after the own one.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { getJobById } from '../../engine/jobs/job.table.ts';
import { askBehindDirectory } from '../../engine/jobs/matching/ask-team.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { getMonitorJob } from '../../engine/monitors/monitor-job.table.ts';
import { startMonitorJob } from '../../engine/monitors/start-monitor-job.ts';
import { getPipeline } from '../../engine/pipelines/pipeline.table.ts';
import { readPipelineContacts } from '../../engine/pipelines/pipeline-contact.table.ts';
import { createPipelineSource } from '../../engine/pipelines/run-pipelines.ts';
import { type PipelineSubject, startPipeline } from '../../engine/pipelines/start-pipeline.ts';
import { startScheduler } from '../../engine/platform/scheduler/scheduler.ts';
import type { ContactRequest } from '../../engine/providers/ask-contact.ts';
import { createWaterfalls } from '../../engine/providers/waterfall/create-waterfalls.ts';
import { openSharedRun } from '../../engine/shared/queue/ask-shared.ts';
import type { TeamDirectory } from '../../engine/shared/settings/team-directory.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';
import { createSuppressionCommands } from '../../engine/suppression/change-suppressions.ts';
import { createClock } from '../platform/scheduler/scheduler-fixture.ts';
import { postgresMissing } from '../postgres/shared-postgres.ts';
import { openSharedFixture, teamRows, twinRow } from './shared-fixture.ts';

const missing = postgresMissing();
const headers = ['First name', 'Last name', 'Company'];
const mapping = { first_name: 0, last_name: 1, company_name: 2 };
const rows = [...teamRows.slice(0, 4), twinRow, teamRows.at(-1) ?? []];

async function openBehind() {
  const fixture = await openSharedFixture();
  const { own, connection, countQueue } = fixture;
  const teamDirectory: Pick<TeamDirectory, 'openRun'> = {
    openRun: async (uuid, layers) =>
      openSharedRun({ connection, store: own.database }, uuid, layers),
  };
  const write = () => {
    const dir = join(own.folder, 'upload');
    const { rowCount } = writeRowsTable({ headers, rows, targetDir: dir });
    return { dir, rowCount };
  };
  const isEmpty = () => expect.poll(countQueue).toEqual({ batches: 0, answers: 0 });
  return { ...fixture, teamDirectory, write, isEmpty };
}

test('a monitor watches people that only the team knows', async () => {
  if (missing) return console.warn(missing);
  const { own, startWorker, connection, write, isEmpty } = await openBehind();
  startWorker();
  const { database, folder, account } = own;
  const order = { accountId: account.id, title: 'Leads', fileName: 'leads.csv', headers, mapping };
  const { id } = startMonitorJob(
    database,
    folder,
    { ...order, ...write(), monitorId: null, keyId: null },
    own.deps.now(),
  );
  const read = () => getMonitorJob(database, account.id, id)!;
  const job = getJobById(database, read().jobId)!;
  const shared = openSharedRun({ connection, store: database }, job.uuid, job.codes);
  await runJob({ ...own.deps, shared }, job.id);
  await shared.close(true);
  expect(read()).toMatchObject({ unchanged: 4, noMatch: 2 });
  expect(own.results(job).map(({ provenance }) => provenance)).toEqual([
    expect.stringContaining('crm.csv'),
    ...Array(3).fill(expect.stringContaining('team.csv')),
    ...Array(2).fill(null),
  ]);
  await isEmpty();
});

test('a pipeline unlocks people that only the team knows, and waits for a worker; others go on', async () => {
  if (missing) return console.warn(missing);
  const { own, startWorker, teamDirectory, write, isEmpty, countQueue } = await openBehind();
  const { database, folder, account, deps } = own;
  const start = (subject: PipelineSubject) =>
    startPipeline(
      database,
      folder,
      {
        accountId: account.id,
        keyId: null,
        title: '',
        kinds: ['email'],
        verifyEmails: false,
        idempotency: null,
        fingerprint: '',
        subject,
      },
      deps.now(),
    ).data.pipeline_id;
  const waiting = start({ source: 'contacts', input: write(), mapping });
  const clock = createClock();
  const source = createPipelineSource({
    ...deps,
    database,
    folder,
    teamDirectory,
    now: clock.now,
    nowMs: () => 0,
    validator: {
      validateEmails: async () => ({ verdicts: [], findings: [] }),
      stop: () => undefined,
    },
    waterfalls: createWaterfalls({
      database,
      now: clock.now,
      wait: async () => undefined,
      providers: new Map(),
    }),
    send: () => undefined,
    readTeamPeople: async () => [],
  });
  const scheduler = startScheduler(source, clock);
  scheduler.wake();
  await expect.poll(async () => (await countQueue()).batches).toBe(1);
  const read = (id = waiting) => getPipeline(database, account.id, id)!;
  const other = start({ source: 'uuids', uuids: ['b0000000-0000-4000-8000-000000000000'] });
  scheduler.wake();
  await expect.poll(() => read(other).completedAt).not.toBeNull();
  expect(read().lookedUpTo).toBe(0);
  startWorker();
  await expect.poll(() => read().completedAt).not.toBeNull();
  const contacts = readPipelineContacts(database, read().id, { offset: 0, limit: rows.length });
  expect(contacts.map(({ email, emailState, reason }) => [email, emailState, reason])).toEqual([
    ['ann@acme.example', 'charged', ''],
    ...[0, 1, 2].map((at) => [`bo${at}@team${at}.example`, 'charged', '']),
    [null, null, 'ambiguous'],
    [null, null, 'no_match'],
  ]);
  expect(contacts[1]?.facts).toMatchObject({ firstName: 'Bo0', title: 'Clerk' });
  await isEmpty();
  await scheduler.stop();
});

test('one contact is looked up in the team directory, before a provider is paid', async () => {
  if (missing) return console.warn(missing);
  const { own, startWorker, teamDirectory, isEmpty } = await openBehind();
  const asked: unknown[] = [];
  const askProviders = async ({ row }: ContactRequest) => {
    asked.push(row);
    return { kind: 'unknown' } as const;
  };
  const ask = ([first = '', last = '', company = '']: readonly string[], patienceMs = 60_000) => {
    const row = { first_name: first, last_name: last, company_name: company };
    const deps = { database: own.database, teamDirectory, patienceMs };
    const request: ContactRequest = { row, wanted: ['work_email'], providerCap: null };
    return askBehindDirectory(deps, askProviders, request);
  };
  const [, bo = [], bo1 = []] = teamRows;
  await expect(ask(bo, 100)).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked).toEqual([]);
  startWorker();
  expect(await ask(bo)).toMatchObject({
    kind: 'found',
    matchedOn: ['first_name', 'last_name', 'company_name'],
    contact: {
      employmentStatus: 'Current',
      values: {
        Email: { value: 'bo0@team0.example', source: 'team.csv' },
        'Current title': { value: 'Clerk' },
      },
    },
  });
  // Several people may be meant: none is bought, and both are named.
  expect(await ask(twinRow)).toMatchObject({
    kind: 'withheld',
    reason: 'ambiguous',
    candidates: ['Clerk', 'Buyer'].map((title) => ({
      name: 'Dan Twin',
      title,
      company_name: 'Team Company 1',
    })),
  });
  const { suppress } = createSuppressionCommands({
    database: own.database,
    now: own.deps.now,
    onChange: () => undefined,
  });
  const values = [{ kind: 'email', value: 'bo1@team1.example' }] as const;
  await suppress({ values, reason: '', source: 'app', author: 'app' });
  expect(await ask(bo1)).toMatchObject({ kind: 'withheld', reason: 'suppressed' });
  expect(asked).toEqual([]);
  expect(await ask(teamRows.at(-1) ?? [])).toEqual({ kind: 'unknown' });
  expect(asked).toEqual([
    { first_name: 'Cy8', last_name: 'Stranger', company_name: 'Elsewhere Ltd' },
  ]);
  await isEmpty();
});
