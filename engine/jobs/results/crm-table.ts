/**
 * The table of an export for a CRM: the id of the record, then the values to be imported. A row
 * without an id becomes a new record (docs/crm-presets.md).
 */
import { EngineError } from '../../contract/errors.ts';
import {
  type CrmExport,
  type CrmName,
  crmNames,
  crmPresets,
  guessRecordId,
  type NewField,
  type RecordIds,
  rankRecordId,
} from '../../contract/exports/crm-presets.ts';
import { type ExportFormat, exportFormats } from '../../contract/exports/export-formats.ts';
import { type Reason, reasons } from '../../contract/jobs/job.ts';
import { type DisplayName, layerByCode } from '../../contract/jobs/layers.ts';
import { type ColumnMapping, readMapped } from '../../contract/jobs/row-input.ts';
import { recordIdRowsMax } from '../../contract/limits/exports.ts';
import { createSeenRecords } from '../../directory/import/import-context.ts';
import { cleanCell } from '../../directory/normalize/messy/clean-cell.ts';
import { cleanNames, splitWholeName } from '../../directory/normalize/split-name.ts';
import {
  listOwnLists,
  type OwnEntry,
  type OwnList,
  readSomeIds,
} from '../../directory/read/own-lists.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { type ExportColumn, nothingChanged } from '../../spreadsheet/export/export-table.ts';
import type { RowsFile } from '../../spreadsheet/read-rows.ts';
import type { JobRow } from '../job.table.ts';
import { readColumnRules } from '../overwrite/column-rules.ts';
import { findRecalls } from '../review/review-memory.table.ts';
import { findPicks } from '../review/review-pick.table.ts';
import { findOwnEntry, listOwnColumns } from './own-columns.ts';
import { readRowStatus } from './present-result.ts';
import type { ResultExport } from './result-export.ts';
import type { ResultTable, ResultTableRow, TableSources, WholeTable } from './result-table.ts';

const headersShown = 20;

type Listed = Pick<JobRow, 'headers' | 'totalRows' | 'fileName'>;
type Rows = readonly (readonly string[])[];

const readFirst = ({ totalRows }: Listed, rows: RowsFile): Rows =>
  rows.readRange(0, Math.min(recordIdRowsMax, totalRows));

const listIdLists = (directory: ReadableDatabase): (OwnList & { readonly idHeader: string })[] =>
  listOwnLists(directory).flatMap((list) =>
    list.kind === 'people' && list.idHeader !== null ? [{ ...list, idHeader: list.idHeader }] : [],
  );

const listCrms = (directory: ReadableDatabase, list: OwnList & { idHeader: string }): CrmName[] => {
  const ids = readSomeIds(directory, list.source, recordIdRowsMax);
  return crmNames.filter((crm) => rankRecordId(crm, list.idHeader, ids) !== null);
};

/** The format of a file by its name; a CSV if it cannot be written. */
const formatOf = (fileName: string): ExportFormat =>
  exportFormats.find((format) => fileName.toLowerCase().endsWith(`.${format}`)) ?? 'csv';

/** Where each preset finds the ids of a job's rows: in a column of the list, or in own lists. */
export function findRecordIds(job: Listed, rows: RowsFile, directory: ReadableDatabase): RecordIds {
  const { headers } = job;
  const first = readFirst(job, rows);
  const guesses = Object.fromEntries(
    crmNames.map((crm) => [crm, headers[guessRecordId(crm, headers, first) ?? -1] ?? null]),
  );
  return {
    format: formatOf(job.fileName ?? ''),
    headers: [...headers],
    guesses: guesses as Record<CrmName, string | null>,
    lists: listIdLists(directory).map((list) => ({
      source: list.source,
      crms: listCrms(directory, list),
    })),
    own_columns: listOwnColumns(listOwnLists(directory), headers).map(({ name }) => name),
  };
}

const quoteNames = (names: readonly string[]): string =>
  names
    .slice(0, headersShown)
    .map((name) => JSON.stringify(name))
    .join(', ');

/**
 * The column with the ids of records: the named one, or a likely one; null if no column is likely,
 * or if a list is named instead. Throws `validation_error` if the list does not have the named one.
 */
export function findRecordId(
  { crm, record_id: named, id_list: idList }: CrmExport,
  headers: readonly string[],
  firstRows: Rows,
): number | null {
  if (named === undefined)
    return idList === undefined ? guessRecordId(crm, headers, firstRows) : null;
  const column = headers.indexOf(named);
  if (column >= 0) return column;
  throw new EngineError(
    'validation_error',
    `preset.record_id: the list has no column ${JSON.stringify(named)}. ` +
      `Its columns: ${quoteNames(headers)}.`,
  );
}

