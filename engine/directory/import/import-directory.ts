// Imports lists of people and companies into the directory, completely or not at all.
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ImportOptions, ImportReport } from '../../contract/directory.ts';
import { EngineError, invalid } from '../../contract/errors.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { explainFullFolder } from '../../platform/sqlite/system-refusal.ts';
import { parseReport, readStats } from '../stats.ts';
import { enterBulkLoad, type LoadPlan } from './bulk-load.ts';
import { findUnread, type StagedList, stageList } from './decode/decode-list.ts';
import { companyColumns, personColumns } from './decode/import-columns.ts';
import { checkChoices } from './decode/map-columns.ts';
import type { ListKind } from './decode/parse-rows.ts';
import { createTally, type ImportTally, makeReport } from './import-tally.ts';
import { type ImportHead, type ListHashes, type Lists, writeLists } from './write-lists.ts';

/** Default trust in a source (docs/rules.md, "The directory"). */
const defaultTrust = 0.8;

export interface ImportRequest extends ImportOptions {
  readonly peoplePath?: string | undefined;
  readonly companiesPath?: string | undefined;
  /** The original names of the files; default to the names in the paths. */
  readonly peopleName?: string | undefined;
  readonly companiesName?: string | undefined;
  /** See DirectoryCalls. */
  readonly beganAt?: string | undefined;
  /** Runs at the end of the transaction of a successful import. */
  readonly beforeCommit?: (() => void) | undefined;
}

/** Called with the number of rows done of a file or of a named stage, and the total of this. */
export type OnImportProgress = (done: number, total: number, label: string) => void;

/**
 * Whether this is the first import. Then nothing can be a repeat, so a list can be imported while
 * it is read. With chosen columns, its headers must be known first.
 */
function isFirstImport(db: WritableDatabase, request: ImportRequest): boolean {
  const sql = "SELECT 1 FROM source_import WHERE status = 'completed' LIMIT 1";
  return !hasChoices(request) && !statement(db, sql).get();
}

const hasChoices = ({ mapping = {}, keep = [] }: ImportRequest): boolean =>
  Object.keys(mapping).length + keep.length > 0;

const isStaged = (list: Lists[ListKind]): list is StagedList => !!list && 'sha256' in list;

async function stageLists(
  request: ImportRequest,
  isFirst: boolean,
  dir: string,
  signal: AbortSignal | undefined,
): Promise<Lists> {
  const stage = async (kind: 'people' | 'companies') => {
    const path = request[`${kind}Path`];
    const name = request[`${kind}Name`];
    if (!path) return null;
    const ofCompanies = kind === 'companies' ? request.companies_reading : undefined;
    const source = { path, name, reading: ofCompanies ?? request.reading, signal };
    const unread = isFirst ? await findUnread(source) : null;
    return unread ?? stageList({ ...source, targetDir: join(dir, kind) });
  };
  const lists = { companies: await stage('companies'), people: await stage('people') };
  const { people, companies } = lists;
  if (!people && !companies) throw invalid('Choose a file of people, of companies, or both.');
  if (hasChoices(request))
    checkChoices(request, [
      ...(isStaged(people) ? [{ headers: people.headers, dictionary: personColumns }] : []),
      ...(isStaged(companies) ? [{ headers: companies.headers, dictionary: companyColumns }] : []),
    ]);
  return lists;
}

function hashContent(hashes: ListHashes, source: string, request: ImportRequest): string {
  const { trust = defaultTrust, observed, mapping = {}, day_order: dayOrder, keep } = request;
  const rows = [hashes.people, hashes.companies];
  const kept = keep ?? 'by default';
  return hash('sha256', JSON.stringify([rows, source, trust, observed, mapping, dayOrder, kept]));
}

/** The report of an import of the same content that was not undone; null if there is none. */
function findSame(db: WritableDatabase, content: string): ImportReport | null {
  const same = statement<{ report: string }>(
    db,
    `SELECT report FROM source_import WHERE content = ? AND status = 'completed'
     ORDER BY id DESC LIMIT 1`,
  ).get(content);
  return same ? parseReport(same.report) : null;
}

/** The counts of importing the same content again: everything is unchanged. */
function repeatTally({ remarks, columns, ...counts }: ImportReport): ImportTally {
  const tally = createTally();
  tally.remarks.push(...remarks);
  tally.columns.push(...columns);
  tally.counts.rows_read = counts.rows_read;
  tally.counts.rows_opted_out = counts.rows_opted_out;
  tally.counts.rows_refused = counts.rows_refused;
  tally.counts.people_unchanged =
    counts.people_added + counts.people_updated + counts.people_merged + counts.people_unchanged;
  tally.counts.companies_unchanged =
    counts.companies_added + counts.companies_updated + counts.companies_unchanged;
  return tally;
}

interface RequestHead extends Omit<ImportHead, 'importId'> {
  readonly startedAt: string;
}

