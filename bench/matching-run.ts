// Runs the product's matchers over lists in memory, with a directory of their own.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rowInputFields } from '../engine/contract/jobs/row-input.ts';
import { importDirectory } from '../engine/directory/import/import-directory.ts';
import { buildIndex } from '../engine/directory/index/index-build.ts';
import { createCompanyMatcher } from '../engine/directory/match/match-companies.ts';
import { createMatcher, type Matcher } from '../engine/directory/match/match-rows.ts';
import { openDirectory } from '../engine/directory/open-directory.ts';
import type {
  ReadableDatabase,
  WritableDatabase,
} from '../engine/platform/sqlite/open-database.ts';
import { formatRecords } from '../engine/spreadsheet/format-record.ts';
import { type CompanyDirectory, listCompanyRows } from './messy/company-directory.ts';
import type { MessyCompanyRow } from './messy/make-company-rows.ts';
import { writeCsv } from './messy/messy-directory.ts';
import type { Scored } from './messy/score.ts';

/** A row of a list with its true answer. */
export interface TestRow {
  /** Cells by the names of row fields; others are left out. */
  readonly cells: Readonly<Record<string, string>>;
  /** The given id of the true person or company; '' where there is none. */
  readonly truth: string;
  readonly kinds: readonly string[];
}

/** Runs work over a directory of its own in a temporary folder, and removes it. */
export async function withDirectory<Result>(
  work: (db: WritableDatabase, dir: string) => Promise<Result>,
): Promise<Result> {
  const dir = mkdtempSync(join(tmpdir(), 'matching-'));
  const db = openDirectory(dir);
  try {
    return await work(db, dir);
  } finally {
    db.close();
    rmSync(dir, { recursive: true });
  }
}

const mapping = Object.fromEntries(rowInputFields.map((field, at) => [field, at]));

/** The answer to a row: the given id of a person, '' for none. */
export interface Answer {
  readonly answer: string;
  /** 0 to 1; 0 if there is no answer. */
  readonly confidence: number;
}

/** Matches rows of people as a job does; a threshold of 0 accepts every best candidate. */
export function answerRows(
  db: ReadableDatabase,
  matcher: Matcher,
  rows: readonly Pick<TestRow, 'cells'>[],
  threshold: number,
): Answer[] {
  const cells = rows.map((row) => rowInputFields.map((field) => row.cells[field] ?? ''));
  const readGiven = db.prepare('SELECT given_id FROM person WHERE id = ?').pluck();
  const { personIds, confidences } = matcher.matchRows(formatRecords(cells), mapping, threshold);
  return rows.map((_row, at) => ({
    answer: personIds[at] === 0 ? '' : (readGiven.get(personIds[at]) as string),
    confidence: confidences[at]!,
  }));
}

/** The answers of the shipped matcher with each threshold. */
export function matchPeople(
  db: WritableDatabase,
  rows: readonly TestRow[],
  thresholds: readonly number[],
): Scored[][] {
  const matcher = createMatcher(buildIndex(db));
  return thresholds.map((threshold) => {
    const answers = answerRows(db, matcher, rows, threshold);
    return rows.map(({ truth, kinds }, at) => ({ ...answers[at]!, truth, kinds }));
  });
}

/** Matches a messy list of companies against the directory without its hidden companies. */
export const matchCompanies = (
  directory: CompanyDirectory,
  rows: readonly MessyCompanyRow[],
): Promise<Scored[]> =>
  withDirectory(async (db, dir) => {
    const companiesPath = join(dir, 'companies.csv');
    writeCsv(companiesPath, listCompanyRows(directory));
    await importDirectory(db, { companiesPath });
    const matchCompany = createCompanyMatcher(db);
    const readGiven = db.prepare('SELECT given_id FROM company WHERE id = ?').pluck();
    return rows.map(({ cells, companyId, kinds }) => {
      const { company_name: name, domain, city, state } = cells;
      const found = matchCompany({ name, domain, city, state });
      return {
        answer: found ? (readGiven.get(found.companyId) as string) : '',
        truth: companyId,
        confidence: found?.confidence ?? 0,
        kinds,
      };
    });
  });
