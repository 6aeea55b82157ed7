// People who were answered before: in the same list, by an earlier job, in an excluded job.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { ResultRowSchema } from '../../engine/contract/jobs/job.ts';
import type { LayerCode } from '../../engine/contract/jobs/layers.ts';
import { cancelJob, clearCancelledJob } from '../../engine/jobs/cancel-job.ts';
import type { JobRow } from '../../engine/jobs/job.table.ts';
import { createFirstRows } from '../../engine/jobs/repeats/first-rows.ts';
import { createHadValues } from '../../engine/jobs/repeats/had-values.ts';
import { describeRepeats, listRepeats } from '../../engine/jobs/repeats/repeat-row.table.ts';
import { exportResult } from '../../engine/jobs/results/export-result.ts';
import { createResultWriter } from '../../engine/jobs/results/present-result.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { failJob } from '../../engine/jobs/run-jobs.ts';
import { retryJob } from '../../engine/jobs/submit-job.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { replaceMerged } from '../../engine/ledger/merged-person.table.ts';
import { inventName } from '../invented-names.ts';
import { runsOf } from '../property-runs.ts';
import { now, openJobFixture } from './job-fixture.ts';

type Fixture = Awaited<ReturnType<typeof openJobFixture>>;

const day = (number: number) => new Date(Date.UTC(2026, 10, number, 10));
const person = (at: number) => [...inventName(at), 'Acme Widgets'];
const nickless = (at: number) => [...inventName(at), 'Acme Widgets Inc'];
const line = (at: number) => `p${at},${inventName(at)},Acme Widgets,Buyer,,1`;
const count = (length: number) => Array.from({ length }, (_, at) => at);

/** An environment with people 0 to 9. */
async function openPeople(people = 10): Promise<Fixture> {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', count(people).map(line));
  return fixture;
}

interface Order {
  readonly layers?: readonly LayerCode[];
  readonly newSince?: string;
  readonly at?: Date;
}

async function enrich(fixture: Fixture, rows: readonly string[][], order: Order = {}) {
  const at = () => order.at ?? now();
  const more = { at: at(), ...(order.newSince !== undefined && { newSince: order.newSince }) };
  const uuid = fixture.submit(rows, order.layers ?? ['L1'], more);
  await runJob({ ...fixture.deps, now: at }, fixture.read(uuid).id);
  return fixture.read(uuid);
}

/** The rows of a job as callers see them. */
function describe(fixture: Fixture, job: JobRow) {
  const records = fixture.results(job);
  const rows = records.map(({ rowIndex }) => rowIndex);
  const repeats = describeRepeats(fixture.database, job.resultBase, rows);
  const write = createResultWriter(job);
  return records.map((record) =>
    ResultRowSchema.parse(
      JSON.parse(write(record, '', job.createdAt, null, repeats.get(record.rowIndex))),
    ),
  );
}

test('the first row of each text is found, however many there are', () => {
  const texts = fc.uniqueArray(fc.string(), { minLength: 1_000, maxLength: 3_000, size: 'max' });
  fc.assert(
    fc.property(texts, (all) => {
      const firstRows = createFirstRows();
      const [known, unknown] = [all.slice(1), all[0]!];
      for (const [row, text] of known.entries()) firstRows.add(text, row);
      expect(known.flatMap((text) => firstRows.find(text))).toEqual([...known.keys()]);
      expect(firstRows.find(unknown)).toEqual([]);
    }),
    { numRuns: runsOf(5) },
  );
});

test('a repeated person is charged in the first row, and free in each later one', async () => {
  const fixture = await openPeople();
  const stranger = ['Unknown', 'Stranger', 'Nowhere'];
  const rows = [stranger, person(1), nickless(1), stranger, person(2), person(1)];
  const job = await enrich(fixture, rows);
  expect(job).toMatchObject({ status: 'completed', enrichedRows: 4, duplicateRows: 2 });
  expect([job.heldUnits, job.chargedUnits, job.releasedUnits]).toEqual([60_000, 20_000, 40_000]);
  const described = describe(fixture, job);
  expect(described.map((row) => [row.status, row.duplicate_of, row.credits_charged])).toEqual([
    ['skipped', null, '0.0000'],
    ['enriched', null, '1.0000'],
    ['enriched', 1, '0.0000'],
    // Rows without an answer repeat none.
    ['skipped', null, '0.0000'],
    ['enriched', null, '1.0000'],
    ['enriched', 1, '0.0000'],
  ]);
  expect(described.map((row) => row.charge_decision)).toEqual([
    'released',
    'used',
    'released',
    'released',
    'used',
    'released',
  ]);
  expect(described[2]?.enriched_fields).toEqual(described[1]?.enriched_fields);
});

