// The table of an export for a CRM: the id of the record, then the values to be imported. A row
// without an id becomes a new record (docs/crm-presets.md).
import type { ImportKind } from '../../contract/directory.ts';
import { invalid } from '../../contract/errors.ts';
import { type CrmExport, type CrmName, crmNames } from '../../contract/exports/crm-export.ts';
import {
  crmPresets,
  explainForm,
  guessRecordId,
  kindOfRows,
  type NewField,
  type RecordCounts,
  type RecordIds,
  type RecordOutcome,
  rankRecordId,
  recordOutcomeNames,
} from '../../contract/exports/crm-presets.ts';
import { type ExportFormat, exportFormats } from '../../contract/exports/export-formats.ts';
import { type Reason, reasons } from '../../contract/jobs/job.ts';
import { type DisplayName, layerByCode } from '../../contract/jobs/layers.ts';
import { type ColumnMapping, personFields, readMapped } from '../../contract/jobs/row-input.ts';
import { exportCellCharactersMax, recordIdRowsMax } from '../../contract/limits/exports.ts';
import { quoteNames } from '../../contract/reading/reading.ts';
import { countryCode, nameCountry } from '../../directory/normalize/country-code.ts';
import { foldText } from '../../directory/normalize/fold-text.ts';
import { cleanCell } from '../../directory/normalize/messy/clean-cell.ts';
import { normalizeUrl } from '../../directory/normalize/normalize-url.ts';
import { readEmails, readPhones } from '../../directory/normalize/read-cell.ts';
import { listSources } from '../../directory/read/list-sources.ts';
import {
  listOwnLists,
  type OwnEntry,
  type OwnList,
  readSomeIds,
} from '../../directory/read/own-lists.ts';
import { hashText } from '../../platform/hash-text.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { ExportColumn, TableOpening } from '../../spreadsheet/export/export-table.ts';
import { readHeader } from '../../spreadsheet/read-header.ts';
import type { RowsFile } from '../../spreadsheet/read-rows.ts';
import { describePeople } from '../../spreadsheet/several-people.ts';
import type { JobRow } from '../job.table.ts';
import { readRowName } from '../matching/enrich-batch.ts';
import { type RuledColumn, readColumnRules } from '../overwrite/column-rules.ts';
import { createFirstRows } from '../repeats/first-rows.ts';
import { findRecalls } from '../review/review-memory.table.ts';
import { findPicks } from '../review/review-pick.table.ts';
import { findOwnEntry, listColumnsOfRows } from './own-columns.ts';
import { readRowStatus } from './present-result.ts';
import type { ResultExport } from './result-export.ts';
import type { ResultTable, ResultTableRow, TableSources, WholeTable } from './result-table.ts';

type Listed = Pick<JobRow, 'headers' | 'totalRows' | 'fileName' | 'mapping'>;
type Columns = Pick<JobRow, 'headers' | 'mapping'>;
type Rows = readonly (readonly string[])[];
type IdList = OwnList & { readonly idHeader: string };

export const readFirstRows = ({ totalRows }: Listed, rows: RowsFile): Rows =>
  rows.readRange(0, Math.min(recordIdRowsMax, totalRows));

const listIdLists = (directory: ReadableDatabase): IdList[] =>
  listOwnLists(directory).flatMap((list) =>
    list.idHeader === null ? [] : [{ ...list, idHeader: list.idHeader }],
  );

const listCrms = (directory: ReadableDatabase, { kind, source, idHeader }: IdList): CrmName[] => {
  const ids = readSomeIds(directory, kind, source, recordIdRowsMax);
  return crmNames.filter(
    (crm) => crmPresets[crm].kind === kind && rankRecordId(crm, idHeader, ids) !== null,
  );
};

/** The column of a list that is likely to have the ids; null if it has records of another kind. */
const guessColumn = (
  crm: CrmName,
  { headers, mapping }: Columns,
  firstRows: Rows,
): number | null =>
  crmPresets[crm].kind === kindOfRows(mapping) ? guessRecordId(crm, headers, firstRows) : null;