/**
 * The own lists that give the ids of matched people: the named one, or all with ids of the CRM.
 * Throws `validation_error` if there is no list of this name with ids.
 */
function findIdLists(
  { crm, id_list: named }: CrmExport,
  directory: ReadableDatabase,
): readonly OwnList[] {
  const lists = listIdLists(directory);
  if (named === undefined) return lists.filter((list) => listCrms(directory, list).includes(crm));
  const found = lists.filter(({ source }) => source === named);
  if (found.length > 0) return found;
  const known = lists.map(({ source }) => source);
  throw new EngineError(
    'validation_error',
    `preset.id_list: no list ${JSON.stringify(named)} with ids was imported. ` +
      (known.length > 0
        ? `Lists with ids: ${quoteNames(known)}.`
        : 'Import your CRM export first, with its column of record ids.'),
  );
}

/** Checks what a preset names. Throws `validation_error`. */
export function checkPreset(
  preset: CrmExport,
  job: Listed,
  rows: RowsFile,
  directory: ReadableDatabase,
): void {
  findRecordId(preset, job.headers, readFirst(job, rows));
  findIdLists(preset, directory);
}

/** A row of the file before its cells are chosen. */
interface CrmRow {
  readonly row: ResultTableRow;
  /** '' if the row becomes a new record. */
  readonly id: string;
  /** What the list of the id says of the contact. */
  readonly entry: OwnEntry | undefined;
}

interface PlannedColumn extends ExportColumn {
  /** Place in the full table of what is written for every record; null for none. */
  readonly at: number | null;
  read(row: CrmRow): string;
}

/** What a row says of a person who becomes a new record. */
function readNewField(
  cells: readonly string[],
  mapping: ColumnMapping,
  found: (field: DisplayName) => string,
  field: NewField,
): string {
  if (field !== 'first_name' && field !== 'last_name' && field !== 'full_name')
    return cleanCell(readMapped(cells, mapping, field));
  const first = readMapped(cells, mapping, 'first_name');
  // A list with one column of names has whole names in it.
  const read =
    mapping.last_name === undefined && /\s|,/.test(first.trim())
      ? splitWholeName(first)
      : cleanNames(first, readMapped(cells, mapping, 'last_name'));
  const name = {
    first_name: found('First name') || read.first,
    last_name: found('Last name') || read.last,
  };
  return field === 'full_name' ? `${name.first_name} ${name.last_name}`.trim() : name[field];
}

/** Reasons of rows that become no new record, whatever a person decided. */
const notNew: ReadonlySet<Reason> = new Set<Reason>([
  'not_a_person',
  'suppressed',
  'source_error',
  'source_uncertain',
]);

/** What names a person; a row without any of them becomes no new record. */
const namingFields = ['last_name', 'email', 'profile_url'] as const;

/** Whether a row without an id becomes a new record. */
function becomesNew(
  { cells, shown: { record, isHidden } }: ResultTableRow,
  mapping: ColumnMapping,
  isDecided: boolean,
): boolean {
  if (isHidden || notNew.has(reasons[record.reason] ?? '')) return false;
  if (readRowStatus(record) === 'enriched') return true;
  // A row with candidates may mean a known record until a person says that it is none of them.
  const isOpen = record.candidates !== null && !isDecided;
  return (
    !isOpen && namingFields.some((field) => readNewField(cells, mapping, () => '', field) !== '')
  );
}

/** The rows about which a person decided, in this job or in an earlier one. */
function listDecided(
  database: ReadableDatabase,
  { id }: JobRow,
  stretch: readonly ResultTableRow[],
): ReadonlySet<number> {
  const open = stretch.flatMap(({ shown: { record } }) =>
    record.candidates === null ? [] : record.rowIndex,
  );
  if (open.length === 0) return new Set();
  const decided = [...findPicks(database, id, open), ...findRecalls(database, id, open)];
  return new Set(decided.map(({ rowIndex }) => rowIndex));
}

