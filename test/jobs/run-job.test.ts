// One job at a time on real files: all its outcomes, and a directory that changes during it.
import { expect, test } from 'vitest';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { undoImport } from '../../engine/directory/import/undo-import.ts';
import { cancelJob, clearCancelledJob } from '../../engine/jobs/cancel-job.ts';
import type { JobRow } from '../../engine/jobs/job.table.ts';
import { presentJob } from '../../engine/jobs/present-job.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { failJob } from '../../engine/jobs/run-jobs.ts';
import { retryJob } from '../../engine/jobs/submit-job.ts';
import { readBalances } from '../../engine/ledger/ledger.ts';
import { insertWebhook } from '../../engine/webhooks/webhook.table.ts';
import { inventName } from '../invented-names.ts';
import { now, openJobFixture } from './job-fixture.ts';

const person = (at: number) => [...inventName(at), 'Acme Widgets'];
const line = (at: number) => `p${at},${inventName(at)},Acme Widgets,Buyer,,1`;
const count = (length: number) => Array.from({ length }, (_, at) => at);

test('a job writes every row once, in order, and settles its enriched rows', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople(
    'crm.csv',
    count(4_500)
      .filter((at) => at % 3 > 0)
      .map(line),
  );
  const uuid = fixture.submit(count(4_500).map(person));
  const seen: number[] = [];
  const onProgress = (job: JobRow) => void seen.push(job.processedRows);
  await runJob({ ...fixture.deps, onProgress }, fixture.read(uuid).id);
  const job = fixture.read(uuid);
  expect(seen).toEqual([0, 2_000, 4_000, 4_500, 4_500]);
  expect(job).toMatchObject({ status: 'completed', enrichedRows: 3_000, skippedRows: 1_500 });
  expect([job.chargedUnits, job.releasedUnits]).toEqual([30_000_000, 15_000_000]);
  expect(fixture.results(job).map((row) => row.rowIndex)).toEqual(count(4_500));
  expect(fixture.results(job).map((row) => row.status)).toEqual(
    count(4_500).map((at) => (at % 3 > 0 ? 0 : 1)),
  );
});

test('a completed job notes job.completed with its final status for the webhooks of its account', async () => {
  const fixture = await openJobFixture();
  const { database, account } = fixture;
  await fixture.importPeople('crm.csv', ['a1,Ann,Lee,Acme,Chief,ann@acme.example,1']);
  insertWebhook(database, {
    id: '00000000-0000-4000-8000-000000000001',
    accountId: account.id,
    url: 'https://hooks.example.com/',
    events: ['job.completed'],
    secret: Buffer.from('sealed'),
    createdAt: now().toISOString(),
  });
  const uuid = fixture.submit([['Ann', 'Lee', 'Acme']]);
  await runJob(fixture.deps, fixture.read(uuid).id);
  const events = database.prepare('SELECT kind, body FROM webhook_event').all() as {
    kind: string;
    body: string;
  }[];
  expect(events.map(({ kind }) => kind)).toEqual(['job.completed']);
  expect(JSON.parse(events[0]!.body).data).toEqual(presentJob(fixture.read(uuid)));
  expect(JSON.parse(events[0]!.body).data).toMatchObject({
    status: 'completed',
    credits_charged: '1.0000',
  });
});

test('a stopped job continues where it was, and writes no row twice', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', count(5_000).map(line));
  const uuid = fixture.submit(count(5_000).map(person));
  let committed = 0;
  const onProgress = (job: JobRow) => {
    committed = job.processedRows;
  };
  const isStopping = () => committed >= 2_000;
  await runJob({ ...fixture.deps, onProgress, isStopping }, fixture.read(uuid).id);
  expect(fixture.read(uuid)).toMatchObject({ status: 'running', processedRows: 2_000 });
  expect(readBalances(fixture.database, fixture.account.id).heldUnits).toBe(50_000_000);
  await runJob(fixture.deps, fixture.read(uuid).id);
  expect(fixture.read(uuid)).toMatchObject({ status: 'completed', enrichedRows: 5_000 });
  expect(fixture.results(fixture.read(uuid))).toHaveLength(5_000);
});