/** What a header says whose column is about the company of a person. */
const ofCompany = new RegExp(
  '^(?:company(?:\\..+)?|(?:website|domain)(?:\\..+)?|industry|employees|revenue|founded|' +
    'legal_name|registration_number|parent|aliases)$',
);

/** Whether a column of a list is about a person, and a preset writes companies. */
const isOfOthers = (crm: CrmName, header: string, mapping: ColumnMapping): boolean =>
  crmPresets[crm].kind === 'companies' &&
  kindOfRows(mapping) === 'people' &&
  !ofCompany.test(readHeader(header)?.key ?? '');

/**
 * The columns of a list, by index, that have a header and no column in a CRM: those that are read
 * as no field, and those of fields that the CRM does not have. Columns about a person are left out
 * of a file of companies.
 */
function listOtherColumns(
  crm: CrmName,
  headers: readonly string[],
  mapping: ColumnMapping,
): number[] {
  const { newColumns } = crmPresets[crm];
  const names = newColumns.full_name === undefined ? [] : ['first_name', 'last_name'];
  const written = Object.entries(mapping).flatMap(([field, at]) =>
    field in newColumns || names.includes(field) ? [at] : [],
  );
  return headers.flatMap((header, at) =>
    header.trim() === '' || written.includes(at) || isOfOthers(crm, header, mapping) ? [] : [at],
  );
}

/** Workbooks of any program: all of them read one of Excel, and not all the letters of a CSV. */
const workbook = /\.(?:xl[st][bmx]?|f?ods|ots)$/;

/** The format of a file by its name, or the nearest one that can be written. */
function formatOf(fileName: string): ExportFormat {
  const name = fileName.toLowerCase();
  if (workbook.test(name)) return 'xlsx';
  return exportFormats.find((format) => name.endsWith(`.${format}`)) ?? 'csv';
}

/** Where each preset finds the ids of a job's rows: in a column of the list, or in own lists. */
export function findRecordIds(job: Listed, rows: RowsFile, directory: ReadableDatabase): RecordIds {
  const { headers, mapping } = job;
  const first = readFirstRows(job, rows);
  const ofEach = <Value>(read: (crm: CrmName) => Value) =>
    Object.fromEntries(crmNames.map((crm) => [crm, read(crm)])) as Record<CrmName, Value>;
  return {
    format: formatOf(job.fileName ?? ''),
    kind: kindOfRows(mapping),
    headers: [...headers],
    guesses: Object.fromEntries(
      crmNames.flatMap((crm) => {
        const column = guessColumn(crm, job, first);
        return column === null ? [] : [[crm, headers[column]]];
      }),
    ),
    lists: listIdLists(directory).map((list) => ({
      kind: list.kind,
      source: list.source,
      name: list.name,
      crms: listCrms(directory, list),
      kept: [...list.kept],
    })),
    own_columns: listColumnsOfRows(mapping, listOwnLists(directory), headers).map(
      ({ name }) => name,
    ),
    list_columns: ofEach((crm) =>
      listOtherColumns(crm, headers, mapping).map((at) => headers[at] ?? ''),
    ),
  };
}

/**
 * The column with the ids of records: the named one, or a likely one; null if no column is likely,
 * or if a list is named instead. Throws `validation_error` if the list does not have the named one,
 * or if a preset of people has to guess in a list of companies.
 */
