// Columns of a caller's table → row fields: by a mapping, or by their usual names.
import { invalid } from '../contract/errors.ts';
import {
  type ColumnMapping,
  furtherColumns,
  type MappedName,
  type Mapping,
  mappedNames,
  type RowInputField,
  rowInputFields,
} from '../contract/jobs/row-input.ts';
import { quoteNames } from '../contract/reading/reading.ts';
import type { SampleRows } from './column-values.ts';
import { listColumns } from './recognize-columns.ts';
import { rowInputColumns } from './row-input-columns.ts';

const furtherOf: Readonly<Partial<Record<RowInputField, readonly MappedName[]>>> = furtherColumns;

/** Recognises the columns. A column of full names is the first name, which matching splits. */
function recognizeMapping(headers: readonly string[], rows: SampleRows): ColumnMapping {
  const found = listColumns(headers, rowInputColumns, rows);
  const full_name = found.full_name?.[0];
  const mapping: ColumnMapping = {};
  for (const field of rowInputFields) {
    const [best, ...others] = found[field] ?? [];
    if (best === undefined) continue;
    mapping[field] = best;
    for (const [at, name] of (furtherOf[field] ?? []).entries()) {
      const column = others[at];
      if (column !== undefined) mapping[name] = column;
    }
  }
  const isWhole = mapping.first_name !== undefined && mapping.last_name !== undefined;
  if (full_name === undefined || isWhole) return mapping;
  const { last_name, ...others } = mapping;
  return { ...others, first_name: full_name };
}

/**
 * Row field → column index. An explicit mapping is used alone; without one, usual names are
 * recognised. Throws `validation_error` for a header that the table does not have.
 * @param rows the first rows, which confirm or correct what the headers say
 */
export function resolveMapping(
  headers: readonly string[],
  mapping?: Mapping,
  rows: SampleRows = [],
): ColumnMapping {
  if (!mapping) return recognizeMapping(headers, rows);
  const resolved: ColumnMapping = {};
  for (const field of mappedNames) {
    const header = mapping[field];
    if (header === undefined) continue;
    const at = headers.indexOf(header);
    if (at < 0)
      throw invalid(
        `mapping.${field}: the file has no column ${JSON.stringify(header)}. ` +
          `Its columns are ${quoteNames(headers)}.`,
      );
    resolved[field] = at;
  }
  return resolved;
}

/** Throws `validation_error` if a column index is outside the table. */
export function checkColumnMapping(headers: readonly string[], mapping: ColumnMapping): void {
  for (const [field, at] of Object.entries(mapping))
    if (at >= headers.length)
      throw invalid(
        `mapping.${field}: there is no column ${at + 1}; the file has ${headers.length}.`,
      );
}
