// Finds the rows of a person in the stored inputs and the uploads of an environment.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type ColumnMapping, readMapped, rowInputFields } from '../contract/jobs/row-input.ts';
import { UploadSchema } from '../contract/uploads.ts';
import { readEmailKey, readUrlKey } from '../directory/normalize/match-address.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { rowSubject } from '../providers/waterfall/row-subject.ts';
import { jobDir } from '../spreadsheet/input-folders.ts';
import { leftOutDir } from '../spreadsheet/reading/wide-lines.ts';
import type { FoundEntry } from './found-entry.ts';
import { findInputRows, type InputRow, type InputTable } from './input-files.ts';
import { isPseudonym } from './pseudonym.ts';
import { emptySubject, type Matcher, mergeSubjects, type Subject } from './subject.ts';

export interface OwnRows {
  readonly results: ReadonlySet<number>;
  /** Pipeline → positions. */
  readonly pipelines: ReadonlyMap<number, ReadonlySet<number>>;
  readonly contactOf: (resultId: number) => string | null;
}

interface Search {
  readonly subject: Subject;
  readonly matcher: Matcher;
  readonly own: OwnRows;
}

interface FoundInputs {
  readonly entries: FoundEntry[];
  readonly resultIds: number[];
  readonly contacts: FoundEntry[];
  /** The hashes under which data services were asked about these rows. */
  readonly rowSubjects: string[];
  subject: Subject;
}

const mappedRow = (cells: readonly string[], mapping: ColumnMapping) =>
  Object.fromEntries(
    rowInputFields.flatMap((field) => {
      const cell = readMapped(cells, mapping, field);
      return cell === '' ? [] : [[field, cell]];
    }),
  );

function learnRow(found: FoundInputs, cells: readonly string[], mapping: ColumnMapping): void {
  const { client_reference_id: _reference, ...row } = mappedRow(cells, mapping);
  found.rowSubjects.push(rowSubject(row));
  const [email, profile] = [readEmailKey(row.email ?? ''), readUrlKey(row.profile_url ?? '')];
  found.subject = mergeSubjects(found.subject, {
    ...emptySubject,
    emails: email === '' ? [] : [email],
    profiles: profile === '' ? [] : [profile],
  });
}

function searchTable(
  found: FoundInputs,
  { subject, matcher }: Search,
  table: InputTable & { readonly place: 'inputs' | 'uploads'; readonly name: string },
): InputRow[] {
  if (!existsSync(join(table.dir, 'input.csv'))) return [];
  const rows = findInputRows(subject, matcher, table);
  for (const { row, columns, cells } of rows) {
    if (columns === null) learnRow(found, cells, table.mapping);
    const record = `${table.place === 'inputs' ? 'list' : 'upload'} ${table.name} row ${row + 1}`;
    if (columns?.length === 0) {
      // The other cells may be another person's.
      found.entries.push({ place: 'namesakes', key: [table.name, row], record, values: {} });
      continue;
    }
    found.entries.push({
      place: table.place,
      key: [table.name, row, columns],
      record,
      values: { cells: columns === null ? cells : columns.map((at) => cells[at]) },
    });
  }
  return rows;
}

/** The rows that were left out of a list. Their first columns are the list's own. */
function searchLeftOut(
  found: FoundInputs,
  search: Search,
  place: 'inputs' | 'uploads',
  { name, dir, mapping }: Pick<InputTable, 'dir' | 'mapping'> & { readonly name: string },
): void {
  searchTable(found, search, {
    place,
    name: `${name}/left-out`,
    dir: leftOutDir(dir),
    mapping,
    ownRows: new Set<number>(),
    owner: () => 'unknown' as const,
  });
}

interface StoredList {
  readonly id: number;
  readonly uuid: string;
  readonly mapping: string;
  readonly base: number;
  readonly total: number;
}

const tableOf = (folder: string, { uuid, mapping }: Pick<StoredList, 'uuid' | 'mapping'>) => ({
  name: uuid,
  dir: jobDir(folder, uuid),
  mapping: JSON.parse(mapping) as ColumnMapping,
});

function searchJobs(found: FoundInputs, folder: string, store: ReadableDatabase, search: Search) {
  const jobs = statement<StoredList>(
    store,
    'SELECT id, uuid, mapping, result_base AS base, total_rows AS total FROM job',
  ).all();
  const { own, subject } = search;
  for (const { base, total, ...job } of jobs) {
    const list = tableOf(folder, job);
    const ids = [...own.results].filter((id) => id >= base && id < base + total);
    const ownRows = new Set(ids.map((id) => id - base));
    const rows = searchTable(found, search, {
      place: 'inputs',
      ...list,
      ownRows,
      owner(row) {
        if (ownRows.has(row)) return 'subject';
        const contact = own.contactOf(base + row);
        if (contact === null || subject.uuids.includes(contact)) return 'unknown';
        return isPseudonym(contact) ? 'unknown' : 'other';
      },
    });
    for (const { row, columns } of rows) if (columns === null) found.resultIds.push(base + row);
    searchLeftOut(found, search, 'inputs', list);
  }
}

