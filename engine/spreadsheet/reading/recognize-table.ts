// Maps the columns of a list by their headers, corrected by their first values.
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import type { Upload } from '../../contract/uploads.ts';
import { hasCompanyWord, isEmailCell, isFullName, isMemberPage, mostly } from '../column-values.ts';
import { isAboutOthers, readHeader } from '../read-header.ts';
import { resolveMapping } from '../recognize-input.ts';

/** A mapping, and the column of full names in it; null without one. */
export interface RecognizedTable {
  readonly mapping: ColumnMapping;
  readonly fullName: number | null;
}

function findFullName(rows: readonly (readonly string[])[], mapping: ColumnMapping): number | null {
  const { first_name: first, last_name: last } = mapping;
  if (first !== undefined && last !== undefined) {
    // A recognised last name whose values repeat the first name is a full name.
    const repeatsFirst = (cell: string, row: readonly string[]) => {
      const given = (row[first] ?? '').trim().toLowerCase();
      return given !== '' && isFullName(cell) && cell.toLowerCase().includes(given);
    };
    return mostly(rows, last, repeatsFirst) ? last : null;
  }
  if (last !== undefined || first === undefined) return null;
  return mostly(rows, first, isFullName) ? first : null;
}

/** Columns by their headers and first values. @param rows the first rows */
export function recognizeTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): RecognizedTable {
  const mapping = { ...resolveMapping(headers, undefined, rows) };
  const fullName = findFullName(rows, mapping);
  if (fullName === null) return { mapping, fullName };
  delete mapping.last_name;
  return { mapping: { ...mapping, first_name: fullName }, fullName };
}

type SuggestedField = Upload['suggestions'][number]['field'];

/** Also `Ann Lee <ann@lee.example>`. */
const holdsEmail = (cell: string): boolean =>
  isEmailCell(cell) || isEmailCell(/<([^<>]*)>\s*$/.exec(cell)?.[1] ?? '');

/** Whether a header leaves open what its column has. */
const saysNothing = (header: string): boolean => {
  const { doubt, key } = readHeader(header) ?? { doubt: 2, key: '' };
  return (doubt === 2 || key === 'contact') && !isAboutOthers(header);
};

const suggests: Readonly<Record<SuggestedField, (cell: string) => boolean>> = {
  email: holdsEmail,
  profile_url: isMemberPage,
  company_name: hasCompanyWord,
  full_name: isFullName,
};
/** Names and companies are told less surely by their form than addresses. */
const suggestedShare = 0.8;

/** Whether few values occur again: places and titles do, names do not. */
function areDistinct(rows: readonly (readonly string[])[], column: number): boolean {
  const cells = rows.map((row) => (row[column] ?? '').trim()).filter(Boolean);
  return new Set(cells).size >= cells.length * suggestedShare;
}

/**
 * The unused columns whose values look like those of a field without a column. They are not used by
 * themselves, because they may be about a colleague. Headers with a known meaning are believed.
 */
export function suggestColumns(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  mapping: ColumnMapping,
): Upload['suggestions'] {
  const used = new Set<number | undefined>(Object.values(mapping));
  const hasName = mapping.first_name !== undefined || mapping.last_name !== undefined;
  return Object.entries(suggests).flatMap(([name, passes]) => {
    const field = name as SuggestedField;
    if (field === 'full_name' ? hasName : mapping[field] !== undefined) return [];
    const column = headers.findIndex(
      (header, at) =>
        !used.has(at) &&
        saysNothing(header) &&
        mostly(rows, at, passes, suggestedShare) &&
        (field !== 'full_name' || areDistinct(rows, at)),
    );
    if (column < 0) return [];
    used.add(column);
    return [{ column, field }];
  });
}