function findRecordId(
  { crm, record_id: named, id_list: idList }: CrmExport,
  job: Columns,
  firstRows: Rows,
): number | null {
  const { headers, mapping } = job;
  const { kind, label } = crmPresets[crm];
  if (named === undefined && kind === 'people' && kindOfRows(mapping) === 'companies') {
    const others = crmNames.flatMap((name) =>
      crmPresets[name].kind === 'companies' ? `${name} (${crmPresets[name].label})` : [],
    );
    throw invalid(
      `The list names companies and no people, so it has no ${label}. Choose ` +
        `${others.join(', ')}, or name the column of record ids with record_id.`,
    );
  }
  if (named === undefined) return idList === undefined ? guessColumn(crm, job, firstRows) : null;
  const column = headers.indexOf(named);
  if (column < 0)
    throw invalid(
      `record_id: the list has no column ${JSON.stringify(named)}. ` +
        `Its columns: ${quoteNames(headers)}.`,
    );
  const fault = explainForm(
    crm,
    firstRows.map((row) => row[column] ?? ''),
  );
  if (fault !== null) throw invalid(`record_id: the column ${JSON.stringify(named)} ${fault}`);
  return column;
}

/**
 * The own lists that give the ids of matches: the named one, or all with ids of the CRM.
 * Throws `validation_error` if there is no list of this name with ids.
 */
function findIdLists(
  { crm, id_list: named }: CrmExport,
  directory: ReadableDatabase,
): readonly OwnList[] {
  const lists = listIdLists(directory).filter(({ kind }) => kind === crmPresets[crm].kind);
  if (named === undefined) return lists.filter((list) => listCrms(directory, list).includes(crm));
  const found = lists.filter(({ source }) => source === named);
  const fault = explainForm(
    crm,
    found.flatMap(({ kind, source }) => readSomeIds(directory, kind, source, recordIdRowsMax)),
  );
  if (fault !== null) throw invalid(`id_list: the list ${JSON.stringify(named)} ${fault}`);
  if (found.length > 0) return found;
  const known = lists.map(({ source }) => source);
  throw invalid(
    `id_list: no list ${JSON.stringify(named)} with ids was imported. ` +
      (known.length > 0
        ? `Lists with ids: ${quoteNames(known)}.`
        : 'Import your CRM export first, with its column of record ids.'),
  );
}

/** Checks what a preset names. Throws `validation_error`. */
export function checkPreset(
  preset: CrmExport,
  columns: Columns,
  firstRows: Rows,
  directory: ReadableDatabase,
): void {
  findRecordId(preset, columns, firstRows);
  findIdLists(preset, directory);
}

interface CrmRow {
  readonly row: ResultTableRow;
  /** '' if the row becomes a new record. */
  readonly id: string;
  /** What each list of ids says of the contact, the list of the id first. */
  readonly said: readonly { readonly list: OwnList; readonly entry: OwnEntry }[];
}

/** Reads a kept column from the first list that has both it and the contact; '' without one. */
function openKept(header: string, lists: readonly OwnList[]): PlannedColumn['read'] {
  const isSame = (name: string) => foldText(name) === foldText(header);
  const names = new Map(lists.map((list) => [list, list.kept.find(isSame)]));
  return ({ said }) => {
    const from = said.find(({ list }) => names.get(list) !== undefined);
    return from?.entry.kept[names.get(from.list) ?? ''] ?? '';
  };
}

interface PlannedColumn extends ExportColumn {
  /** Place in the full table of what is written for every record; null for none. */
  readonly at: number | null;
  /** Whether the CRM has no such column, so that a cell may have the values of several rows. */
  readonly isOfList?: true;
  read(row: CrmRow): string;
}

const nameFields: ReadonlySet<NewField> = new Set<NewField>([
  'first_name',
  'last_name',
  'full_name',
]);

/**
 * A cell as a new record has it: in the form in which the directory stores values and importers
 * read them, or as it is written if it cannot be read as one value. '' for a placeholder, and for
 * an email that is none: importers refuse the row of one.
 * @param country in which phones without + are read
 */
function writeNewCell(field: NewField, cell: string, country: string): string {
  const text = cleanCell(cell);
  if (text === '') return '';
  if (field === 'phone') {
    const [number, ...others] = readPhones(text, countryCode(country)).numbers;
    return number === undefined || others.length > 0 ? text : number;
  }
  if (field === 'email') return readEmails(text)[0] ?? '';
  if (field === 'country') return nameCountry(text);
  return field === 'profile_url' ? (normalizeUrl(text) ?? text) : text;
}

