// Measures matching on real people and companies: precision and recall, by kind of noise.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { sampleSource, unpackSample } from '../../engine/directory/import/sample.ts';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import { createCompanyMatcher } from '../../engine/directory/match/match-companies.ts';
import { createMatcher } from '../../engine/directory/match/match-rows.ts';
import { defaultMatchThreshold } from '../../engine/directory/match/match-threshold.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { formatRecords } from '../../engine/spreadsheet/format-record.ts';

type Row = Record<string, string>;

/** Rows with a right answer, with a wrong one, and without the answer that exists. */
export interface Count {
  rows: number;
  right: number;
  wrong: number;
  missed: number;
}
/** The counts of a list: all of it, and each kind of noise. */
export interface Quality {
  readonly all: Count;
  readonly byKind: ReadonlyMap<string, Count>;
  /** The wrong answers, as readable lines. */
  readonly mistakes: readonly string[];
}

const fixturesDir = join(import.meta.dirname, '..', 'fixtures', 'matching');
const readFixture = (name: string): Row[] =>
  parse(readFileSync(join(fixturesDir, name)), { columns: true });

export const precisionOf = ({ right, wrong }: Count): number => right / (right + wrong);
/** Share of the rows with a true answer that have the right answer. */
export const recallOf = ({ right, missed }: Count): number => right / (right + missed);

const newCount = (): Count => ({ rows: 0, right: 0, wrong: 0, missed: 0 });

/** Counts given answers ('' for none) by comparing them with the true ones. */
function countAnswers(
  inputs: readonly Row[],
  truth: ReadonlyMap<string, Row>,
  trueId: (row: Row) => string,
  given: readonly string[],
): Quality {
  const all = newCount();
  const byKind = new Map<string, Count>();
  const mistakes: string[] = [];
  for (const [at, input] of inputs.entries()) {
    const expected = truth.get(input.row_id!)!;
    const right = expected.expected === 'match' ? trueId(expected) : '';
    const kind = expected.noise_kind!;
    const answer = given[at]!;
    if (!byKind.has(kind)) byKind.set(kind, newCount());
    for (const count of [all, byKind.get(kind)!]) {
      count.rows++;
      if (answer !== '' && answer === right) count.right++;
      else {
        if (answer !== '') count.wrong++;
        if (right !== '') count.missed++;
      }
    }
    if (answer !== '' && answer !== right)
      mistakes.push(`${kind}: ${Object.values(input).join('|')} → ${answer}, not ${right || '—'}`);
  }
  return { all, byKind, mistakes };
}

const byRowId = (rows: Row[]): Map<string, Row> => new Map(rows.map((row) => [row.row_id!, row]));

/** Runs work over a directory in a temporary folder, and removes it. */
async function withDirectory<Result>(
  work: (db: WritableDatabase, dir: string) => Promise<Result>,
  fillFolder?: (dir: string) => Promise<void>,
) {
  const dir = mkdtempSync(join(tmpdir(), 'matching-'));
  await fillFolder?.(dir);
  const db = openDirectory(dir);
  try {
    return await work(db, dir);
  } finally {
    db.close();
    rmSync(dir, { recursive: true });
  }
}

async function importSample(db: WritableDatabase, dir: string): Promise<void> {
  const files = await unpackSample(join(dir, 'sample'));
  await importDirectory(db, {
    peoplePath: files.people,
    companiesPath: files.companies,
    source: sampleSource,
  });
}

/**
 * Matches the known contacts against the bundled sample.
 * @param copySample fills a data folder with an imported sample; by default it is imported
 */
export const measurePeople = (copySample?: (dataDir: string) => Promise<void>): Promise<Quality> =>
  withDirectory(async (db, dir) => {
    if (!copySample) await importSample(db, dir);
    const inputs = readFixture('dev_inputs.csv');
    const fields = ['first_name', 'last_name', 'company_name', 'email', 'profile_url'] as const;
    const mapping = Object.fromEntries(fields.map((field, at) => [field, at]));
    const rows = inputs.map((input) => fields.map((field) => input[field]!));
    const batch = createMatcher(buildIndex(db)).matchRows(
      formatRecords(rows),
      mapping,
      defaultMatchThreshold,
    );
    const readGiven = db.prepare('SELECT given_id FROM person WHERE id = ?').pluck();
    const given = [...batch.personIds].map((id) => (id === 0 ? '' : (readGiven.get(id) as string)));
    const truth = byRowId(readFixture('dev_truth.csv'));
    return countAnswers(inputs, truth, (row) => row.person_id!, given);
  }, copySample);

/** Imports the companies of the fixture and matches the known names against them. */
export const measureCompanies = (): Promise<Quality> =>
  withDirectory(async (db) => {
    await importDirectory(db, { companiesPath: join(fixturesDir, 'company_match_directory.csv') });
    const inputs = readFixture('company_dev_inputs.csv');
    const matchCompany = createCompanyMatcher(db);
    const readGiven = db.prepare('SELECT given_id FROM company WHERE id = ?').pluck();
    const given = inputs.map((input) => {
      const found = matchCompany({
        name: input.company_name!,
        city: input.city!,
        state: input.state!,
      });
      return found ? (readGiven.get(found.companyId) as string) : '';
    });
    const truth = byRowId(readFixture('company_dev_truth.csv'));
    return countAnswers(inputs, truth, (row) => row.company_id!, given);
  });
