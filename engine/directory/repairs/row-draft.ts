// A row while its repairs are listed: its cells as they are read so far, and the notes.
import type { InputRepair, InputRepairRule } from '../../contract/jobs/input-repairs.ts';
import type { RowInputField } from '../../contract/jobs/row-input.ts';
import {
  type RowCell,
  type RowText,
  readRowText,
} from '../match/graded/readings/read-identifiers.ts';

export type RowCells = Partial<Record<RowInputField, string>>;

/** Names of the person who was matched, as the result has them; '' for an unknown one. */
export interface FoundNames {
  readonly first: string;
  readonly last: string;
  readonly company: string;
}

export interface RowDraft {
  readonly cells: RowCells;
  readonly repairs: InputRepair[];
}

export const cellOf = ({ cells }: RowDraft, field: RowCell): string => cells[field] ?? '';

/** Changes a cell, and notes it unless the value is the same. */
export function putCell(draft: RowDraft, field: RowCell, rule: InputRepairRule, to: string): void {
  const from = cellOf(draft, field);
  if (from === to) return;
  draft.cells[field] = to;
  draft.repairs.push({ field, from, to, rule });
}

/** Puts a value that another cell had into its own, unless that one has a value. */
export function moveInto(
  draft: RowDraft,
  field: RowCell,
  rule: InputRepairRule,
  value: string | undefined,
): void {
  if (value !== undefined && value !== '' && cellOf(draft, field) === '')
    putCell(draft, field, rule, value);
}

/** What matching reads in one cell alone. */
export const readAlone = (cell: RowCell, text: string): RowText =>
  readRowText((one) => (one === cell ? text : ''));

export const readDraft = (draft: RowDraft): RowText => readRowText((cell) => cellOf(draft, cell));
