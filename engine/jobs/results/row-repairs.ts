// The repairs of a stored row: its input as the caller gave it, with the result's names.
import type { InputRepair } from '../../contract/jobs/input-repairs.ts';
import { reasons } from '../../contract/jobs/job.ts';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import { namesOrganisation } from '../../directory/match/match-company-rows.ts';
import {
  foundFields,
  isPlainRow,
  listRepairs,
  namesOf,
  type RowCells,
  readCells,
} from '../../directory/repairs/list-repairs.ts';
import type { ResultRecord } from './result.table.ts';
import { readSome } from './result-fields.ts';

const none: readonly InputRepair[] = [];
const noPersonReason = reasons.indexOf('not_a_person');

type RowOutcome = Pick<ResultRecord, 'fields' | 'reason'>;

/** Whether the stored values begin with the row's names: L1 has them first. */
function hasSameNames({ first_name: first = '', last_name: last = '' }: RowCells, fields: string) {
  return fields.startsWith(`["${first}","${last}",`, fields.indexOf('['));
}

/** The repairs of a row. @param result the row's outcome; its fields are '{}' without a match */
export function listRowRepairs(
  row: readonly string[],
  mapping: ColumnMapping,
  { fields, reason }: RowOutcome,
): readonly InputRepair[] {
  const cells = readCells(row, mapping);
  if (reason === noPersonReason) return listRepairs(cells, null, true);
  if (isPlainRow(cells) && (fields === '{}' || hasSameNames(cells, fields))) return none;
  const found = fields === '{}' ? null : namesOf(readSome({ fields }, foundFields));
  const repairs = listRepairs(cells, found);
  // The cells of a name are those of a company, and nothing in them is read as a person's.
  return repairs.length > 0 && namesOrganisation(row, mapping) ? none : repairs;
}

const fieldWord = (field: string): string => field.replaceAll('_', ' ');

export const formatRepairs = (repairs: readonly InputRepair[]): string =>
  repairs.map(({ field, from, to }) => `${fieldWord(field)}: "${from}" → "${to}"`).join('; ');