type FoundReader = (field: DisplayName) => string;

/** Reads what was found for a row of the full table. A row about a company names it. */
function readFound({ headers, codes }: Pick<JobRow, 'headers' | 'codes'>) {
  const fields = codes.flatMap((code): readonly DisplayName[] => layerByCode[code].fields);
  const places = new Map(fields.map((field, at) => [field, headers.length + at]));
  return ({ cells, own }: ResultTableRow): FoundReader =>
    (field) =>
      cells[places.get(field) ?? -1] ||
      (field === 'Current company name' && own?.companyName) ||
      '';
}

function readNewField(
  cells: readonly string[],
  mapping: ColumnMapping,
  found: FoundReader,
  field: NewField,
): string {
  if (field === 'company_name' && found('Current company name') !== '')
    return found('Current company name');
  if (field !== 'first_name' && field !== 'last_name' && field !== 'full_name') {
    const country = found('Contact country') || readMapped(cells, mapping, 'country');
    return writeNewCell(field, readMapped(cells, mapping, field), country);
  }
  const read = readRowName(cells, mapping);
  const name = {
    first_name: found('First name') || read.first,
    last_name: found('Last name') || read.last,
  };
  return field === 'full_name' ? `${name.first_name} ${name.last_name}`.trim() : name[field];
}

/** Reasons of rows that become no new record, whatever a person decided. */
const notNew: ReadonlyMap<Reason, RecordOutcome> = new Map<Reason, RecordOutcome>([
  ['not_a_person', 'unnamed'],
  ['suppressed', 'suppressed'],
  ['source_error', 'failed'],
  ['source_uncertain', 'failed'],
]);

/** Why a row becomes no new record, whatever it says. */
const refuse = ({ shown: { record, isHidden } }: ResultTableRow): RecordOutcome | undefined =>
  isHidden ? 'suppressed' : notNew.get(reasons[record.reason] ?? '');

/** What a row with an id becomes, if it repeats no other. */
function judgeKnown(row: ResultTableRow, isDecided: boolean): RecordOutcome {
  const refusal = refuse(row);
  if (refusal === 'suppressed' || refusal === 'failed') return refusal;
  return isOpen(row, isDecided) ? 'waiting' : 'updated';
}

/** What names a new record; a row without any of them becomes none. */
const namingFields = {
  people: ['last_name', 'email'],
  companies: ['company_name', 'company_domain'],
} as const satisfies Record<ImportKind, readonly NewField[]>;

/** Whether a row may mean one of several records, and nobody decided which. */
const isOpen = ({ shown: { record } }: ResultTableRow, isDecided: boolean): boolean =>
  readRowStatus(record) !== 'enriched' && record.candidates !== null && !isDecided;

/**
 * Whether a row was found in an imported list, and the directory has the record no more. The CRM
 * may have it, so it is no new record.
 */
function isRemoved(
  { own, shown: { record } }: ResultTableRow,
  sources: ReadonlySet<string>,
): boolean {
  if (own || readRowStatus(record) !== 'enriched' || !record.contactUuid) return false;
  const said: unknown[] = Object.values(JSON.parse(record.provenance ?? '{}'));
  return said.some((one) => Array.isArray(one) && sources.has(one[0]));
}

/** What a row without an id becomes, if it repeats no other. */
function judgeNew(
  crm: CrmName,
  row: ResultTableRow,
  mapping: ColumnMapping,
  found: FoundReader,
  isDecided: boolean,
): RecordOutcome {
  const { cells, shown } = row;
  const refusal = refuse(row);
  const namesSeveral =
    refusal === 'unnamed' &&
    describePeople(
      readMapped(cells, mapping, 'first_name'),
      readMapped(cells, mapping, 'last_name'),
    ) !== '';
  if (namesSeveral) return 'several';
  if (refusal !== undefined) return refusal;
  const { kind, required } = crmPresets[crm];
  const isFound = readRowStatus(shown.record) === 'enriched';
  if (isOpen(row, isDecided)) return 'waiting';
  const says = (field: NewField) => readNewField(cells, mapping, found, field) !== '';
  // The company of a person who was not found may be a known record: nobody looked for it.
  if (kind === 'companies' && !isFound && personFields.some(says)) return 'unnamed';
  const isNamed =
    namingFields[kind].some(says) ||
    (isFound && kind === 'people' && (says('first_name') || found('Email') !== ''));
  return isNamed && required.every(says) ? 'added' : 'unnamed';
}

