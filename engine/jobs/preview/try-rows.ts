// A trial: up to ten rows spread over a list, answered as a job would answer them from the
// directory. Stores, charges and asks nothing (docs/rules.md, "Trials").
import type { Trial } from '../../contract/jobs/app-jobs.ts';
import { type Reason, reasons, rowStatuses } from '../../contract/jobs/job.ts';
import type { LayerCode } from '../../contract/jobs/layers.ts';
import { type ColumnMapping, rowInputFields } from '../../contract/jobs/row-input.ts';
import { trialRowsMax } from '../../contract/limits/jobs.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { DirectoryProvider } from '../../providers/directory-provider.ts';
import { formatRecords } from '../../spreadsheet/format-record.ts';
import { openRows } from '../../spreadsheet/read-rows.ts';
import { namesContact } from '../../suppression/suppress-rows.ts';
import type { SuppressionList } from '../../suppression/suppression-list.ts';
import { readFields } from '../results/result-fields.ts';
import { answerSample } from './preview-rows.ts';

export interface TrialRequest {
  readonly accountId: number;
  readonly dir: string;
  readonly mapping: ColumnMapping;
  readonly codes: readonly LayerCode[];
  readonly threshold: number;
  readonly list: SuppressionList;
}

/** The rows of a trial, without the labels of their columns. */
export type TriedRows = Trial['rows'];

/** The middle row of each tenth of a list: more trials of it would show no other rows. */
export function spreadRows(rowCount: number): number[] {
  const count = Math.min(trialRowsMax, rowCount);
  return Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * rowCount) / count));
}

/** The columns of a mapping, in the order of the fields, each once. */
export const listGivenColumns = (mapping: ColumnMapping): number[] => [
  ...new Set(rowInputFields.flatMap((field) => mapping[field] ?? [])),
];

function readSpread(dir: string) {
  const rows = openRows(dir);
  try {
    const spread = spreadRows(rows.rowCount).map((rowIndex) => ({
      rowIndex,
      cells: rows.readRange(rowIndex, 1)[0] ?? [],
    }));
    return { headers: rows.headers, rows: spread };
  } finally {
    rows.close();
  }
}

/** @param store engine.db with the directory attached; only temporary tables are written */
export function tryRows(
  store: ReadableDatabase,
  answer: DirectoryProvider['answer'],
  { accountId, dir, mapping, codes, threshold, list }: TrialRequest,
): TriedRows {
  const { headers, rows } = readSpread(dir);
  const bytes = formatRecords(rows.map(({ cells }) => cells));
  const { found } = answerSample(
    store,
    answer,
    { accountId, headers, mapping, codes, threshold, list },
    bytes,
  );
  const columns = listGivenColumns(mapping);
  return rows.map(({ rowIndex, cells }, at) => {
    const row = found[at];
    const given = columns.map((column) => cells[column] ?? '');
    const fields = readFields({ fields: row?.fields ?? '{}' });
    if (row?.contact_uuid && namesContact(list, row.contact_uuid, fields))
      return { row_index: rowIndex, given, status: 'skipped', reason: 'suppressed', found: {} };
    const status = rowStatuses[row?.status ?? -1] ?? 'skipped';
    const reason: Reason = reasons[row?.reason ?? -1] ?? '';
    const values = status === 'enriched' ? fields : {};
    return { row_index: rowIndex, given, status, reason, found: values };
  });
}
