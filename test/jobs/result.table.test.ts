// Results: written from a query, counted, read by range and by status, deleted.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { JobRow } from '../../engine/jobs/job.table.ts';
import { countParts } from '../../engine/jobs/results/batch-parts.ts';
import { insertBatch } from '../../engine/jobs/results/job-batch.table.ts';
import {
  deleteResults,
  insertResults,
  readResults,
  readResultsByStatus,
  summarizeRange,
} from '../../engine/jobs/results/result.table.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import {
  addAccount,
  addJob,
  at,
  makeTemporaryFolder,
  openTemporaryStore,
} from '../migrations/temporary-store.ts';
import { runsOf } from '../property-runs.ts';

const selectSql = `
  SELECT row_index, status, status AS reason, CASE status WHEN 0 THEN 'c' || row_index END
      AS contact_uuid, 3 * (status = 0) AS layer_bits, json_object('n', row_index) AS fields,
    0.5 AS confidence, 2 AS matched_on, NULL AS candidates, '[]' AS provenance, 0 AS contents
  FROM temp.matched ORDER BY row_index`;

/** Writes the results and the batch of a range of rows, as the job's writer does. */
function writeBatch(
  database: WritableDatabase,
  job: JobRow,
  firstRow: number,
  statuses: readonly number[],
): void {
  database.exec('CREATE TEMP TABLE IF NOT EXISTS matched (row_index INTEGER, status INTEGER)');
  database.exec('DELETE FROM temp.matched');
  const insert = database.prepare('INSERT INTO temp.matched VALUES (?, ?)');
  statuses.forEach((status, at) => {
    insert.run(firstRow + at, status);
  });
  const { people } = insertResults(database, job.resultBase, selectSql);
  expect(people).toEqual(statuses.map((status, row) => (status ? null : `c${firstRow + row}`)));
  const [enriched, skipped, failed] = [0, 1, 2].map(
    (code) => statuses.filter((status) => status === code).length,
  ) as [number, number, number];
  const rowCount = statuses.length;
  const parts = countParts(Uint8Array.from(statuses));
  insertBatch(database, {
    jobId: job.id,
    firstRow,
    rowCount,
    enriched,
    skipped,
    failed,
    at,
    parts,
    facts: new Uint32Array(rowCount),
  });
}

/** Two jobs with adjacent ranges: the second one is tested. */
function addNeighbours(database: WritableDatabase, totalRows: number): [JobRow, JobRow] {
  const account = addAccount(database, 100_000_000);
  const before = addJob(database, account.id, { totalRows: 5 });
  writeBatch(database, before, 0, [0, 1, 2, 0, 1]);
  const job = addJob(database, account.id, { totalRows });
  const after = addJob(database, account.id, { totalRows: 5 });
  writeBatch(database, after, 0, [0, 1, 2, 0, 1]);
  return [job, after];
}

test('a page of a status has what this connection or another one wrote since the last page', () => {
  const folder = makeTemporaryFolder();
  const database = openStore(folder);
  const other = openStore(folder);
  onTestFinished(() => {
    database.close();
    other.close();
  });
  const [job] = addNeighbours(database, 10);
  const pages = () =>
    [database, other].map((one) =>
      readResultsByStatus(one, {
        jobId: job.id,
        resultBase: job.resultBase,
        status: 0,
        offset: 1,
        limit: 5,
      }).map(({ rowIndex }) => rowIndex),
    );
  writeBatch(database, job, 0, [0, 1, 0]);
  expect(pages()).toEqual([[2], [2]]);
  writeBatch(database, job, 3, [1, 0]);
  expect(pages()).toEqual([
    [2, 4],
    [2, 4],
  ]);
});

test('results are returned as projected, with their row in the job', () => {
  const database = openTemporaryStore();
  const [job] = addNeighbours(database, 10);
  writeBatch(database, job, 0, [0, 1]);
  expect(readResults(database, { resultBase: job.resultBase, firstRow: 0, count: 10 })).toEqual([
    {
      rowIndex: 0,
      status: 0,
      reason: 0,
      contactUuid: 'c0',
      layerBits: 3,
      fields: '{"n":0}',
      confidence: 0.5,
      matchedOn: 2,
      candidates: null,
      provenance: '[]',
      error: null,
      inferred: null,
    },
    expect.objectContaining({ rowIndex: 1, status: 1, contactUuid: '', layerBits: 0 }),
  ]);
});

