// Career Monitor jobs and monitors on real files: findings, charges and crashes.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { creditUnits } from '../../engine/contract/credits.ts';
import { clearCancelledJob } from '../../engine/jobs/cancel-job.ts';
import { type JobRow, listJobs, nextCancelledJob } from '../../engine/jobs/job.table.ts';
import { nextRunnableJob } from '../../engine/jobs/job-states.ts';
import { applyPicks } from '../../engine/jobs/review/apply-picks.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { charge, grant, readBalances } from '../../engine/ledger/ledger.ts';
import { listDueMonitors } from '../../engine/monitors/monitor.table.ts';
import {
  getLastMonitorJob,
  getMonitorJob,
  listMonitorJobs,
} from '../../engine/monitors/monitor-job.table.ts';
import {
  changeMonitor,
  createMonitor,
  realignMonitors,
  removeMonitor,
  requireMonitor,
  runDueMonitor,
  runMonitor,
} from '../../engine/monitors/monitors.ts';
import { presentMonitorJob, presentSummary } from '../../engine/monitors/present-monitor-job.ts';
import { readFindingsPage, requireOpenFindings } from '../../engine/monitors/read-findings.ts';
import {
  payForFindings,
  startMonitorJob,
  stopMonitorJob,
} from '../../engine/monitors/start-monitor-job.ts';
import { jobDir } from '../../engine/spreadsheet/input-folders.ts';
import { openRows } from '../../engine/spreadsheet/read-rows.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';
import { insertWebhook } from '../../engine/webhooks/webhook.table.ts';
import { inventName } from '../invented-names.ts';
import { now, openJobFixture } from '../jobs/job-fixture.ts';
import { someCharge } from '../migrations/temporary-store.ts';
import { at, count, daily, headers, line, mapping, person } from './monitor-fixture.ts';

type JobFixture = Awaited<ReturnType<typeof openJobFixture>>;

function write(fixture: JobFixture, rows: readonly string[][]) {
  const dir = join(fixture.folder, 'upload');
  const { rowCount } = writeRowsTable({ headers, rows, targetDir: dir });
  const order = { accountId: fixture.account.id, title: 'Leads', fileName: 'leads.csv' };
  return { ...order, headers, mapping, dir, rowCount };
}

const createDaily = (fixture: JobFixture) => {
  const order = { ...write(fixture, [person(0)]), schedule: daily };
  return createMonitor(fixture.database, fixture.folder, order, at('2026-11-20T10:00:00Z'));
};

const start = (fixture: JobFixture, rows: readonly string[][]) =>
  startMonitorJob(
    fixture.database,
    fixture.folder,
    { ...write(fixture, rows), monitorId: null, keyId: null },
    now(),
  ).id;

const read = (fixture: JobFixture, id: number) => {
  const job = getMonitorJob(fixture.database, fixture.account.id, id);
  if (!job) throw new Error(`no job ${id}`);
  return job;
};

const run = async (fixture: JobFixture, id: number) => {
  await runJob(fixture.deps, read(fixture, id).jobId);
  return read(fixture, id);
};

/** The jobs that the monitors which are due at a time start. */
const runDue = ({ database, folder }: JobFixture, now: Date) =>
  listDueMonitors(database, now.toISOString()).flatMap(
    (monitor) => runDueMonitor(database, folder, monitor, now) ?? [],
  );

const findings = (fixture: JobFixture, id: number, page = {}) => {
  const open = requireOpenFindings(fixture.database, fixture.account.id, id);
  const { database, folder } = fixture;
  return readFindingsPage({ database, directoryDatabase: database, folder }, open, {
    limit: 1_000,
    offset: 0,
    ...page,
  });
};

