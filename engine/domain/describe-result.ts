/**
 * One stored result in the words of the contract: codes to names, compact provenance to one entry
 * per field.
 */
import { formatCredits } from '../contract/credits.ts';
import {
  matchFields,
  type ResultRow,
  type RowStatus,
  reasons,
  rowStatuses,
} from '../contract/job.ts';
import { describeCandidates, expandProvenance } from '../directory/projection.ts';
import type { JobRow } from '../store/job.ts';
import type { ResultRecord } from '../store/result.ts';
import { priceRow, readLayerStatus } from './price-job.ts';

/** The enriched fields of a result: display name → value; fields without a value are left out. */
export function readFields(record: Pick<ResultRecord, 'fields'>): Record<string, string> {
  const fields: Record<string, string> = {};
  if (!record.fields) return fields;
  const stored = JSON.parse(record.fields) as Record<string, string | number | null>;
  for (const [name, value] of Object.entries(stored))
    if (value !== null && value !== '') fields[name] = String(value);
  return fields;
}

/** The row status of a stored result. */
export function readRowStatus(record: Pick<ResultRecord, 'status'>): RowStatus {
  const status = rowStatuses[record.status];
  if (!status) throw new Error(`unknown row status ${record.status}`);
  return status;
}

const sentences: Partial<Record<(typeof reasons)[number], string>> = {
  source_error: 'The source did not answer for this row. Run the failed rows again later.',
};

/** The words for a failed row; '' for any other (specification, Result row). */
export function describeRowError(record: ResultRecord): string {
  if (readRowStatus(record) !== 'failed') return '';
  return record.error ?? sentences[reasons[record.reason] ?? ''] ?? 'This row failed.';
}

/** A stored result as a result row. `updatedAt` is when its batch was written. */
export function describeResult(
  job: JobRow,
  record: ResultRecord,
  clientReferenceId: string,
  updatedAt: string,
): ResultRow {
  const status = readRowStatus(record);
  const fields = readFields(record);
  const charged = priceRow(job, status === 'enriched', record.layerBits);
  return {
    row_index: record.rowIndex,
    upstream_contact_uuid: record.contactUuid ?? '',
    client_reference_id: clientReferenceId,
    status,
    layer_status: Object.fromEntries(
      job.codes.map((code) => [
        code,
        status === 'failed' ? 'failed' : readLayerStatus(record.layerBits, code),
      ]),
    ),
    enriched_fields: fields,
    error_message: describeRowError(record),
    credits_charged: formatCredits(charged),
    charge_decision: status === 'enriched' ? 'used' : 'released',
    created_at: job.createdAt,
    updated_at: updatedAt,
    reason: reasons[record.reason] ?? '',
    confidence: Math.round((record.confidence ?? 0) * 10_000) / 10_000,
    matched_on: matchFields.filter((_field, bit) => (record.matchedOn >> bit) & 1),
    candidates: describeCandidates(record.candidates),
    provenance: record.provenance ? expandProvenance(record.provenance, Object.keys(fields)) : {},
  };
}