/** People of the directory whose keys and indexes cost less than the lookups of a row. */
const peoplePerRowMax = 4;

function planLoad(db: WritableDatabase, lists: Lists): LoadPlan {
  const { people, companies } = readStats(db);
  const isBulk = people === 0 || (lists.people?.rowCount ?? 0) * peoplePerRowMax > people;
  return { isWithoutCompanies: companies === 0, isBulk };
}

function beginImport(db: WritableDatabase, head: RequestHead): number {
  const { lastInsertRowid } = statement(
    db,
    `INSERT INTO source_import (source, trust, observed_on, status, started_at)
     VALUES (@source, @trust, @observedOn, 'running', @startedAt)`,
  ).run(head);
  return Number(lastInsertRowid);
}

/** Begins the part of an import that is its companies, which show the name of their own file. */
function beginCompanies(db: WritableDatabase, importId: number, name: string): number {
  const { lastInsertRowid } = statement(
    db,
    `INSERT INTO source_import (source, name, part_of, trust, observed_on, status, started_at)
     SELECT source, ?, id, trust, observed_on, 'completed', started_at
     FROM source_import WHERE id = ?`,
  ).run(name, importId);
  return Number(lastInsertRowid);
}

function endImport(db: WritableDatabase, report: ImportReport, content: string): ImportReport {
  statement(
    db,
    'UPDATE source_import SET status = ?, report = ?, completed_at = ?, content = ? WHERE id = ?',
  ).run(report.status, JSON.stringify(report), report.completed_at, content, report.import_id);
  return report;
}

/**
 * Imports people, companies or both (companies first) in one transaction: a failure or cancellation
 * leaves the directory unchanged, with a record of the failure. Reads any supported encoding and
 * delimiter, and .xlsx. Memory does not grow with the files. The connection cannot be used for
 * anything else meanwhile. Throws EngineError if a file cannot be read, has no usable column, or
 * the mapping is wrong.
 * @param signal stops the import with the signal's reason
 * @returns the report; its remarks list rows that could not be used, with line and reason
 */
export async function importDirectory(
  db: WritableDatabase,
  request: ImportRequest,
  onProgress?: OnImportProgress,
  signal?: AbortSignal,
): Promise<ImportReport> {
  const startedAt = new Date().toISOString();
  const dir = mkdtempSync(join(dirname(db.name), 'import-'));
  let leaveBulkLoad: () => void = () => undefined;
  try {
    const lists = await stageLists(request, isFirstImport(db, request), dir, signal);
    const fileNames = [lists.people, lists.companies].flatMap((list) => list?.fileName ?? []);
    const source = request.source ?? fileNames[0] ?? 'import';
    const head: RequestHead = {
      source,
      trust: request.trust ?? defaultTrust,
      observedOn: request.observed ?? startedAt.slice(0, 10),
      startedAt,
    };
    const hashed = (hashes: ListHashes) => hashContent(hashes, source, request);
    const end = (importId: number, tally: ImportTally, content: string | null, error = '') => {
      const status = content === null ? ('failed' as const) : ('completed' as const);
      const words = { source, file_names: fileNames, status, error: error || null };
      const completedAt = new Date().toISOString();
      const times = { started_at: startedAt, completed_at: completedAt };
      const head = { import_id: importId, ...words, ...times };
      return endImport(db, makeReport(head, tally), content ?? '');
    };
    const stagedHashes = {
      people: isStaged(lists.people) ? lists.people.sha256 : undefined,
      companies: isStaged(lists.companies) ? lists.companies.sha256 : undefined,
    };
    const same = findSame(db, hashed(stagedHashes));
    if (same?.completed_at && request.beganAt && same.completed_at >= request.beganAt) return same;
    const plan = planLoad(db, lists);
    if (plan.isBulk) leaveBulkLoad = enterBulkLoad(db);
    db.exec('BEGIN IMMEDIATE');
    try {
      const importId = beginImport(db, head);
      const name = request.source ?? lists.companies?.fileName ?? source;
      const { tally, hashes } = same
        ? { tally: repeatTally(same), hashes: stagedHashes }
        : await writeLists(db, lists, {
            head: { ...head, importId },
            companiesId: name === source ? importId : beginCompanies(db, importId, name),
            choices: { mapping: request.mapping, keep: request.keep },
            dayOrder: request.day_order,
            plan,
            signal,
            onProgress,
          });
      const report = end(importId, tally, hashed(hashes));
      request.beforeCommit?.();
      db.exec('COMMIT');
      return report;
    } catch (caught) {
      const error = explainFullFolder(caught, db.name);
      if (db.inTransaction) db.exec('ROLLBACK');
      const words =
        error instanceof EngineError
          ? error.detail
          : 'The import was stopped. Import the file again.';
      end(beginImport(db, head), createTally(), null, words);
      throw error;
    }
  } finally {
    leaveBulkLoad();
    rmSync(dir, { recursive: true, force: true });
  }
}