/** The columns of the file, in order. */
function planColumns(
  table: WholeTable,
  job: Pick<JobRow, 'headers' | 'codes' | 'mapping'>,
  { overwrite, preset, ownLists = true }: PresetOptions,
  recordId: number | null,
  idLists: readonly OwnList[],
): PlannedColumn[] {
  const { idHeader, columns, newColumns } = crmPresets[preset.crm];
  const [hasKnown, hasNew] = [preset.records !== 'new', preset.records !== 'known'];
  const plan: PlannedColumn[] = [];
  const taken = new Set<string>();
  const add = (column: PlannedColumn) => {
    plan.push(column);
    taken.add(column.name.trim().toLowerCase());
  };
  const fields = job.codes.flatMap((code) => layerByCode[code].fields);
  const foundIn = (cells: readonly string[], field: DisplayName): string =>
    cells[job.headers.length + fields.indexOf(field)] ?? '';
  const readNew = (field: NewField, { row: { cells } }: CrmRow) =>
    readNewField(
      cells,
      job.mapping,
      (name) => (fields.includes(name) ? foundIn(cells, name) : ''),
      field,
    );
  if (hasKnown) add({ name: idHeader, type: 'text', isOwn: true, at: null, read: ({ id }) => id });
  if (overwrite)
    for (const { rule, column: at } of readColumnRules(job, overwrite))
      if (rule !== 'never' && at !== recordId)
        add({
          name: job.headers[at] ?? '',
          type: 'text',
          isOwn: true,
          at,
          read: ({ row }) => row.cells[at] ?? '',
        });
  const newFields = new Map(
    Object.entries(newColumns).map(([field, name]) => [name, field as NewField]),
  );
  const addNew = (isName: boolean) => {
    for (const [name, field] of hasNew ? newFields : [])
      if (/name$/.test(field) && field !== 'company_name' ? isName : !isName)
        if (!taken.has(name.toLowerCase()))
          add({
            name,
            type: 'text',
            isOwn: false,
            at: null,
            read: (row) => (row.id === '' ? readNew(field, row) : ''),
          });
  };
  addNew(true);
  if (!overwrite || overwrite.found_columns)
    for (const [place, field] of fields.entries()) {
      const name = columns[field];
      if (name === undefined) continue;
      const at = job.headers.length + place;
      const given = newFields.get(name);
      const shown = taken.has(name.toLowerCase()) ? `${name} (found)` : name;
      add({
        name: shown,
        type: table.columns[at]?.type ?? 'text',
        isOwn: false,
        at,
        read: (row) => row.row.cells[at] || (row.id === '' && given ? readNew(given, row) : ''),
      });
    }
  addNew(false);
  if (ownLists && hasKnown)
    for (const { name, header, source } of listOwnColumns(idLists, [...taken]))
      if (header !== null && !plan.some((column) => column.name === name))
        add({
          name,
          type: 'text',
          isOwn: true,
          at: null,
          read: ({ row, entry }) =>
            (entry ?? findOwnEntry(row.own, { kind: 'people', source }))?.kept[header] ?? '',
        });
  return plan;
}

type PresetOptions = Pick<ResultExport, 'overwrite' | 'ownLists'> & { readonly preset: CrmExport };

/** The part of a result's table that a CRM imports. It has one sheet: no list of changes. */
export function pickForCrm(
  table: WholeTable,
  job: JobRow,
  { rows, directory, database }: TableSources,
  options: PresetOptions,
): ResultTable {
  const { preset } = options;
  const recordId = findRecordId(preset, job.headers, readFirst(job, rows));
  const idLists = findIdLists(preset, directory);
  const plan = planColumns(table, job, options, recordId, idLists);
  const places = new Map(plan.flatMap(({ at }, place) => (at === null ? [] : [[at, place]])));
  let written = 0;
  /** The record that a row is of; null if the row is in neither kind of file. */
  const createReader = () => {
    const seen = createSeenRecords();
    return (row: ResultTableRow, isDecided: boolean): CrmRow | null => {
      const cell = recordId === null ? '' : (row.cells[recordId] ?? '');
      const given = cell.trim() === '' ? '' : cell;
      const entries = idLists.flatMap(
        (list) => findOwnEntry(row.own, { kind: 'people', source: list.source }) ?? [],
      );
      const entry = entries.find(({ id }) => id !== '');
      const id = given || (entry?.id ?? '');
      if (id === '')
        return becomesNew(row, job.mapping, isDecided) && preset.records !== 'known'
          ? { row, id, entry }
          : null;
      if (preset.records === 'new') return null;
      // An importer refuses, or overwrites, a record that it meets twice.
      if (given === '' && row.own) {
        if (seen.has(row.own.recordId)) return null;
        seen.add(row.own.recordId);
      }
      return { row, id, entry };
    };
  };
  return {
    columns: plan.map(({ name, type, isOwn }) => ({ name, type, isOwn })),
    *rows() {
      written = 0;
      const read = createReader();
      for (const stretch of table.rows()) {
        const decided = listDecided(database, job, stretch);
        const records = stretch.flatMap(
          (row) => read(row, decided.has(row.shown.record.rowIndex)) ?? [],
        );
        written += records.length;
        yield records.map((record) => ({
          cells: plan.map((column) => column.read(record)),
          changed:
            record.row.changed.length === 0
              ? nothingChanged
              : record.row.changed.flatMap((at) => places.get(at) ?? []),
        }));
      }
    },
    changes: null,
    readEnd: () => ({ ...table.readEnd(), rows: written }),
  };
}