/** What a row says about the record that it becomes. */
interface Identity {
  /** Two rows of one record share one of these, the surest first. */
  readonly keys: readonly string[];
  /** Two rows of one record do not differ in any of these, if both have it. */
  readonly marks: readonly string[];
}

/**
 * What two rows about the same new record have in common: the person who was found, the email, the
 * page, or the name and the company; of a company the domain; or else everything that the row says.
 */
function identifyNew(
  kind: ImportKind,
  { cells, shown: { record } }: ResultTableRow,
  mapping: ColumnMapping,
  found: FoundReader,
  fields: readonly NewField[],
): Identity {
  if (kind === 'people' && readRowStatus(record) === 'enriched' && record.contactUuid)
    return { keys: [`person ${record.contactUuid}`], marks: [] };
  const read = (field: NewField) => foldText(readNewField(cells, mapping, found, field));
  const all = { keys: [JSON.stringify(fields.map(read))], marks: [] };
  const domain = foldText(found('Domain')) || read('company_domain');
  if (kind === 'companies') return domain === '' ? all : { keys: [`domain ${domain}`], marks: [] };
  const marks = [read('full_name'), read('email'), read('profile_url')];
  const [name = '', email = '', page = ''] = marks;
  const nameAt = (company: string) => name && company && JSON.stringify([name, company]);
  const keys = [
    email && `email ${email}`,
    page && `page ${page}`,
    nameAt(read('company_name')),
    nameAt(domain),
  ].filter((key) => key !== '');
  return keys.length === 0 ? all : { keys, marks };
}

const marksMax = 3;
/** Records that are compared for a key: thousands of people may share the mailbox of an office. */
const sharedMax = 16;

/** The first rows of records: up to 48 bytes for each key, and 24 for each row of the list. */
function createRecords(totalRows: number) {
  const firstRows = createFirstRows();
  const marks = new Float64Array(totalRows * marksMax);
  /** How much a record says what a row says; -1 if they differ. */
  function agreementOf(said: readonly number[], first: number): number {
    let sum = 0;
    for (const [at, mark] of said.entries()) {
      const held = marks[first * marksMax + at] ?? 0;
      if (held === mark) sum += mark === 0 ? 1 : marksMax;
      else if (held !== 0 && mark !== 0) return -1;
    }
    return sum;
  }
  /** The record that agrees most; none if several do: they do not tell which one is meant. */
  function pickFirst(said: readonly number[], firsts: readonly number[]): number[] {
    const sums = firsts.map((first) => agreementOf(said, first));
    const most = Math.max(...sums);
    return firsts.filter((_first, at) => most >= 0 && sums[at] === most);
  }
  return {
    /** Adds a row to its record. Returns the first row of the record. */
    add({ keys, marks: texts }: Identity, row: number): number {
      const said = texts.map((text) => (text === '' ? 0 : hashText(text)));
      const places = keys.map((key) => {
        const firsts = firstRows.find(key);
        if (firsts.length < sharedMax) return { key, firsts };
        const whole = JSON.stringify([key, ...texts]);
        return { key: whole, firsts: [...firsts, ...firstRows.find(whole)] };
      });
      const [first = row] = places.flatMap(({ firsts }) => {
        const picked = pickFirst(said, firsts);
        return picked.length === 1 ? picked : [];
      });
      for (const { key, firsts } of places) if (!firsts.includes(first)) firstRows.add(key, first);
      for (const [at, mark] of said.entries()) marks[first * marksMax + at] ||= mark;
      return first;
    },
  };
}

