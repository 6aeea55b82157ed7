// Replaces results of suppressed rows, and the caller's cells, before they leave the engine.
import type { HiddenRows } from '../../suppression/hidden-rows.ts';
import { blankCells, deletedMarker, suppressedResult } from '../../suppression/hidden-rows.ts';
import type { JobRow } from '../job.table.ts';
import { expandInferred } from './inferred-email.ts';
import type { ResultRecord } from './result.table.ts';
import { readFields } from './result-fields.ts';

/** A stored result with the caller's cells; null if the row has no result yet. */
export interface ShownRow<Stored extends ResultRecord | null> {
  readonly record: Stored;
  readonly cells: readonly string[];
  readonly isHidden: boolean;
}

/** The candidates column without suppressed people. */
function keepShown({ hasPerson }: HiddenRows, candidates: string | null): string | null {
  if (candidates === null) return null;
  const all = JSON.parse(candidates) as [uuid: string][];
  const shown = all.filter(([uuid]) => !hasPerson(uuid));
  return shown.length === all.length ? candidates : JSON.stringify(shown);
}

/** A row as it may be shown. @param others further values that would be shown with it */
export function showRow<Stored extends ResultRecord | null>(
  hidden: HiddenRows,
  { mapping }: Pick<JobRow, 'mapping'>,
  record: Stored,
  cells: readonly string[],
  others: readonly string[] = [],
): ShownRow<Stored> {
  // A row that ended as suppressed says no more later, not even who was meant.
  const hasEnded = record?.reason === suppressedResult.reason;
  if (hidden.isEmpty && !hasEnded) return { record, cells, isHidden: false };
  const row = {
    cells,
    contactUuid: record?.contactUuid ?? '',
    values: record ? readFields(record) : {},
  };
  const inferred = record ? (expandInferred(record)?.email ?? '') : '';
  const shown = [...others, inferred];
  if (!hasEnded && !hidden.hides(row, mapping) && !hidden.list.namesAny({}, shown)) {
    const candidates = keepShown(hidden, record?.candidates ?? null);
    return { record: record && { ...record, candidates }, cells, isHidden: false };
  }
  const blank = blankCells(hidden, cells, mapping);
  return {
    record: record && { ...record, ...suppressedResult },
    cells: record?.error === deletedMarker ? [deletedMarker, ...blank.fill('').slice(1)] : blank,
    isHidden: true,
  };
}