function searchMonitors(
  found: FoundInputs,
  folder: string,
  store: ReadableDatabase,
  search: Search,
) {
  const monitors = statement<StoredList>(store, 'SELECT id, uuid, mapping FROM monitor').all();
  const runs = statement<{ base: number; total: number }>(
    store,
    `SELECT j.result_base AS base, j.total_rows AS total
     FROM monitor_job m JOIN job j ON j.id = m.job_id WHERE m.monitor_id = ?`,
  );
  for (const { id, ...monitor } of monitors) {
    const list = tableOf(folder, monitor);
    const ownRows = new Set(
      runs
        .all(id)
        .flatMap(({ base, total }) =>
          [...search.own.results, ...found.resultIds].flatMap((one) =>
            one >= base && one < base + total ? [one - base] : [],
          ),
        ),
    );
    searchTable(found, search, {
      place: 'inputs',
      ...list,
      ownRows,
      owner: (row) => (ownRows.has(row) ? 'subject' : 'unknown'),
    });
  }
}

function searchPipelines(
  found: FoundInputs,
  folder: string,
  store: ReadableDatabase,
  search: Search,
) {
  const pipelines = statement<StoredList>(
    store,
    "SELECT id, uuid, mapping FROM pipeline WHERE source = 'contacts'",
  ).all();
  const contact = statement<{ uuid: string | null }>(
    store,
    'SELECT person_uuid AS uuid FROM pipeline_contact WHERE pipeline_id = ? AND position = ?',
  );
  for (const { id, ...pipeline } of pipelines) {
    const list = tableOf(folder, pipeline);
    const ownRows = search.own.pipelines.get(id) ?? new Set<number>();
    const rows = searchTable(found, search, {
      place: 'inputs',
      ...list,
      ownRows,
      owner(row) {
        if (ownRows.has(row)) return 'subject';
        const person = contact.get(id, row)?.uuid ?? null;
        return person === null || isPseudonym(person) ? 'unknown' : 'other';
      },
    });
    for (const { row, columns } of rows)
      if (columns === null && contact.get(id, row))
        found.contacts.push({
          place: 'contacts',
          key: [id, row],
          record: `list ${id} row ${row}`,
          values: {},
        });
  }
}

/** The tables of an upload without some rows. */
function searchChoices(
  found: FoundInputs,
  search: Search,
  { name, dir, mapping }: Pick<InputTable, 'dir' | 'mapping'> & { readonly name: string },
): void {
  for (const kept of readdirSync(dir).filter((one) => one.startsWith('kept-'))) {
    const table = { name: `${name}/${kept}`, dir: join(dir, kept), mapping };
    searchTable(found, search, {
      place: 'uploads',
      ...table,
      ownRows: new Set<number>(),
      owner: () => 'unknown' as const,
    });
    searchLeftOut(found, search, 'uploads', table);
  }
}

const StoredUploadSchema = z.object({ upload: UploadSchema }).loose();

function searchUploads(found: FoundInputs, folder: string, search: Search) {
  const uploads = join(folder, 'uploads');
  if (!existsSync(uploads)) return;
  for (const name of readdirSync(uploads)) {
    const facts = join(uploads, name, 'upload.json');
    if (!existsSync(facts)) continue;
    const text = readFileSync(facts, 'utf8');
    const { mapping, file_name: fileName } = StoredUploadSchema.parse(JSON.parse(text)).upload;
    searchTable(found, search, {
      place: 'uploads',
      name,
      dir: join(uploads, name),
      mapping,
      ownRows: new Set<number>(),
      owner: () => 'unknown' as const,
    });
    searchLeftOut(found, search, 'uploads', { name, dir: join(uploads, name), mapping });
    searchChoices(found, search, { name, dir: join(uploads, name), mapping });
    const hasRow = found.entries.some(({ place, key }) => place === 'uploads' && key[0] === name);
    if (!hasRow && search.matcher.names(text))
      found.entries.push({
        place: 'uploads',
        key: [name, -2, []],
        record: `upload ${name}`,
        values: { file_name: fileName },
      });
    else if (!hasRow && search.matcher.hasName(fileName))
      found.entries.push({
        place: 'namesakes',
        key: [name, 'file_name'],
        record: `upload ${name} file name`,
        values: { file_name: fileName },
      });
  }
}

export function findInputs(
  { folder, store }: { readonly folder: string; readonly store: ReadableDatabase },
  search: Search,
): Readonly<FoundInputs> {
  const found: FoundInputs = {
    entries: [],
    resultIds: [],
    contacts: [],
    rowSubjects: [],
    subject: emptySubject,
  };
  searchJobs(found, folder, store, search);
  searchMonitors(found, folder, store, search);
  searchPipelines(found, folder, store, search);
  searchUploads(found, folder, search);
  return found;
}