/** The later rows of records, linked from row to row: 4 bytes for each row of the list. */
function createLaterRows(totalRows: number) {
  // Of each row, the record's later row that was added before it, plus 1; 0 for none.
  const links = new Uint32Array(totalRows);
  return {
    add(first: number, row: number): void {
      links[row] = links[first] ?? 0;
      links[first] = row + 1;
    },
    list(first: number): number[] {
      const rows: number[] = [];
      for (let at = links[first] ?? 0; at > 0; at = links[at - 1] ?? 0) rows.push(at - 1);
      return rows.reverse();
    },
  };
}

interface Line {
  readonly cells: string[];
  readonly changed: number[];
}

const valueSeparator = '; ';

/** A cell with what another row says as well, unless a workbook could not hold it. */
function joinValues(before: string, cell: string): string {
  if (before.length + cell.length >= exportCellCharactersMax) return before;
  const values = before.split(valueSeparator);
  const more = cell.split(valueSeparator).filter((value) => !values.includes(value));
  return [before, ...more].join(valueSeparator);
}

/**
 * Fills the empty cells of a line from a later row about the same record, and adds what the row
 * says in columns that only the list has.
 */
function fillLine(plan: readonly PlannedColumn[], { cells, changed }: Line, later: Line): void {
  for (const [at, cell] of later.cells.entries()) {
    const before = cells[at] ?? '';
    if (cell === '') continue;
    if (before === '') {
      cells[at] = cell;
      if (later.changed.includes(at)) changed.push(at);
    } else if (plan[at]?.isOfList) cells[at] = joinValues(before, cell);
  }
}

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

/** What a row of a list says, for each found field that is about the same. */
const newFieldOf: Readonly<Partial<Record<DisplayName, NewField>>> = {
  'First name': 'first_name',
  'Last name': 'last_name',
  'Current company name': 'company_name',
  'Current title': 'title',
  Email: 'email',
  'Profile URL': 'profile_url',
  'Contact country': 'country',
  'Mobile phone': 'phone',
  'Direct phone': 'phone',
};

/** The name that a CRM has for a column of the list that a rule may change, or its own. */
function nameRuled(crm: CrmName, header: string, { fields, isFullName }: RuledColumn): string {
  const { columns, newColumns } = crmPresets[crm];
  const names: readonly string[] = [...Object.values(columns), ...Object.values(newColumns)];
  const same = names.find((name) => name.toLowerCase() === header.trim().toLowerCase());
  const [first = 'Email'] = fields;
  const field = isFullName ? 'full_name' : newFieldOf[first];
  return same ?? (field && newColumns[field]) ?? columns[first] ?? header;
}

