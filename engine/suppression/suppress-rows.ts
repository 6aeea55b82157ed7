// Ends rows that name a suppressed value, before they are sent or written.
import { type Reason, reasons } from '../contract/jobs/job.ts';
import type { DisplayName } from '../contract/jobs/layers.ts';
import {
  type ColumnMapping,
  type RowInputField,
  readMapped,
  rowInputFields,
} from '../contract/jobs/row-input.ts';
import type { MatchBatch } from '../directory/index/match-batch.ts';
import { parseRecords } from '../spreadsheet/read-rows.ts';
import type { SuppressionList } from './suppression-list.ts';

const suppressedReason = reasons.indexOf('suppressed' satisfies Reason);

function readFields(
  cells: readonly string[],
  mapping: ColumnMapping,
): Partial<Record<RowInputField, string>> {
  const fields: Partial<Record<RowInputField, string>> = {};
  for (const field of rowInputFields) {
    const cell = readMapped(cells, mapping, field);
    if (cell !== '') fields[field] = cell;
  }
  return fields;
}

/** Whether any cell of a row names a suppressed value, also one that enrichment does not read. */
export const namesRow = (
  list: SuppressionList,
  cells: readonly string[],
  mapping: ColumnMapping,
): boolean => !list.isEmpty && list.namesAny(readFields(cells, mapping), cells);

/** The positions of the rows that name a suppressed value, in record-aligned bytes. */
function findSuppressed(
  list: SuppressionList,
  bytes: Uint8Array,
  mapping: ColumnMapping,
): ReadonlySet<number> {
  if (list.isEmpty) return new Set();
  const positions = new Set<number>();
  for (const [at, cells] of parseRecords(bytes).entries())
    if (namesRow(list, cells, mapping)) positions.add(at);
  return positions;
}

/** A batch without the matches and candidates of suppressed rows, and their positions. */
export function suppressRows(
  list: SuppressionList,
  batch: MatchBatch,
  bytes: Uint8Array,
  mapping: ColumnMapping,
): { readonly batch: MatchBatch; readonly positions: ReadonlySet<number> } {
  const positions = findSuppressed(list, bytes, mapping);
  for (const at of positions) {
    batch.personIds[at] = 0;
    batch.companyIds[at] = 0;
    batch.employmentStatuses[at] = 0;
    batch.reasons[at] = suppressedReason;
    batch.confidences[at] = 0;
    batch.matchedOn[at] = 0;
  }
  if (positions.size === 0) return { batch, positions };
  const candidates = batch.candidates.filter(({ row }) => !positions.has(row));
  return { batch: { ...batch, candidates }, positions };
}

type Values = Readonly<Partial<Record<DisplayName, string>>>;

/** Whether an address, a number, a page, a domain or the employer is suppressed. */
export function namesContact(list: SuppressionList, contactUuid: string, values: Values): boolean {
  if (list.isEmpty) return false;
  if (contactUuid !== '' && list.hasPerson(contactUuid)) return true;
  const [first, last] = [values['First name'] ?? '', values['Last name'] ?? ''];
  const employers = [values['Current company name'], values['New company name']];
  const cells = Object.values(values);
  return employers.some((employer, at) =>
    list.namesAny(
      { first_name: first, last_name: last, company_name: employer ?? '' },
      at === 0 ? cells : [],
    ),
  );
}
