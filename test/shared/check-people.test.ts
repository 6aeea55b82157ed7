// The check of answers lets through what the matcher answers, with the records of a few people.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowInputFields } from '../../engine/contract/jobs/row-input.ts';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import { createMatcher } from '../../engine/directory/match/match-rows.ts';
import { defaultMatchThreshold } from '../../engine/directory/match/match-threshold.ts';
import type { ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { checkAnswer } from '../../engine/shared/records/check-people.ts';
import { openFetched } from '../../engine/shared/records/fetched-tables.ts';
import { formatRecords } from '../../engine/spreadsheet/format-record.ts';
import { makeRandomDirectory, randomDirectory } from './random-directory.ts';

const mapping = Object.fromEntries(rowInputFields.map((field, at) => [field, at]));

function readRecords(db: ReadableDatabase, people: readonly number[], named: readonly number[]) {
  const read = (table: string, column: string, ids: readonly number[]) =>
    db
      .prepare(`SELECT * FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(ids)) as Record<string, unknown>[];
  const employment = read('employment', 'person_id', people);
  const companies = [...employment.map((job) => Number(job.company_id)), ...named];
  return {
    person: read('person', 'id', people),
    person_name: read('person_name', 'person_id', people),
    person_key: read('person_key', 'person_id', people),
    person_phone: read('person_phone', 'person_id', people),
    employment,
    company: read('company', 'id', companies),
    company_alias: read('company_alias', 'company_id', companies),
  };
}

test('every person that the matcher accepts or offers fits the row, whatever the directory', async () => {
  const scratch = openFetched();
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(randomDirectory(60), async (drawn) => {
      const db = makeRandomDirectory(drawn.people);
      const rows = drawn.rows.map((row) => rowInputFields.map((field) => row[field] ?? ''));
      const threshold = defaultMatchThreshold;
      const batch = createMatcher(buildIndex(db)).matchRows(
        formatRecords(rows),
        mapping,
        threshold,
      );
      const people = [
        ...batch.personIds.filter((id) => id > 0),
        ...batch.candidates.flatMap(({ personIds }) => personIds),
      ];
      accepted += batch.personIds.filter((id) => id > 0).length;
      const records = readRecords(db, people, [...batch.companyIds]);
      const checked = await checkAnswer(scratch, batch, records, { rows, mapping, threshold });
      expect([...checked.wrong]).toEqual([]);
      expect(checked.batch.candidates).toEqual(batch.candidates);
    }),
    { numRuns: 40 },
  );
  expect(accepted).toBeGreaterThan(0);
  scratch.close();
});
