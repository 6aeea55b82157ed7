/** Searches the names, companies and emails of rows: the caller's and the found ones. */
import type { ColumnMapping } from '../../../contract/jobs/row-input.ts';
import { expandInferred } from '../inferred-email.ts';
import type { ResultRecord } from '../result.table.ts';
import { readFields } from '../result-fields.ts';

const searchedInputs = [
  'first_name',
  'last_name',
  'company_name',
  'company_domain',
  'email',
] as const satisfies (keyof ColumnMapping)[];

const searchedFields = [
  'First name',
  'Last name',
  'Current company name',
  'Email',
  'New company name',
  'New email',
];

const beyondAscii = /[^\0-\x7f]/;

/** A text without case and accents. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (!beyondAscii.test(lower)) return lower;
  return lower.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A result, as far as a search reads it. */
export type SearchedResult = Pick<ResultRecord, 'fields' | 'inferred' | 'status'>;

/** What a search reads of a row, one value a line. */
function listSearched(
  mapping: ColumnMapping,
  cells: readonly string[],
  record: SearchedResult,
): string {
  const columns = new Set(searchedInputs.flatMap((field) => mapping[field] ?? []));
  const own = [...columns].map((column) => cells[column] ?? '');
  const fields = record.fields === '{}' ? {} : readFields(record);
  const values = searchedFields.map((name) => fields[name] ?? '');
  const guess = record.inferred ? (expandInferred(record)?.email ?? '') : '';
  return foldText([...own, ...values, guess].join('\n'));
}

export function createRowSearch(
  search: string,
  mapping: ColumnMapping,
): (cells: readonly string[], record: SearchedResult) => boolean {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  // A word without these signs is in the stored text of the fields as it is.
  const plain = words.every((word) => !/["\\]/.test(word));
  const columns = [...new Set(searchedInputs.flatMap((field) => mapping[field] ?? []))];
  return (cells, record) => {
    // Most rows are decided here, without parsing the fields.
    const own = columns.map((column) => cells[column] ?? '').join('\n');
    const stored = foldText(`${own}\n${record.fields}\n${record.inferred ?? ''}`);
    if (plain && !words.every((word) => stored.includes(word))) return false;
    const text = listSearched(mapping, cells, record);
    return words.every((word) => text.includes(word));
  };
}