test('a job says of each contact whether it changed, left, stayed or is not known', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', [
    line(0),
    line(1, 'Acme Widgets', 'Buyer', 0),
    line(1, 'Globex Trading', 'Head Buyer'),
    line(2, 'Acme Widgets', 'Buyer', 0),
    line(3, 'Acme Widgets', 'Director'),
  ]);
  const unknown = ['Zoe', 'Quint', 'Acme Widgets', 'Buyer'];
  const id = start(fixture, [...count(4).map(person), unknown]);
  const job = await run(fixture, id);
  expect(presentMonitorJob(job).counts).toEqual({
    changed: 2,
    left: 1,
    unchanged: 1,
    no_match: 1,
    failed: 0,
  });
  const found = findings(fixture, id);
  expect(found.map(({ status }) => status)).toEqual([
    'unchanged',
    'changed',
    'left',
    'changed',
    'no_match',
  ]);
  const today = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  expect(found[1]).toMatchObject({
    row_index: 1,
    first_name: inventName(1)[0],
    upstream_contact_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    current: { 'New company name': 'Globex Trading', 'Employment status': 'Changed' },
    changes: [
      {
        field: 'company_name',
        old_value: 'Acme Widgets',
        new_value: 'Globex Trading',
        source: 'crm.csv',
        observed_at: today,
      },
      { field: 'title', old_value: 'Buyer', new_value: 'Head Buyer', source: 'crm.csv' },
    ],
  });
  expect(found[2]?.changes).toMatchObject([
    { field: 'company_name', old_value: 'Acme Widgets', new_value: '', source: 'crm.csv' },
    { field: 'title', old_value: 'Buyer', new_value: '' },
  ]);
  expect(found[4]).toMatchObject({ reason: 'no_match', last_name: 'Quint', changes: [] });
  expect(findings(fixture, id, { status: 'changed', offset: 1 })).toEqual([found[3]]);
});

test('decisions of a review count: a picked person is compared, and none stays without one', async () => {
  const fixture = await openJobFixture();
  const { database, folder, account } = fixture;
  await fixture.importPeople('crm.csv', [
    'a1,Ann,Lee,Acme Widgets,Chief,chief@acme.example,1',
    'a2,Ann,Lee,Acme Widgets,Clerk,clerk@acme.example,1',
    'b1,Bob,May,Globex,Chief,bob@globex.example,1',
    'b2,Bob,May,Globex,Clerk,may@globex.example,1',
  ]);
  const rows = [
    ['Ann', 'Lee', 'Acme Widgets', ''],
    ['Bob', 'May', 'Globex', ''],
  ];
  const uuid = fixture.submit(rows.map((row) => row.slice(0, 3)));
  await runJob(fixture.deps, fixture.read(uuid).id);
  const [row] = fixture.results(fixture.read(uuid));
  const contact_uuid: string = JSON.parse(row?.candidates ?? '[]')[0][0];
  const picks = [
    { row_index: 0, contact_uuid },
    { row_index: 1, contact_uuid: null },
  ];
  const order = { accountId: account.id, keyId: null, jobId: uuid, picks };
  applyPicks(database, folder, order, now());
  const id = start(fixture, rows);
  expect(presentMonitorJob(await run(fixture, id)).counts).toMatchObject({
    unchanged: 1,
    no_match: 1,
  });
  expect(findings(fixture, id)[0]).toMatchObject({ upstream_contact_uuid: contact_uuid });
});

test('a cell that says that there is no value is no value that changes', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', [line(0)]);
  const [first, last, company] = person(0);
  const rows = ['n/a', '-', ' ', 'unknown'].map((title) => [first!, last!, company!, title]);
  const id = start(fixture, rows);
  expect(presentMonitorJob(await run(fixture, id)).counts).toMatchObject({ unchanged: 4 });
});

test('a title at another current employment of the person is no change', async () => {
  const fixture = await openJobFixture();
  const [first, last] = person(0);
  await fixture.importPeople('crm.csv', [
    `p0,${first},${last},Globex Trading,Chair,,1`,
    `p0,${first},${last},Acme Widgets,Advisor,,1`,
  ]);
  const id = start(fixture, [
    [first!, last!, 'Acme Widgets', 'Advisor'],
    [first!, last!, 'Globex Trading', 'Chair'],
  ]);
  expect(presentMonitorJob(await run(fixture, id)).counts).toMatchObject({ unchanged: 2 });
});

