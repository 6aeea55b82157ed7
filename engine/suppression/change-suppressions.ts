// Adds and removes entries of the suppression list.
import { hashAuditValue, recordAudit } from '../audit/record-audit.ts';
import { invalid } from '../contract/errors.ts';
import { auditHashesMax } from '../contract/limits/privacy/audit.ts';
import {
  suppressionRemarksMax,
  suppressionRowsMax,
} from '../contract/limits/privacy/suppression.ts';
import {
  type GivenValue,
  type SuppressionKind,
  type SuppressionReport,
  type SuppressionSource,
  suppressionKinds,
} from '../contract/suppression/suppression.ts';
import { countryCode } from '../directory/normalize/country-code.ts';
import { readEmails, readPhones, unwrapCell } from '../directory/normalize/read-cell.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { liveSchema } from '../platform/sqlite/open-store.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { mostly, readFlag } from '../spreadsheet/column-values.ts';
import { isStatusColumn, readStatus } from '../spreadsheet/opt-out-status.ts';
import { openRows } from '../spreadsheet/read-rows.ts';
import { createRowSorter, type FoundTable, type Line } from '../spreadsheet/reading/find-table.ts';
import { extraCellsName, originNames } from '../spreadsheet/reading/wide-lines.ts';
import { type FieldKeys, listColumns } from '../spreadsheet/recognize-columns.ts';
import { deleteEntries, deleteEntriesOfJob, insertEntry } from './suppression.table.ts';
import { readValueKey, recognizeKind } from './value-keys.ts';

/** A table that was written of a file, and the line of its column names; null without them. */
interface SuppressionTable {
  readonly dir: string;
  readonly headerLine: number | null;
}

/** A value, the line of the file on which its record starts, and the reason in that record. */
interface FileValue extends GivenValue {
  readonly line: number;
  readonly reason: string;
}

const dictionary: FieldKeys = {
  kind: ['kind'],
  reason: ['note'],
  email: ['email', 'email.work', 'email.private', 'email.other', 'company.email'],
  domain: ['domain', 'website', 'website.work', 'website.other'],
  phone: [
    'phone',
    'mobile',
    'direct',
    'phone.work',
    'phone.private',
    'phone.other',
    'mobile.work',
    'mobile.private',
    'mobile.other',
    'direct.work',
  ],
  profile_url: ['profile', 'profile.work', 'profile.private', 'profile.other'],
  person: ['contact', 'id'],
  company: ['company', 'company.work', 'company.other'],
  value: ['value'],
  flag: ['opt_out', 'subscription'],
  country: ['country', 'country.work', 'country.private'],
};
const sampleRows = 200;

/** Whether a cell names a person: by a UUID, or as "name | employer". */
const namesPerson = (cell: string): boolean => recognizeKind(cell) === 'person';

/** The cells that are an address or a page of a person, whatever their column is called. */
const listSure = (cells: readonly string[]): number[] =>
  cells.flatMap((cell, at) => {
    const kind = recognizeKind(cell);
    return kind === 'email' || kind === 'profile_url' ? [at] : [];
  });

/** The cells of a row without column names that have values: the first, and sure ones. */
function listUnnamed(cells: readonly string[], kind: SuppressionKind | undefined): number[] {
  const sure = listSure(cells).filter((at) => at > 0);
  const isFirstValue = kind !== undefined || recognizeKind(cells[0] ?? '') !== null;
  // "Ann Lee,ann@ola.example"
  return isFirstValue || sure.length === 0 ? [0, ...sure] : sure;
}

/** The values of a cell, of which an address or a number may have several; none if it is empty. */
function readValues(
  kind: SuppressionKind | undefined,
  cell: string,
  country: ReturnType<typeof countryCode>,
): readonly string[] {
  const isEmail = kind === 'email' || (kind === undefined && cell.includes('@'));
  const found = isEmail
    ? readEmails(cell)
    : kind === 'phone'
      ? readPhones(cell, country).numbers
      : [];
  if (found.length > 0) return found;
  return cell === '' ? [] : [cell];
}

const valueColumns: readonly SuppressionKind[] = [
  'email',
  'domain',
  'phone',
  'profile_url',
  'person',
  'company',
];

const kindOf = (text: string): SuppressionKind | undefined =>
  valueColumns.find(
    (kind) =>
      kind ===
      text
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_'),
  );

