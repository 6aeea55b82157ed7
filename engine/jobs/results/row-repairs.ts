/** The repairs of a stored row: its input as the caller gave it, with the result's names. */
import type { InputRepair } from '../../contract/jobs/input-repairs.ts';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import {
  foundFields,
  isPlainRow,
  listRepairs,
  namesOf,
  type RowCells,
  readCells,
} from '../../directory/repairs/list-repairs.ts';
import { readSome } from './result-fields.ts';

const none: readonly InputRepair[] = [];

/** Whether the stored values begin with the row's names: L1 has them first. */
function hasSameNames({ first_name: first = '', last_name: last = '' }: RowCells, fields: string) {
  return fields.startsWith(`["${first}","${last}",`, fields.indexOf('['));
}

/**
 * The repairs of a row.
 * @param fields the column of the result; '{}' for a row without a match
 */
export function listRowRepairs(
  row: readonly string[],
  mapping: ColumnMapping,
  fields: string,
): readonly InputRepair[] {
  const cells = readCells(row, mapping);
  if (isPlainRow(cells) && (fields === '{}' || hasSameNames(cells, fields))) return none;
  return listRepairs(cells, fields === '{}' ? null : namesOf(readSome({ fields }, foundFields)));
}

const fieldWord = (field: string): string => field.replaceAll('_', ' ');

/** The repairs of a row in one cell of an export. */
export const formatRepairs = (repairs: readonly InputRepair[]): string =>
  repairs.map(({ field, from, to }) => `${fieldWord(field)}: "${from}" → "${to}"`).join('; ');