test('it charges L1’s price per record with an answer, at its end', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople(
    'crm.csv',
    count(3).map((one) => line(one)),
  );
  const before = readBalances(fixture.database, fixture.account.id);
  const id = start(fixture, count(10).map(person));
  expect(readBalances(fixture.database, fixture.account.id)).toEqual(before);
  const job = await run(fixture, id);
  expect(presentSummary(job)).toMatchObject({
    status: 'Completed',
    total_records: 10,
    processed_records: 10,
    total_credits_charged: 3,
    credit_charge_failed: false,
    credit_charge_failure_reason: null,
  });
  expect(readBalances(fixture.database, fixture.account.id).spentUnits).toBe(30_000);
  expect(listJobs(fixture.database, fixture.account.id, { limit: 9, offset: 0 }).count).toBe(0);
});

test('findings that the wallet does not cover stay locked until they are paid, once', async () => {
  const fixture = await openJobFixture();
  updateAccount(fixture.database, fixture.account.id, { hasBudget: true });
  const { database, account } = fixture;
  await fixture.importPeople(
    'crm.csv',
    count(3).map((one) => line(one)),
  );
  charge(
    database,
    account.id,
    creditUnits(100_000 * 10_000 - 5_000),
    someCharge,
    now().toISOString(),
  );
  const id = start(fixture, count(3).map(person));
  expect(presentSummary(await run(fixture, id))).toMatchObject({
    status: 'Completed',
    total_credits_charged: 0,
    credit_charge_failed: true,
    credit_charge_failure_reason:
      '3 credits must be paid and the wallet has 0.5. Add 2.5 credits, then pay.',
  });
  const target = { accountId: account.id, id, keyId: null };
  expect(() => findings(fixture, id)).toThrow('These findings are locked: 3 credits must be paid');
  expect(() => payForFindings(database, target, now())).toThrow('Add 2.5 credits');
  grant(
    database,
    account.id,
    creditUnits(40_000),
    { kind: 'grant', id: 'more' },
    now().toISOString(),
  );
  expect(() => findings(fixture, id)).toThrow('which the wallet now covers. Pay');
  for (let times = 0; times < 2; times += 1)
    expect(presentSummary(payForFindings(database, target, now()))).toMatchObject({
      total_credits_charged: 3,
      credit_charge_failed: false,
      credit_charge_failure_reason: null,
    });
  expect(readBalances(database, account.id).availableUnits).toBe(15_000);
  expect(findings(fixture, id)).toHaveLength(3);
});

test('a run with changes notes monitor.changed once its findings are open, without their values', async () => {
  const fixture = await openJobFixture();
  updateAccount(fixture.database, fixture.account.id, { hasBudget: true });
  const { database, account } = fixture;
  await fixture.importPeople('crm.csv', [line(0), line(1, 'Acme Widgets', 'Director')]);
  insertWebhook(database, {
    id: '00000000-0000-4000-8000-000000000001',
    accountId: account.id,
    url: 'https://hooks.example.com/',
    events: ['monitor.changed'],
    secret: Buffer.from('sealed'),
    createdAt: now().toISOString(),
  });
  const noted = () =>
    database
      .prepare('SELECT body FROM webhook_event ORDER BY at')
      .all()
      .map((row) => JSON.parse((row as { body: string }).body).data);
  await run(fixture, start(fixture, [person(0)]));
  expect(noted()).toEqual([]);
  const { availableUnits } = readBalances(database, account.id);
  charge(database, account.id, availableUnits, someCharge, now().toISOString());
  const id = start(fixture, [person(0), person(1)]);
  await run(fixture, id);
  expect(noted()).toEqual([]);
  const more = { kind: 'grant', id: 'more' } as const;
  grant(database, account.id, creditUnits(40_000), more, now().toISOString());
  payForFindings(database, { accountId: account.id, id, keyId: null }, now());
  expect(noted()).toMatchObject([{ job_id: id, title: 'Leads', counts: { changed: 1, left: 0 } }]);
  expect(JSON.stringify(noted())).not.toContain(person(1)[1]);
});