function readLines({ dir, headerLine }: SuppressionTable): { header: string[]; rows: Line[] } {
  const table = openRows(dir);
  try {
    if (table.rowCount > suppressionRowsMax)
      throw invalid(
        `The list has ${table.rowCount.toLocaleString('en-US')} rows; the maximum is ` +
          `${suppressionRowsMax.toLocaleString('en-US')}. Split it into several files.`,
      );
    const hasOrigin = table.headers.at(-1) === originNames.at(-1);
    const width = table.headers.length - (hasOrigin ? originNames.length : 0);
    const rows = table.readRange(0, table.rowCount).map((cells, at) => ({
      cells: cells.slice(0, width),
      line: hasOrigin ? Number(cells.at(-1)) : at + (headerLine ?? 0) + 1,
    }));
    return { header: table.headers.slice(0, width), rows };
  } finally {
    table.close();
  }
}

/** Kinds of lines that are no contacts, but may be companies. */
const mayBeCompanies: readonly string[] = ['total', 'no_contact'];

/** The rows of a table without repeated column names and footers. */
function listRows(start: FoundTable, lines: readonly Line[]): Line[] {
  const rows: Line[] = [];
  const keep = (line: Line) => rows.push(line);
  const sorter = createRowSorter(start, keep, (line) => {
    if (mayBeCompanies.includes(line.kind)) keep(line);
  });
  for (const line of lines) sorter.take(line);
  sorter.end();
  return rows;
}

/**
 * The values of a table. The columns are recognised by their names. Without a recognised column
 * the file has no header, and its first column has the values.
 * @param kind of values whose column does not say it
 */
function readSuppressionTable(
  table: SuppressionTable,
  kind: SuppressionKind | undefined,
): FileValue[] {
  const { headerLine } = table;
  const { header, rows } = readLines(table);
  const below = listRows({ headerLine, header, setAside: [], rows: [] }, rows);
  const sample = below.slice(0, sampleRows).map(({ cells }) => cells);
  const columns = headerLine === null ? {} : listColumns(header, dictionary, sample);
  const { reason = [], kind: kinds = [] } = columns;
  // CRMs export a column of yes and no; a list of its own has the values under such a header.
  const isFlagColumn = (at: number) => mostly(sample, at, (cell) => readFlag(cell) !== null);
  const flags = (columns.flag ?? []).filter(isFlagColumn);
  const statuses = header.flatMap((name, at) => (isStatusColumn(name, sample, at) ? [at] : []));
  const values = [...(columns.value ?? []), ...(columns.flag ?? [])].filter(
    (at) => !flags.includes(at) && !statuses.includes(at),
  );
  const named = valueColumns.flatMap((name) =>
    (columns[name] ?? [])
      .filter((at) => name !== 'person' || mostly(sample, at, namesPerson))
      .map((at) => [name, at] as const),
  );
  const hasHeader = named.length > 0 || values.length > 0;
  const first = headerLine === null ? [] : [{ cells: header, line: headerLine }];
  return (hasHeader ? below : [...first, ...rows]).flatMap(({ cells, line }): FileValue[] => {
    const cellOf = (column: number | undefined) =>
      column === undefined ? '' : unwrapCell(cells[column] ?? '');
    const said = [
      ...flags.map((at) => readFlag(cellOf(at))),
      ...(hasHeader ? statuses : []).map((at) => readStatus(cellOf(at))),
    ];
    // A list of people who must not be contacted may also name people who agreed.
    if (said.includes(false) && !said.includes(true)) return [];
    const why = cellOf(reason[0]);
    const typed = kindOf(cellOf(kinds[0])) ?? kind;
    const plain = hasHeader ? values : listUnnamed(cells, typed);
    const extra = listSure(cells).filter((at) => at === header.indexOf(extraCellsName));
    const country = countryCode(cellOf(columns.country?.[0]));
    return [
      ...plain.flatMap((at) =>
        readValues(typed, cellOf(at), country).map((value) => [typed, value] as const),
      ),
      ...named.flatMap(([kind, at]) =>
        readValues(kind, cellOf(at), country).map((value) => [kind, value] as const),
      ),
      ...(hasHeader ? extra : []).flatMap((at) =>
        readValues(undefined, cellOf(at), country).map((value) => [undefined, value] as const),
      ),
    ].map(([kind, value]) => ({ kind, value, line, reason: why }));
  });
}

interface Addition {
  readonly reason: string;
  readonly source: SuppressionSource;
  readonly author: string;
}

export type ListReport = Pick<SuppressionReport, 'added' | 'known' | 'unreadable' | 'remarks'>;

/** Why a value is not of a kind. The value itself is not repeated: the report may be logged. */
const expected: Readonly<Record<SuppressionKind, string>> = {
  person: 'a UUID of the directory, or a name and an employer such as "Ada Lovelace | Acme"',
  email: 'an email address',
  domain: 'a domain such as example.com, or *.example.com for only its subdomains',
  company: 'the name of a company',
  phone: 'a number with its country code such as +41 79 123 45 67',
  profile_url: 'the URL of a profile',
};