test('what jobs returned is known of their people and survivors, except of new jobs on a full disk', async () => {
  const fixture = await openJobFixture();
  const { database, account } = fixture;
  const people = count(500).map((at) =>
    line(at).replace(',,', at % 2 ? ',,' : `,b${at}@acme.example,`),
  );
  await fixture.importPeople('crm.csv', people);
  const job = await enrich(fixture, count(500).map(person));
  const [withEmail = '', without = ''] = fixture.results(job).map((row) => row.contactUuid ?? '');
  const { findHad } = createHadValues(database);
  const emailsOf = async (...uuids: string[]) => {
    const had = await findHad({ accountId: account.id, people: uuids });
    return uuids.map((uuid) => had.get(uuid));
  };
  const [none, email] = [false, true].map((has) => ({ email: has, phone: false }));
  database.pragma(`max_page_count = ${database.pragma('page_count', { simple: true })}`);
  expect(await emailsOf(withEmail)).toEqual([none]);
  database.pragma('max_page_count = 1000000');
  expect(await emailsOf(withEmail, without)).toEqual([email, none]);
  const survivorUuid = 'b0000000-0000-4000-8000-000000000000';
  replaceMerged(database, [{ uuid: withEmail, survivorUuid }]);
  expect(await emailsOf(survivorUuid)).toEqual([email]);
});

test('a repeated person is found in another batch, and after the job was continued', async () => {
  const fixture = await openPeople(2_500);
  const uuid = fixture.submit([...count(2_500), ...count(2_500)].map(person));
  let committed = 0;
  const onProgress = (job: JobRow) => {
    committed = job.processedRows;
  };
  const isStopping = () => committed === 2_000 || committed === 4_000;
  await runJob({ ...fixture.deps, onProgress, isStopping }, fixture.read(uuid).id);
  for (committed = 0; fixture.read(uuid).status === 'running'; committed = 0) {
    expect(verifyLedger(fixture.database)).toEqual([]);
    const first = fixture.read(uuid).processedRows;
    const stops = () => committed > first;
    await runJob({ ...fixture.deps, onProgress, isStopping: stops }, fixture.read(uuid).id);
  }
  const job = fixture.read(uuid);
  expect(job).toMatchObject({ status: 'completed', enrichedRows: 5_000, duplicateRows: 2_500 });
  expect(job.chargedUnits).toBe(25_000_000);
  const described = describe(fixture, job).map((row) => row.duplicate_of);
  expect(described).toEqual([...count(2_500).map(() => null), ...count(2_500)]);
});

test('within the window of the account a later job is free, and names the job that paid', async () => {
  const fixture = await openPeople();
  const { database, account } = fixture;
  const paid = await enrich(fixture, [person(3), person(1)], { at: day(1) });
  const outside = await enrich(fixture, [person(1)], { at: day(2) });
  expect(outside).toMatchObject({ chargedUnits: 10_000, paidBeforeRows: 0 });
  updateAccount(database, account.id, { freeRepeatDays: 30 });
  const free = await enrich(fixture, [person(1), person(2), person(1)], { at: day(5) });
  expect(free).toMatchObject({ chargedUnits: 10_000, paidBeforeRows: 1, duplicateRows: 1 });
  expect(describe(fixture, free).map((row) => [row.paid_before, row.duplicate_of])).toEqual([
    // The newest job that paid.
    [[{ job_id: outside.uuid, row_index: 0, paid_on: '2026-11-02', layers: ['L1'] }], null],
    [[], null],
    [[], 0],
  ]);
  // A free row extends no window: 32 days after it was paid for, the person is charged again.
  const late = await enrich(fixture, [person(3)], { at: day(1 + 31) });
  expect(late).toMatchObject({ chargedUnits: 10_000, paidBeforeRows: 0 });
  expect(paid.chargedUnits).toBe(20_000);
});

test('a layer that was not bought within the window is charged', async () => {
  const fixture = await openPeople();
  const { database, account } = fixture;
  updateAccount(database, account.id, { freeRepeatDays: 30 });
  const first = await enrich(fixture, [person(1)], { layers: ['L1'], at: day(1) });
  const more = await enrich(fixture, [person(1)], { layers: ['L1', 'L2', 'MPA'], at: day(2) });
  const price = (codes: readonly LayerCode[]) =>
    codes.reduce((sum, code) => sum + (more.prices[code] ?? 0), 0);
  expect(more.chargedUnits).toBe(price(['L2', 'MPA']));
  const all = await enrich(fixture, [person(1)], { layers: ['L1', 'L2', 'MPA'], at: day(3) });
  expect(all.chargedUnits).toBe(0);
  expect(describe(fixture, all)[0]).toMatchObject({
    charge_decision: 'released',
    paid_before: [
      { job_id: more.uuid, layers: ['L2', 'MPA'], paid_on: '2026-11-02' },
      { job_id: first.uuid, layers: ['L1'], paid_on: '2026-11-01' },
    ],
  });
});

