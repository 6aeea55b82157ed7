/** Reads the values of a CSV file that is imported into the suppression list. */
import type { GivenValue, SuppressionKind } from '../contract/suppression/suppression.ts';
import { detectFile } from '../spreadsheet/detect.ts';
import { createRecordReader } from '../spreadsheet/read-records.ts';
import { recognizeColumns } from '../spreadsheet/recognize-columns.ts';

/** A value, the line of the file on which its record starts, and the reason in that record. */
export interface FileValue extends GivenValue {
  readonly line: number;
  readonly reason: string;
}

/** The usual names of each column. */
const dictionary: Readonly<Record<string, readonly string[]>> = {
  kind: ['kind', 'type'],
  reason: ['reason', 'note', 'comment'],
  email: ['email', 'email address', 'e-mail', 'mail'],
  domain: ['domain', 'company domain', 'website', 'company website'],
  phone: ['phone', 'phone number', 'mobile', 'mobile phone', 'telephone'],
  profile_url: ['profile url', 'linkedin url', 'linkedin', 'linkedin profile', 'profile'],
  person: ['person', 'contact uuid', 'uuid', 'person id'],
  company: ['company', 'company name', 'organization', 'organisation', 'account name'],
  value: ['value', 'entry', 'suppressed'],
};
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

/**
 * The values of a file. The columns are recognised by the first line. Without a recognised column
 * the file has no header, and its first column has the values. Throws `validation_error` for a file
 * that is not CSV.
 * @param kind of values whose column does not say it
 */
export function readSuppressionFile(text: string, kind: SuppressionKind | undefined): FileValue[] {
  const bytes = Buffer.from(text);
  const records: { readonly cells: readonly string[]; readonly line: number }[] = [];
  const { delimiter } = detectFile(bytes);
  const reader = createRecordReader({
    ...{ delimiter, encoding: 'utf-8' },
    onRecord: (cells, line) => records.push({ cells, line }),
  });
  reader.push(bytes);
  reader.end();
  const [first] = records;
  const columns = recognizeColumns(first?.cells ?? [], dictionary);
  const named = valueColumns.filter((name) => columns[name] !== undefined);
  const hasHeader = named.length > 0 || columns.value !== undefined;
  return records.slice(hasHeader ? 1 : 0).flatMap(({ cells, line }): FileValue[] => {
    const cellOf = (column: number | undefined) =>
      column === undefined ? '' : (cells[column] ?? '').trim();
    const reason = cellOf(columns.reason);
    const typed = kindOf(cellOf(columns.kind)) ?? kind;
    const plain = cellOf(hasHeader ? columns.value : 0);
    return [
      ...(plain === '' ? [] : [{ kind: typed, value: plain, line, reason }]),
      ...named.flatMap((name) => {
        const value = cellOf(columns[name]);
        return value === '' ? [] : [{ kind: name, value, line, reason }];
      }),
    ];
  });
}