test('cancelling between batches releases the whole hold and deletes the rows', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', count(5_000).map(line));
  const uuid = fixture.submit(count(5_000).map(person));
  const command = { accountId: fixture.account.id, keyId: null, jobId: uuid };
  const onProgress = (job: JobRow) => {
    if (job.status === 'running' && job.processedRows === 2_000)
      cancelJob(fixture.database, command, now());
  };
  await runJob({ ...fixture.deps, onProgress }, fixture.read(uuid).id);
  const job = fixture.read(uuid);
  expect(job).toMatchObject({ status: 'cancelled', chargedUnits: 0, releasedUnits: 50_000_000 });
  expect(readBalances(fixture.database, fixture.account.id)).toMatchObject({ heldUnits: 0 });
  await clearCancelledJob(fixture.database, fixture.deps.kinds, job, {
    pause: async () => undefined,
    isStopping: () => false,
  });
  expect(fixture.results(job)).toEqual([]);
});

test('a row whose person was deleted during the job is matched again', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople(
    'kept.csv',
    count(4_000)
      .filter((at) => at % 2 > 0)
      .map(line),
  );
  const importId = await fixture.importPeople(
    'undone.csv',
    count(4_000)
      .filter((at) => at % 2 === 0)
      .map(line),
  );
  const uuid = fixture.submit(count(4_000).map(person));
  const onProgress = (job: JobRow) => {
    if (job.processedRows === 2_000) undoImport(fixture.directory, importId);
  };
  await runJob({ ...fixture.deps, onProgress }, fixture.read(uuid).id);
  const job = fixture.read(uuid);
  expect(job).toMatchObject({ status: 'completed', enrichedRows: 3_000, skippedRows: 1_000 });
  const statuses = fixture.results(job).map((row) => row.status);
  expect(statuses.slice(0, 2_000).every((status) => status === 0)).toBe(true);
  expect(statuses.slice(2_000)).toEqual(count(2_000).map((at) => (at % 2 > 0 ? 0 : 1)));
});

test('layers_found charges for the layers that returned data; row charges for all of them', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', count(10).map(line));
  const rows = count(10).map(person);
  const byRow = fixture.submit(rows, ['L1', 'MPA']);
  updateAccount(fixture.database, fixture.account.id, { chargePolicy: 'layers_found' });
  const byLayer = fixture.submit(rows, ['L1', 'MPA']);
  for (const uuid of [byRow, byLayer]) await runJob(fixture.deps, fixture.read(uuid).id);
  expect(fixture.read(byRow)).toMatchObject({ chargedUnits: 600_000, releasedUnits: 0 });
  expect(fixture.read(byLayer)).toMatchObject({ chargedUnits: 100_000, releasedUnits: 500_000 });
});

test('a failed job is held again by a retry, keeps its rows and finishes', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', count(5_000).map(line));
  const uuid = fixture.submit(count(5_000).map(person));
  const onProgress = (job: JobRow) => {
    if (job.status === 'running' && job.processedRows === 2_000)
      failJob(fixture.database, job.id, { code: 'upstream_error', detail: 'It is down.' }, now());
  };
  await runJob({ ...fixture.deps, onProgress }, fixture.read(uuid).id);
  expect(fixture.read(uuid)).toMatchObject({ status: 'failed', error: 'upstream_error' });
  expect(readBalances(fixture.database, fixture.account.id).heldUnits).toBe(0);
  const command = { accountId: fixture.account.id, keyId: null, jobId: uuid };
  const again = retryJob(fixture.database, fixture.folder, command, now());
  expect(again).toMatchObject({ job_id: uuid, status: 'queued', credits_held: '5000.0000' });
  await runJob(fixture.deps, fixture.read(uuid).id);
  expect(fixture.read(uuid)).toMatchObject({ status: 'completed', enrichedRows: 5_000 });
  expect(() => retryJob(fixture.database, fixture.folder, command, now())).toThrow('No row');
});