test('with layers_found only layers that were charged before are free', async () => {
  const fixture = await openPeople();
  const change = { freeRepeatDays: 30, chargePolicy: 'layers_found' } as const;
  updateAccount(fixture.database, fixture.account.id, change);
  // No phone is known, so MPA is not charged, and not paid for.
  const first = await enrich(fixture, [person(1)], { layers: ['L1', 'MPA'], at: day(1) });
  expect(first.chargedUnits).toBe(10_000);
  updateAccount(fixture.database, fixture.account.id, { chargePolicy: 'row' });
  const second = await enrich(fixture, [person(1)], { layers: ['L1', 'MPA'], at: day(2) });
  expect(second.chargedUnits).toBe(second.prices.MPA);
});

test('a job that failed or was cancelled paid for nothing', async () => {
  const fixture = await openPeople();
  updateAccount(fixture.database, fixture.account.id, { freeRepeatDays: 30 });
  const uuid = fixture.submit([person(1)]);
  failJob(fixture.database, fixture.read(uuid).id, { code: 'upstream_error', detail: '' }, now());
  const job = await enrich(fixture, [person(1)]);
  expect(job).toMatchObject({ chargedUnits: 10_000, paidBeforeRows: 0 });
});

test('a retried job does not charge people that another job has paid for meanwhile', async () => {
  const fixture = await openPeople(3_000);
  const { database, folder, account } = fixture;
  updateAccount(database, account.id, { freeRepeatDays: 30 });
  const uuid = fixture.submit(count(3_000).map(person));
  const onProgress = (job: JobRow) => {
    if (job.status === 'running' && job.processedRows === 2_000)
      failJob(database, job.id, { code: 'upstream_error', detail: 'It is down.' }, now());
  };
  await runJob({ ...fixture.deps, onProgress }, fixture.read(uuid).id);
  const other = await enrich(fixture, [person(5), person(2_500)]);
  expect(other.chargedUnits).toBe(20_000);
  retryJob(database, folder, { accountId: account.id, keyId: null, jobId: uuid }, now());
  await runJob(fixture.deps, fixture.read(uuid).id);
  const job = fixture.read(uuid);
  expect(job).toMatchObject({ status: 'completed', enrichedRows: 3_000, paidBeforeRows: 2 });
  expect(job.chargedUnits).toBe(2_998 * 10_000);
  const described = describe(fixture, job).filter((row) => row.paid_before.length > 0);
  expect(described.map((row) => row.row_index)).toEqual([5, 2_500]);
});

test('a cancelled job leaves no repeats behind', async () => {
  const fixture = await openPeople(2_100);
  const { database, account } = fixture;
  const uuid = fixture.submit([...count(1_000), ...count(1_000), ...count(100)].map(person));
  const onProgress = (job: JobRow) => {
    const command = { accountId: account.id, jobId: uuid };
    if (job.status === 'running' && job.processedRows === 2_000)
      cancelJob(database, command, now());
  };
  await runJob({ ...fixture.deps, onProgress }, fixture.read(uuid).id);
  const job = fixture.read(uuid);
  const range = { firstId: job.resultBase, lastId: job.resultBase + job.totalRows - 1 };
  expect(listRepeats(database, range)).toHaveLength(1_000);
  const turn = { pause: async () => undefined, isStopping: () => false };
  await clearCancelledJob(database, fixture.deps.kinds, job, turn);
  expect(listRepeats(database, range)).toEqual([]);
});

test('the ledger is checked against the rows that were free', async () => {
  const fixture = await openPeople();
  const { database } = fixture;
  const job = await enrich(fixture, [person(1), person(1)]);
  const spoil = (sql: string) => {
    database.exec(`SAVEPOINT spoilt; ${sql}`);
    const violations = verifyLedger(database);
    database.exec('ROLLBACK TO spoilt; RELEASE spoilt');
    return violations;
  };
  const counters = `job ${job.uuid}: its counters of repeated people are not its rows`;
  expect(spoil('DELETE FROM repeat_row')).toEqual([counters]);
  expect(spoil('UPDATE job SET duplicate_rows = 0')).toEqual([counters]);
  expect(spoil('UPDATE repeat_row SET source_id = 99')).toEqual([
    `row ${job.resultBase + 1}: the row that was charged instead does not exist`,
  ]);
});