test('a job that is stopped between any batches continues: every record once, charged once', async () => {
  const fixture = await openJobFixture();
  await fixture.importPeople(
    'crm.csv',
    count(5_000).map((one) => line(one)),
  );
  const id = start(fixture, count(5_000).map(person));
  for (const stopAt of [0, 2_000, 4_000, 5_000]) {
    let done = 0;
    const onProgress = ({ processedRows }: { processedRows: number }) => {
      done = processedRows;
    };
    const isStopping = () => done >= stopAt && stopAt < 5_000;
    await runJob({ ...fixture.deps, onProgress, isStopping }, read(fixture, id).jobId);
    const { unchanged, processedRows } = read(fixture, id);
    expect([unchanged, processedRows]).toEqual([stopAt, stopAt]);
  }
  expect(findings(fixture, id).map((one) => one.row_index)).toEqual(count(1_000));
  const spots = [0, 1_999, 2_000, 3_999, 4_990].map((offset) =>
    findings(fixture, id, { offset, limit: 1, status: 'unchanged' }).map((one) => one.row_index),
  );
  expect(spots).toEqual([[0], [1_999], [2_000], [3_999], [4_990]]);
  expect(readBalances(fixture.database, fixture.account.id).spentUnits).toBe(50_000_000);
});

test('the old value is that of the last unlocked run of the monitor, otherwise that of the row', async () => {
  const fixture = await openJobFixture();
  updateAccount(fixture.database, fixture.account.id, { hasBudget: true });
  const { database, folder, account } = fixture;
  await fixture.importPeople('crm.csv', [
    line(0),
    line(1, 'Acme Widgets', 'Buyer', 0),
    line(1, 'Globex Trading'),
  ]);
  const monitor = createMonitor(
    database,
    folder,
    { ...write(fixture, count(3).map(person)), schedule: daily },
    now(),
  );
  const target = { accountId: account.id, id: monitor.id };
  const next = async () => {
    const { id } = runMonitor(database, folder, target, now());
    await run(fixture, id);
    return id;
  };
  const first = await next();
  expect(findings(fixture, first).map(({ status }) => status)).toEqual([
    'unchanged',
    'changed',
    'no_match',
  ]);
  const second = await next();
  expect(findings(fixture, second).map(({ status }) => status)).toEqual([
    'unchanged',
    'unchanged',
    'no_match',
  ]);
  await fixture.importPeople('later.csv', [line(0, 'Initech Works', 'Chief Buyer'), line(2)]);
  charge(
    database,
    account.id,
    readBalances(database, account.id).availableUnits,
    someCharge,
    'now',
  );
  const locked = await next();
  expect(presentSummary(read(fixture, locked)).credit_charge_failed).toBe(true);
  grant(
    database,
    account.id,
    creditUnits(500_000),
    { kind: 'grant', id: 'more' },
    now().toISOString(),
  );
  const fourth = await next();
  const moved = findings(fixture, fourth)[0];
  expect(moved?.status).toBe('changed');
  expect(moved?.changes).toContainEqual(
    expect.objectContaining({ field: 'title', old_value: 'Buyer', new_value: 'Chief Buyer' }),
  );
  const fifth = await next();
  expect(findings(fixture, fifth)[0]?.status).toBe('unchanged');
});

test('a monitor that was missed many times runs once, and its next time is computed from now', async () => {
  const fixture = await openJobFixture();
  const { database, account } = fixture;
  const { id } = createDaily(fixture);
  const nextRunAt = () => requireMonitor(database, account.id, id).nextRunAt;
  expect(nextRunAt()).toBe('2026-11-21T09:00:00.000Z');
  expect(runDue(fixture, at('2026-11-21T08:59:59Z'))).toEqual([]);
  expect(runDue(fixture, at('2026-11-25T12:00:00Z'))).toHaveLength(1);
  expect(nextRunAt()).toBe('2026-11-26T09:00:00.000Z');
  expect(runDue(fixture, at('2026-11-25T12:00:01Z'))).toEqual([]);
});

test('a clock that goes back repeats no run; one that was far ahead delays none', async () => {
  const fixture = await openJobFixture();
  const { database, account } = fixture;
  const { id } = createDaily(fixture);
  const [job] = runDue(fixture, at('2026-11-21T09:00:00Z'));
  await run(fixture, job?.id ?? 0);
  const earlier = at('2026-11-21T08:30:00Z');
  realignMonitors(database, earlier);
  expect(runDue(fixture, earlier)).toEqual([]);
  expect(runDue(fixture, at('2026-11-21T09:00:00Z'))).toEqual([]);
  changeMonitor(database, { accountId: account.id, id, change: { schedule: daily } }, earlier);
  expect(runDue(fixture, at('2026-11-21T09:00:00Z'))).toEqual([]);
  expect(runDue(fixture, at('2031-01-01T09:00:00Z'))).toHaveLength(1);
  realignMonitors(database, at('2026-11-22T00:00:00Z'));
  expect(requireMonitor(database, account.id, id).nextRunAt).toBe('2026-11-23T09:00:00.000Z');
});

