/** Reads the values of a CSV file that is imported into the suppression list. */
import { headerRowsComparedMax } from '../contract/limits/spreadsheet.ts';
import type { GivenValue, SuppressionKind } from '../contract/suppression/suppression.ts';
import { countryCode } from '../directory/normalize/country-code.ts';
import { readEmails, readPhones, unwrapCell } from '../directory/normalize/read-cell.ts';
import { readFlag } from '../directory/normalize/read-flag.ts';
import { mostly } from '../spreadsheet/column-values.ts';
import { detectFile } from '../spreadsheet/detect.ts';
import { createRecordReader } from '../spreadsheet/read-records.ts';
import {
  createRowSorter,
  type FoundTable,
  findTable,
  type Line,
} from '../spreadsheet/reading/find-table.ts';
import { type FieldKeys, listColumns } from '../spreadsheet/recognize-columns.ts';
import { recognizeKind } from './value-keys.ts';

/** A value, the line of the file on which its record starts, and the reason in that record. */
export interface FileValue extends GivenValue {
  readonly line: number;
  readonly reason: string;
}

/** The meanings of each column. */
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
  flag: ['opt_out'],
  country: ['country', 'country.work', 'country.private'],
};
const sampleRows = 200;

/** Whether a cell names a person: by a UUID, or as "name | employer". */
const namesPerson = (cell: string): boolean => recognizeKind(cell) === 'person';

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
  ...(['email', 'domain', 'phone', 'profile_url', 'person', 'company'] as const),
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

/** The lines of a table without repeated column names and footers. A total may be a company. */
function listRows(start: FoundTable, below: readonly Line[]): Line[] {
  const rows: Line[] = [];
  const keep = (line: Line) => rows.push(line);
  const sorter = createRowSorter(start, keep, (line) => line.kind === 'total' && keep(line));
  for (const line of [...start.rows, ...below]) sorter.take(line);
  sorter.end();
  return rows;
}

/**
 * The values of a file. The columns are recognised by their names. Without a recognised column
 * the file has no header, and its first column has the values. Throws `validation_error` for a file
 * that is not CSV.
 * @param kind of values whose column does not say it
 */
export function readSuppressionFile(text: string, kind: SuppressionKind | undefined): FileValue[] {
  const bytes = Buffer.from(text);
  const records: Line[] = [];
  const { delimiter, aligned, quotes } = detectFile(bytes);
  const reader = createRecordReader({
    delimiter,
    aligned,
    encoding: 'utf-8',
    quotes,
    onRecord: (cells, line) => records.push({ cells, line }),
  });
  reader.push(bytes);
  reader.end();
  const first = records.slice(0, headerRowsComparedMax);
  const start = findTable(first, { header: 'yes' });
  const below = listRows(start, records.slice(first.length));
  const sample = below.slice(0, sampleRows).map(({ cells }) => cells);
  const columns = listColumns(start.header, dictionary, sample);
  const { reason = [], kind: kinds = [] } = columns;
  // CRMs export a column of yes and no; a list of its own has the values under such a header.
  const isFlagColumn = (at: number) => mostly(sample, at, (cell) => readFlag(cell) !== null);
  const flags = (columns.flag ?? []).filter(isFlagColumn);
  const values = [...(columns.value ?? []), ...(columns.flag ?? [])].filter(
    (at) => !flags.includes(at),
  );
  const named = valueColumns.flatMap((name) =>
    (columns[name] ?? [])
      .filter((at) => name !== 'person' || mostly(sample, at, namesPerson))
      .map((at) => [name, at] as const),
  );
  const hasHeader = named.length > 0 || values.length > 0;
  return (hasHeader ? below : records).flatMap(({ cells, line }): FileValue[] => {
    const cellOf = (column: number | undefined) =>
      column === undefined ? '' : unwrapCell(cells[column] ?? '');
    if (flags.length > 0 && flags.every((at) => readFlag(cellOf(at)) === false)) return [];
    const why = cellOf(reason[0]);
    const typed = kindOf(cellOf(kinds[0])) ?? kind;
    const plain = hasHeader ? values : [0];
    const country = countryCode(cellOf(columns.country?.[0]));
    return [
      ...plain.flatMap((at) =>
        readValues(typed, cellOf(at), country).map((value) => [typed, value] as const),
      ),
      ...named.flatMap(([kind, at]) =>
        readValues(kind, cellOf(at), country).map((value) => [kind, value] as const),
      ),
    ].map(([kind, value]) => ({ kind, value, line, reason: why }));
  });
}