function planColumns(
  table: WholeTable,
  job: Pick<JobRow, 'headers' | 'codes' | 'mapping'>,
  { overwrite, preset, ownLists = true }: PresetOptions,
  recordId: number | null,
  idLists: readonly OwnList[],
): PlannedColumn[] {
  const { idHeader, columns, newColumns, required, isAlwaysRequired } = crmPresets[preset.crm];
  const { headers, mapping } = job;
  const [hasKnown, hasNew] = [preset.records !== 'new', preset.records !== 'known'];
  const plan: PlannedColumn[] = [];
  const taken = new Set<string>();
  const isTaken = (name: string) => taken.has(name.trim().toLowerCase());
  const add = (column: PlannedColumn) => {
    plan.push(column);
    taken.add(column.name.trim().toLowerCase());
  };
  const addOwn = (name: string, at: number | null, read: PlannedColumn['read']) =>
    add({ name, type: 'text', isOwn: true, at, read });
  const fields = job.codes.flatMap((code) => layerByCode[code].fields);
  const foundIn = readFound(job);
  const readNew = (field: NewField, { row }: CrmRow) =>
    readNewField(row.cells, mapping, foundIn(row), field);
  const newFields = new Map(
    Object.entries(newColumns).map(([field, name]) => [name, field as NewField]),
  );
  if (hasKnown) addOwn(idHeader, null, ({ id }) => id);
  const ruled = new Set<number>();
  for (const rule of overwrite ? readColumnRules(job, overwrite) : []) {
    const { column: at } = rule;
    const header = headers[at] ?? '';
    // A match never renames a contact, unless a rule names the column.
    const isName = rule.fields.every((field) => /^(?:First|Last) name$/.test(field));
    if (rule.rule === 'never' || at === recordId) continue;
    if (isOfOthers(preset.crm, header, mapping)) continue;
    if (isName && overwrite?.columns[header] === undefined) continue;
    const name = nameRuled(preset.crm, header, rule);
    const field = newFields.get(name);
    ruled.add(at);
    addOwn(isTaken(name) ? header : name, at, ({ id, row: { cells } }) => {
      const cell = cells[at] ?? '';
      const country = readMapped(cells, mapping, 'country');
      return id === '' && field ? writeNewCell(field, cell, country) : cell;
    });
  }
  const addNew = (isName: boolean) => {
    for (const [name, field] of newFields) {
      const isAlways = isAlwaysRequired && required.includes(field);
      if (nameFields.has(field) === isName && (hasNew || isAlways) && !isTaken(name))
        add({
          name,
          type: 'text',
          isOwn: false,
          at: null,
          read: (row) => (row.id === '' || isAlways ? readNew(field, row) : ''),
        });
    }
  };
  addNew(true);
  if (!overwrite || overwrite.found_columns)
    for (const name of new Set(fields.flatMap((field) => columns[field] ?? []))) {
      const parts = (Object.keys(columns) as DisplayName[]).flatMap((field) =>
        columns[field] === name && fields.includes(field)
          ? [{ field, at: headers.length + fields.indexOf(field) }]
          : [],
      );
      const at = Math.min(...parts.map((part) => part.at));
      const given = newFields.get(name);
      const readPart = (part: (typeof parts)[number], { id, row: { cells } }: CrmRow) => {
        const cell = cells[part.at] ?? '';
        return id === '' && part.field.endsWith('country') ? nameCountry(cell) : cell;
      };
      add({
        name: isTaken(name) ? `${name} (found)` : name,
        type: table.columns[at]?.type ?? 'text',
        isOwn: false,
        at,
        read: (row) =>
          parts
            .map((part) => readPart(part, row))
            .filter((cell) => cell !== '')
            .join(', ') || (row.id === '' && given ? readNew(given, row) : ''),
      });
    }
  addNew(false);
  const kept = new Set<string>();
  for (const list of ownLists && hasKnown ? idLists : [])
    for (const header of list.kept) {
      // A file that went into the CRM and was imported has the columns of the CRM's export.
      if (kept.has(foldText(header))) continue;
      kept.add(foldText(header));
      const name = isTaken(header) ? `${header} (${list.name})` : header;
      addOwn(name, null, openKept(header, idLists));
    }
  for (const at of preset.list_columns ? listOtherColumns(preset.crm, headers, mapping) : []) {
    if (at === recordId || ruled.has(at)) continue;
    const header = headers[at] ?? '';
    add({
      name: isTaken(header) ? `${header} (list)` : header,
      type: 'text',
      isOwn: true,
      at,
      isOfList: true,
      read: ({ row }) => row.cells[at] ?? '',
    });
  }
  return plan;
}

type PresetOptions = Pick<ResultExport, 'overwrite' | 'ownLists'> & { readonly preset: CrmExport };

const startCounts = (): RecordCounts =>
  Object.fromEntries(recordOutcomeNames.map((name) => [name, 0])) as RecordCounts;

/**
 * The part of a result's table that a CRM imports. It has one sheet: no list of changes. Reads the
 * rows a first time, to find those about one record; yields empty texts, so that the caller may
 * cancel.
 */