test('a row never has two results', () => {
  const database = openTemporaryStore();
  const [job] = addNeighbours(database, 10);
  writeBatch(database, job, 2, [0, 1, 0]);
  expect(() => insertResults(database, job.resultBase, selectSql)).toThrow(/UNIQUE/);
});

test('a range is counted by status and layers, with a row to match again among them', () => {
  const database = openTemporaryStore();
  const [job] = addNeighbours(database, 10);
  writeBatch(database, job, 0, [0, 0, 1, 2, 0]);
  database.exec(insertVanished(job.resultBase + 5));
  const { groups, statuses } = summarizeRange(database, job.resultBase + 1, job.resultBase + 5);
  expect([...statuses]).toEqual([0, 1, 2, 0, 3]);
  expect(groups.toSorted((a, b) => a.status - b.status)).toEqual([
    { status: 0, layerBits: 3, count: 2 },
    { status: 1, layerBits: 0, count: 1 },
    { status: 2, layerBits: 0, count: 1 },
    { status: 3, layerBits: 0, count: 1 },
  ]);
});

const insertVanished = (id: number) =>
  `INSERT INTO result (id, status, reason, layer_bits, matched_on) VALUES (${id}, 255, 0, 0, 0)`;

test('a page by status equals that of a plain filter, whatever the batches and the offset', () => {
  const batch = fc.record({
    statuses: fc.array(fc.constantFrom(0, 0, 0, 1, 2), { minLength: 1, maxLength: 12 }),
    // Rows before this batch that are not done, and whether its statuses are all the same.
    gap: fc.constantFrom(0, 0, 3),
    only: fc.constantFrom(null, null, 0, 1),
    // A batch may have many parts.
    times: fc.constantFrom(1, 1, 30),
  });
  const question = fc.record({
    status: fc.constantFrom(0, 1, 2, 3),
    offset: fc.oneof(fc.nat(60), fc.nat(2000)),
    limit: fc.integer({ min: 1, max: 40 }),
  });
  const batchesArbitrary = fc.array(batch, { maxLength: 12, size: 'max' });
  const questionsArbitrary = fc.array(question, { minLength: 5, maxLength: 20 });
  const database = openTemporaryStore();
  fc.assert(
    fc.property(batchesArbitrary, questionsArbitrary, (batches, questions) => {
      const [job] = addNeighbours(database, 6000);
      let row = 0;
      for (const { gap, only, times, ...batch } of batches) {
        row += gap;
        const once = batch.statuses.map((status) => only ?? status);
        const statuses = Array.from({ length: times }, () => once).flat();
        writeBatch(database, job, row, statuses);
        row += statuses.length;
      }
      const { id: jobId, resultBase } = job;
      const all = readResults(database, { resultBase, firstRow: 0, count: 6000 });
      for (const { status, offset, limit } of questions) {
        const filtered = all.filter((record) => record.status === status);
        const page = readResultsByStatus(database, { jobId, resultBase, status, offset, limit });
        expect(page).toEqual(filtered.slice(offset, offset + limit));
      }
    }),
    { numRuns: runsOf(60) },
  );
});

test('deleting removes the rest of a job in chunks and keeps its neighbours', () => {
  const database = openTemporaryStore();
  const [job, after] = addNeighbours(database, 5000);
  writeBatch(
    database,
    job,
    0,
    Array.from({ length: 5000 }, (_, row) => row % 3),
  );
  const { resultBase } = job;
  expect(deleteResults(database, resultBase, 4999, 5000)).toBe(1);
  expect(deleteResults(database, resultBase, 100, 5000)).toBe(4899);
  expect(readResults(database, { resultBase, firstRow: 0, count: 5000 })).toHaveLength(100);
  expect(deleteResults(database, resultBase, 0, 5000)).toBe(100);
  const [before, next] = [0, after.resultBase].map((base) =>
    readResults(database, { resultBase: base, firstRow: 0, count: 5 }),
  );
  expect([before?.length, next?.length]).toEqual([5, 5]);
});
