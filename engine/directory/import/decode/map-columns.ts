/** Maps the columns of a list to fields: by the usual headers, or by the caller's mapping. */
import { EngineError } from '../../../contract/errors.ts';
import { recognizeColumns } from '../../../spreadsheet/recognize-columns.ts';

/** Reads a field's trimmed text from the cells of a row; '' if the list has no such column. */
export type CellReader<Field extends string> = (cells: readonly string[], field: Field) => string;

/** The columns of a list. */
export interface MappedColumns<Field extends string> {
  readonly read: CellReader<Field>;
  has(field: Field): boolean;
  /** Column indices of those of the fields that the list has. */
  placesOf(fields: readonly Field[]): number[];
  /** The header of a field's column, for remarks. */
  headerOf(field: Field): string;
}

/**
 * Maps the columns of a list. `mapping` (field → header) overrides recognised headers; entries for
 * other lists' fields or headers are ignored.
 */
export function mapColumns<Field extends string>(
  headers: readonly string[],
  dictionary: Readonly<Record<Field, readonly string[]>>,
  mapping: Readonly<Record<string, string>> = {},
): MappedColumns<Field> {
  const byHand = Object.entries(mapping).flatMap(([field, header]) => {
    const at = headers.findIndex((candidate) => candidate.trim() === header.trim());
    return field in dictionary && at >= 0 ? [[field, at] as const] : [];
  });
  const taken = new Set(byHand.map(([, at]) => at));
  const open = headers.map((header, at) => (taken.has(at) ? '' : header));
  const fields = Object.keys(dictionary).filter(
    (field) => !byHand.some(([name]) => name === field),
  );
  const rest = Object.fromEntries(fields.map((field) => [field, dictionary[field as Field]]));
  const columns: ReadonlyMap<string, number> = new Map(
    Object.entries({ ...recognizeColumns(open, rest), ...Object.fromEntries(byHand) }),
  );
  return {
    read(cells, field) {
      const at = columns.get(field);
      return at === undefined ? '' : (cells[at] ?? '').trim();
    },
    has: (field) => columns.get(field) !== undefined,
    placesOf: (fields) => fields.flatMap((field) => columns.get(field) ?? []),
    headerOf: (field) => headers[columns.get(field) ?? -1] ?? field,
  };
}

/** The parts of a list that the check of a mapping needs. */
interface MappedList {
  readonly headers: readonly string[];
  readonly dictionary: object;
}

/** Refuses a mapping with a field or header that none of the import's lists has. */
export function checkMapping(
  mapping: Readonly<Record<string, string>> | undefined,
  lists: readonly MappedList[],
): void {
  for (const [field, header] of Object.entries(mapping ?? {})) {
    const known = lists.filter(({ dictionary }) => field in dictionary);
    if (!known.length)
      throw new EngineError(
        'validation_error',
        `mapping: there is no field "${field}". Use one of ` +
          `${Object.keys(lists[0]?.dictionary ?? {}).join(', ')}.`,
      );
    const isHere = known.some(({ headers }) =>
      headers.some((name) => name.trim() === header.trim()),
    );
    if (!isHere)
      throw new EngineError(
        'validation_error',
        `mapping.${field}: the file has no column "${header}". Its columns are ` +
          `${known[0]?.headers.join(', ')}.`,
      );
  }
}
