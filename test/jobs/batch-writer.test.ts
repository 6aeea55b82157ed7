// The writer of batches: what it tells of the rows, and when a row is copied from another.
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { employmentStatuses } from '../../engine/contract/jobs/job.ts';
import { type LayerCode, layerByCode, layerCodes } from '../../engine/contract/jobs/layers.ts';
import { attachDirectory, openDirectory } from '../../engine/directory/open-directory.ts';
import { createProjection } from '../../engine/directory/read/projection.ts';
import { readEnriched } from '../../engine/jobs/repeats/mark-repeats.ts';
import { openBatchWriter } from '../../engine/jobs/results/batch-writer.ts';
import { summarizeRange } from '../../engine/jobs/results/result.table.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { inTransaction } from '../../engine/platform/sqlite/transaction.ts';
import {
  acme,
  batchOf,
  globex,
  moved,
  type Row,
  seed,
  stayed,
} from '../directory/projection-seed.ts';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';
import { runsOf } from '../property-runs.ts';

/** A store with an attached directory, and a second connection that changes the directory. */
function openBoth() {
  const folder = makeTemporaryFolder();
  const directory = openDirectory(folder);
  directory.exec(seed);
  const database = openStore(folder);
  attachDirectory(database, folder);
  onTestFinished(() => {
    database.close();
    directory.close();
  });
  let resultBase = 0;
  return {
    database,
    directory,
    writeJob(rows: readonly Row[], codes: readonly LayerCode[]) {
      const writer = openBatchWriter(database, codes);
      const base = resultBase;
      resultBase += rows.length;
      const written = inTransaction(database, () => writer.write(batchOf(rows), base, 0));
      writer.keep();
      return { base, written };
    },
    /** The stored results of a job, without their ids. */
    read: (base: number, count: number) =>
      database
        .prepare(
          `SELECT status, reason, contact_uuid, layer_bits, fields, confidence, matched_on,
             candidates, provenance FROM result WHERE id >= ? AND id < ? ORDER BY id`,
        )
        .all(base, base + count),
    /** The same, as the directory projects the rows now. */
    project(rows: readonly Row[], codes: readonly LayerCode[]) {
      const { load, selectSql } = createProjection(database, {
        schema: 'directory',
        layers: codes,
      });
      load(batchOf(rows), 0);
      return database
        .prepare(
          `SELECT status, reason, contact_uuid, layer_bits, fields, confidence, matched_on,
             candidates, provenance FROM (${selectSql})`,
        )
        .all();
    },
  };
}

const anyRow: fc.Arbitrary<Row> = fc.record({
  person: fc.constantFrom(0, 1, 2, 3, 4, 5),
  company: fc.constantFrom(0, 0, acme, globex, 3),
  status: fc.constantFrom(...employmentStatuses),
  reason: fc.constant('no_match' as const),
});
const anyLayers = fc
  .subarray([...layerCodes], { minLength: 1 })
  .map((codes) =>
    layerCodes.filter((code) =>
      codes.some((one) => [one, ...layerByCode[one].requires].includes(code)),
    ),
  );

test('a job writes what the directory projects, and tells what a reader of its rows would count', () => {
  const jobs = fc.array(
    fc.record({ codes: anyLayers, rows: fc.array(anyRow, { minLength: 1, maxLength: 8 }) }),
    { minLength: 1, maxLength: 6 },
  );
  const { database, writeJob, read, project } = openBoth();
  fc.assert(
    fc.property(jobs, (all) => {
      for (const { codes, rows } of all) {
        const { base, written } = writeJob(rows, codes);
        expect(read(base, rows.length)).toEqual(project(rows, codes));
        const { enriched, ...summary } = written;
        expect(summary).toEqual(summarizeRange(database, base, base + rows.length - 1));
        const job = { resultBase: base };
        const range = { firstRow: 0, count: rows.length };
        expect(enriched).toEqual(readEnriched(database, job, range));
      }
    }),
    { numRuns: runsOf(30) },
  );
});

/** The layers with every record of a result. */
const all: readonly LayerCode[] = layerCodes;
const people: readonly Row[] = [
  { person: stayed, company: acme, status: 'Current' },
  { person: moved, company: acme, status: 'Changed' },
  { person: stayed, company: 0, status: 'Current' },
];

test('a later job has the new value of every column that a result is made from', () => {
  const { directory, writeJob, read, project } = openBoth();
  writeJob(people, all);
  // The columns are changed one after the other, whatever refers to them.
  directory.pragma('foreign_keys = OFF');
  const before = project(people, all);
  let seen = 0;
  const tables = [
    'person',
    'employment',
    'company',
    'person_phone',
    'source_import',
    'value_claim',
  ];
  for (const table of tables) {
    const columns = directory.pragma(`table_info(${table})`) as { name: string; type: string }[];
    const names = columns.map(({ name }) => name).join();
    directory.exec(`CREATE TEMP TABLE old_${table} AS SELECT ${names} FROM ${table}`);
    for (const { name, type } of columns) {
      const number = name === 'id' || name.endsWith('_id') ? `3 - ${name}` : `1 - ${name}`;
      const changed = type === 'TEXT' ? `coalesce(${name}, '') || '7'` : number;
      try {
        directory.exec(`UPDATE ${table} SET ${name} = ${changed}`);
      } catch (error) {
        // The key of a record, or a code of which the table has few.
        expect(String(error)).toMatch(/CHECK|UNIQUE/);
      }
      const after = project(people, all);
      seen += Number(JSON.stringify(after) !== JSON.stringify(before));
      const changedJob = writeJob(people, all);
      expect(read(changedJob.base, people.length), `${table}.${name}`).toEqual(after);
      directory.exec(`DELETE FROM ${table};
        INSERT INTO ${table} (${names}) SELECT ${names} FROM temp.old_${table}`);
      const restoredJob = writeJob(people, all);
      expect(read(restoredJob.base, people.length)).toEqual(before);
    }
  }
  expect(seen).toBeGreaterThan(50);
});

test.each([
  ['changed', "UPDATE result SET fields = NULL, contact_uuid = 'someone' WHERE id = 0"],
  ['deleted', 'DELETE FROM result WHERE id = 0'],
])('a row is not copied from one that was %s', (_, sql) => {
  const { database, writeJob, read, project } = openBoth();
  writeJob(people, all);
  database.exec(sql);
  const { base } = writeJob(people, all);
  expect(read(base, people.length)).toEqual(project(people, all));
});

test('a row about the same person is copied while nothing changes', () => {
  const { database, writeJob, read } = openBoth();
  writeJob(people, all);
  // A mark that no directory has. The writer does not see what another connection writes.
  const other = new Database(database.name);
  other.exec("UPDATE result SET fields = 'copied'");
  other.close();
  const { base } = writeJob(people, all);
  expect(read(base, people.length)).toMatchObject(people.map(() => ({ fields: 'copied' })));
});