test('a job skips the people of the earlier job that it excludes, and names their rows', async () => {
  const fixture = await openPeople();
  const week1 = await enrich(fixture, [person(1), person(2)]);
  const rows = [person(3), nickless(2), person(3)];
  const week2 = await enrich(fixture, rows, { newSince: week1.uuid });
  expect(week2).toMatchObject({ enrichedRows: 2, skippedRows: 1, knownRows: 1, duplicateRows: 1 });
  expect(week2.chargedUnits).toBe(10_000);
  const known = describe(fixture, week2)[1];
  expect(known).toMatchObject({
    status: 'skipped',
    reason: 'known_from_earlier_job',
    credits_charged: '0.0000',
    enriched_fields: {},
    known_from: { job_id: week1.uuid, row_index: 1 },
  });
  // People who were skipped as known are people of that job too.
  const week3 = await enrich(fixture, [person(2), person(4)], { newSince: week2.uuid });
  expect(week3).toMatchObject({ enrichedRows: 1, knownRows: 1 });
  expect(describe(fixture, week3)[0]?.known_from).toEqual({ job_id: week2.uuid, row_index: 1 });
});

test('the CSV names the row, the day and the job, in columns that only such jobs have', async () => {
  const fixture = await openPeople();
  const { database, folder, account } = fixture;
  const read = (job: JobRow) => {
    const unchanged = { kind: 'result', format: 'csv', overwrite: null } as const;
    const options = { status: null, forExcel: false, protectAll: false, ...unchanged };
    const chunks = exportResult(database, folder, {
      accountId: account.id,
      jobId: job.uuid,
      ...options,
    });
    return [...chunks].join('').trimEnd().split('\r\n');
  };
  const first = await enrich(fixture, [person(1)], { at: day(1) });
  expect(read(first)[0]).toMatch(/,Credits charged$/);
  const twice = await enrich(fixture, [person(2), person(2)], { at: day(1) });
  expect(read(twice)[0]).toMatch(/,Credits charged,Duplicate of row$/);
  expect(
    read(twice)
      .slice(1)
      .map((text) => text.split(',').slice(-2)),
  ).toEqual([
    ['1.0000', ''],
    ['0.0000', '1'],
  ]);
  updateAccount(database, account.id, { freeRepeatDays: 9 });
  const rows = [person(1), person(2)];
  const both = await enrich(fixture, rows, { newSince: twice.uuid, at: day(3) });
  const lines = read(both);
  expect(lines[0]).toMatch(/,Credits charged,Paid before,Known from$/);
  expect(lines[1]).toMatch(new RegExp(`,0.0000,L1 on 2026-11-01 by row 1 of job ${first.uuid},$`));
  expect(lines[2]).toMatch(new RegExp(`,0.0000,,row 1 of job ${twice.uuid}$`));
});

test('a job can exclude only a completed job of its account', async () => {
  const fixture = await openPeople();
  const uuid = fixture.submit([person(1)]);
  expect(() => fixture.submit([person(1)], ['L1'], { newSince: uuid })).toThrow(
    'new_since: the job is queued. Name a completed job.',
  );
  const none = '00000000-0000-4000-8000-000000000000';
  expect(() => fixture.submit([person(1)], ['L1'], { newSince: none })).toThrow(
    'new_since: This job does not exist. List your jobs to find its id.',
  );
});

test('each person of a list is charged once, whatever the batches and the stops', async () => {
  const people = 6;
  const fixture = await openPeople(people);
  const lists = fc.record({
    list: fc.array(fc.nat({ max: people + 2 }), { minLength: 1, maxLength: 40 }),
    batchRows: fc.integer({ min: 1, max: 9 }),
    stopsAfter: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(lists, async ({ list, batchRows, stopsAfter }) => {
      const uuid = fixture.submit(list.map(person));
      for (const batches of [...stopsAfter, Number.POSITIVE_INFINITY]) {
        let committed = -1;
        const deps = {
          ...fixture.deps,
          batchRowsMax: batchRows,
          onProgress: () => {
            committed += 1;
          },
          isStopping: () => committed >= batches,
        };
        if (fixture.read(uuid).status !== 'completed') await runJob(deps, fixture.read(uuid).id);
        expect(verifyLedger(fixture.database)).toEqual([]);
      }
      const job = fixture.read(uuid);
      const distinct = new Set(list.filter((at) => at < people));
      expect(job).toMatchObject({ status: 'completed', totalRows: list.length });
      expect(job.chargedUnits).toBe(distinct.size * 10_000);
      const described = describe(fixture, job);
      expect(job.duplicateRows).toBe(job.enrichedRows - distinct.size);
      for (const [at, row] of described.entries()) {
        const isPerson = (list[at] ?? people) < people;
        const first = isPerson ? list.indexOf(list[at] ?? 0) : at;
        expect(row.duplicate_of).toBe(first === at ? null : first);
      }
    }),
    { numRuns: runsOf(40) },
  );
});
