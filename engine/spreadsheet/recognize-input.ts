/**
 * Maps the columns of a caller's table to row fields: by an explicit mapping, or by their usual
 * names.
 */
import { EngineError } from '../contract/errors.ts';
import { type ColumnMapping, type Mapping, rowInputFields } from '../contract/jobs/row-input.ts';
import { recognizeColumns } from './recognize-columns.ts';
import { rowInputColumns } from './row-input-columns.ts';

/**
 * Maps the usual names. A column of full names is used as the first name, which matching splits; a
 * bare "Name" next to a first name (German "Vorname; Name") is the last name.
 */
function recognizeMapping(headers: readonly string[]): ColumnMapping {
  const { full_name, ...mapping } = recognizeColumns(headers, rowInputColumns) as ColumnMapping & {
    full_name?: number;
  };
  if (full_name === undefined || mapping.last_name !== undefined) return mapping;
  return mapping.first_name === undefined
    ? { ...mapping, first_name: full_name }
    : { ...mapping, last_name: full_name };
}

/**
 * Row field → column index. An explicit mapping is used alone; without one, usual names are
 * recognised. Throws `validation_error` for a header that the table does not have.
 */
export function resolveMapping(headers: readonly string[], mapping?: Mapping): ColumnMapping {
  if (!mapping) return recognizeMapping(headers);
  const resolved: ColumnMapping = {};
  for (const field of rowInputFields) {
    const header = mapping[field];
    if (header === undefined) continue;
    const at = headers.indexOf(header);
    if (at < 0)
      throw new EngineError(
        'validation_error',
        `mapping.${field}: the file has no column ${JSON.stringify(header)}. ` +
          `Its columns are ${headers
            .slice(0, 20)
            .map((one) => JSON.stringify(one))
            .join(', ')}.`,
      );
    resolved[field] = at;
  }
  return resolved;
}

/** Throws `validation_error` if a column index is outside the table. */
export function checkColumnMapping(headers: readonly string[], mapping: ColumnMapping): void {
  for (const [field, at] of Object.entries(mapping))
    if (at >= headers.length)
      throw new EngineError(
        'validation_error',
        `mapping.${field}: there is no column ${at + 1}; the file has ${headers.length}.`,
      );
}