export function* pickForCrm(
  table: WholeTable,
  job: JobRow,
  { rows, directory, database }: TableSources,
  options: PresetOptions,
): TableOpening<ResultTable> {
  const { preset } = options;
  const recordId = findRecordId(preset, job, readFirstRows(job, rows));
  const idLists = findIdLists(preset, directory);
  const plan = planColumns(table, job, options, recordId, idLists);
  const places = new Map(plan.flatMap(({ at }, place) => (at === null ? [] : [[at, place]])));
  const { kind, newColumns } = crmPresets[preset.crm];
  const newFields = Object.keys(newColumns) as NewField[];
  const isWritten = {
    updated: preset.records !== 'new',
    added: preset.records !== 'known',
  };
  let counts = startCounts();
  const foundIn = readFound(job);
  const sources = listSources(directory);
  const identify = (row: ResultTableRow): CrmRow => {
    const given = recordId === null ? '' : (row.cells[recordId] ?? '');
    const said = idLists.flatMap((list) => {
      const entry = findOwnEntry(row.own, list);
      return entry ? [{ list, entry }] : [];
    });
    const ofId = said.find(({ entry }) => entry.id !== '');
    const id = given.trim() === '' ? (ofId?.entry.id ?? '') : given;
    return { row, id, said: ofId ? [ofId, ...said] : said };
  };
  /**
   * What a row becomes, and the first row of its record. An importer must not meet one twice. Each
   * pass counts again: a person may decide about rows between the passes.
   */
  const createReader = () => {
    const records = createRecords(job.totalRows);
    counts = startCounts();
    const judge = (row: ResultTableRow, isDecided: boolean) => {
      const { rowIndex } = row.shown.record;
      const record = identify(row);
      const { mapping } = job;
      const found = foundIn(row);
      const isNew = record.id === '';
      const judged = () => judgeNew(preset.crm, row, mapping, found, isDecided);
      const unknown = () => (isRemoved(row, sources) ? 'removed' : judged());
      const outcome = isNew ? unknown() : judgeKnown(row, isDecided);
      if (!(outcome in isWritten)) return { ...record, outcome, first: rowIndex };
      const first = records.add(
        isNew
          ? identifyNew(kind, row, mapping, found, newFields)
          : { keys: [`id ${record.id.trim()}`], marks: [] },
        rowIndex,
      );
      return { ...record, outcome: first === rowIndex ? outcome : ('repeated' as const), first };
    };
    return (stretch: readonly ResultTableRow[]) => {
      const decided = listDecided(database, job, stretch);
      const records = stretch.map((row) => judge(row, decided.has(row.shown.record.rowIndex)));
      for (const { outcome } of records) counts[outcome] += 1;
      return records;
    };
  };
  const readLine = (record: CrmRow): Line => ({
    cells: plan.map((column) => column.read(record)),
    changed: record.row.changed.flatMap((at) => places.get(at) ?? []),
  });
  const later = createLaterRows(job.totalRows);
  const link = createReader();
  for (const stretch of table.rows()) {
    for (const { row, outcome, first } of link(stretch))
      if (outcome === 'repeated') later.add(first, row.shown.record.rowIndex);
    yield '';
  }
  return {
    columns: plan.map(({ name, type, isOwn }) => ({ name, type, isOwn })),
    *rows() {
      const read = createReader();
      for (const stretch of table.rows()) {
        const written = read(stretch).filter(
          ({ outcome }) => isWritten[outcome as keyof typeof isWritten],
        );
        const lines = written.map(readLine);
        const repeats = written.flatMap(({ first }, at) =>
          later.list(first).map((row) => ({ row, line: lines[at] as Line })),
        );
        let at = 0;
        for (const rows of table.rowsAt(Uint32Array.from(repeats, ({ row }) => row)))
          for (const row of rows) {
            const line = repeats[at]?.line;
            at += 1;
            if (line && !row.shown.isHidden) fillLine(plan, line, readLine(identify(row)));
          }
        yield lines;
      }
    },
    changes: null,
    readEnd: () => ({
      ...table.readEnd(),
      rows: (isWritten.updated ? counts.updated : 0) + (isWritten.added ? counts.added : 0),
      records: counts,
    }),
  };
}