test('a run that is due before the previous one has ended is skipped, and the monitor says so', async () => {
  const fixture = await openJobFixture();
  const { database, account } = fixture;
  const { id } = createDaily(fixture);
  expect(runDue(fixture, at('2026-11-21T09:00:00Z'))).toHaveLength(1);
  expect(runDue(fixture, at('2026-11-22T09:00:00Z'))).toEqual([]);
  const monitor = requireMonitor(database, account.id, id);
  expect(monitor.problem).toMatch(/had not finished/);
  expect(monitor.nextRunAt).toBe('2026-11-23T09:00:00.000Z');
  const target = { accountId: account.id, id };
  expect(() => runMonitor(database, fixture.folder, target, now())).toThrow('already running');
});

test('a paused monitor is never due, and resumes with its next time from then', async () => {
  const fixture = await openJobFixture();
  const { database, account } = fixture;
  const { id } = createDaily(fixture);
  const pause = { accountId: account.id, id, change: { paused: true } };
  expect(changeMonitor(database, pause, now()).nextRunAt).toBeNull();
  expect(runDue(fixture, at('2027-01-01T00:00:00Z'))).toEqual([]);
  const resume = { ...pause, change: { paused: false } };
  const resumed = changeMonitor(database, resume, at('2027-01-01T10:00:00Z'));
  expect(resumed.nextRunAt).toBe('2027-01-02T09:00:00.000Z');
});

test('deleting a monitor stops its unfinished job without a charge; its findings stay', async () => {
  const fixture = await openJobFixture();
  const { database, folder, account } = fixture;
  await fixture.importPeople('crm.csv', [line(0)]);
  const order = { ...write(fixture, [person(0)]), schedule: daily };
  const monitor = createMonitor(database, folder, order, now());
  const target = { accountId: account.id, id: monitor.id };
  const done = await run(fixture, runMonitor(database, folder, target, now()).id);
  const queued = runMonitor(database, folder, target, now());
  removeMonitor(database, folder, target, now());
  expect(presentSummary(read(fixture, queued.id))).toMatchObject({
    status: 'Failed',
    total_credits_charged: 0,
    credit_charge_failed: false,
  });
  expect(() => requireMonitor(database, account.id, monitor.id)).toThrow(
    'This monitor does not exist',
  );
  expect(findings(fixture, done.id)).toHaveLength(1);
  expect(() => openRows(jobDir(folder, monitor.uuid))).toThrow();
  expect(nextRunnableJob(database)).toBeNull();
});

test('stopping a job during its run charges nothing and deletes its rows', async () => {
  const fixture = await openJobFixture();
  const { database, account } = fixture;
  await fixture.importPeople(
    'crm.csv',
    count(4_000).map((one) => line(one)),
  );
  const id = start(fixture, count(4_000).map(person));
  const onProgress = (job: JobRow) => {
    if (job.status === 'running' && job.processedRows === 2_000)
      stopMonitorJob(database, { accountId: account.id, id }, now());
  };
  await runJob({ ...fixture.deps, onProgress }, read(fixture, id).jobId);
  expect(presentMonitorJob(read(fixture, id))).toMatchObject({
    status: 'Failed',
    error_detail: 'The job was stopped. Nothing was charged.',
  });
  await clearCancelledJob(database, fixture.deps.kinds, nextCancelledJob(database)!, {
    pause: async () => undefined,
    isStopping: () => false,
  });
  const left = database.prepare('SELECT count(*) AS n FROM monitor_finding').get();
  expect(left).toEqual({ n: 0 });
  expect(readBalances(database, account.id).spentUnits).toBe(0);
  expect(listMonitorJobs(database, { accountId: account.id }, { limit: 5, offset: 0 }).count).toBe(
    1,
  );
  expect(getLastMonitorJob(database, 1)).toBeNull();
});