/** The kind and the key of a given value; a sentence if it cannot be read. */
export function readGiven({
  kind: given,
  value,
}: GivenValue): { kind: SuppressionKind; key: string } | string {
  const kind = given ?? recognizeKind(value);
  if (kind === null)
    return `Its kind cannot be recognised. Name the kind: ${suppressionKinds.join(', ')}.`;
  const key = readValueKey(kind, value);
  return key === '' ? `It is not ${expected[kind]}.` : { kind, key };
}

/** A value to add, with its place in the request or the file, from 1. */
interface PlacedValue extends GivenValue {
  readonly line: number;
  readonly reason: string;
}

interface ListedKey {
  readonly kind: SuppressionKind;
  readonly key: string;
}

/**
 * Records a change in the log of the environment of the list, by counts of kinds. Few values are
 * named by their hashes, many only by their number. Call inside the transaction of the change.
 */
export function recordSuppressions(
  database: WritableDatabase,
  action: 'suppression_added' | 'suppression_removed',
  keys: readonly ListedKey[],
  {
    at,
    ...details
  }: { readonly at: string; readonly source?: SuppressionSource; readonly job?: string },
): void {
  if (keys.length === 0) return;
  const schema = liveSchema(database);
  const kinds: Record<string, number> = {};
  for (const { kind } of keys) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const hash = ({ kind, key }: ListedKey) => hashAuditValue(database, `${kind}:${key}`, schema);
  const hashes = keys.length > auditHashesMax ? null : keys.map(hash).join(' ');
  const note = { action, at, accountId: null, rows: keys.length } as const;
  const named = hashes === null ? {} : { hashes };
  recordAudit(database, { ...note, details: { ...details, ...kinds, ...named } }, schema);
}

function addValues(
  database: WritableDatabase,
  values: readonly PlacedValue[],
  added: { readonly source: SuppressionSource; readonly author: string; readonly at: string },
): ListReport {
  const counts = { added: 0, known: 0, unreadable: 0 };
  const remarks: ListReport['remarks'] = [];
  const entries = values.flatMap((given) => {
    const read = readGiven(given);
    if (typeof read !== 'string') return [{ ...read, given }];
    counts.unreadable += 1;
    if (remarks.length < suppressionRemarksMax) remarks.push({ line: given.line, what: read });
    return [];
  });
  inTransaction(database, () => {
    const fresh = entries.filter(({ kind, key, given: { value, reason } }) =>
      insertEntry(database, { kind, key, value: value.trim(), reason, ...added, job: null }),
    );
    counts.added = fresh.length;
    counts.known = entries.length - fresh.length;
    const { source, at } = added;
    recordSuppressions(database, 'suppression_added', fresh, { source, at });
  });
  return { ...counts, remarks };
}

export function createSuppressionCommands({
  database,
  now,
  onChange,
}: {
  readonly database: WritableDatabase;
  readonly now: () => Date;
  readonly onChange: () => void;
}) {
  const add: typeof addValues = (...args) => {
    const report = addValues(...args);
    if (report.added > 0) onChange();
    return report;
  };
  return {
    async suppress({
      values,
      reason,
      source,
      author,
    }: Addition & { readonly values: readonly GivenValue[] }) {
      const placed = values.map((value, at) => ({ ...value, line: at + 1, reason }));
      return add(database, placed, { source, author, at: now().toISOString() });
    },
    /** Adds the values of an uploaded list. Rejects with `validation_error` if it is too long. */
    async importSuppressions({
      table,
      kind,
      reason,
      source,
      author,
    }: Addition & {
      readonly table: SuppressionTable;
      readonly kind?: SuppressionKind | undefined;
    }) {
      const values = readSuppressionTable(table, kind);
      const placed = values.map((value) => ({ ...value, reason: value.reason || reason }));
      return add(database, placed, { source, author, at: now().toISOString() });
    },
    /** Removes entries by their ids, or those of a job's refusals. Returns their number. */
    async removeSuppressions(
      named: { readonly ids: readonly number[] } | { readonly job: string },
    ) {
      const removed = inTransaction(database, () => {
        const at = now().toISOString();
        const isOfJob = 'job' in named;
        const keys = isOfJob
          ? deleteEntriesOfJob(database, named.job)
          : deleteEntries(database, named.ids);
        const details = isOfJob ? { at, job: named.job } : { at };
        recordSuppressions(database, 'suppression_removed', keys, details);
        return keys.length;
      });
      if (removed > 0) onChange();
      return removed;
    },
  };
}

export type SuppressionCalls = ReturnType<typeof createSuppressionCommands>;
