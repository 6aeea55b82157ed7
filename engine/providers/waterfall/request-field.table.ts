// The table `provider_request_field`: what each request found and cost by field.
import { creditsReportedMax } from '../../contract/limits/waterfall.ts';
import type { FieldAnswer, ProviderField, ProviderTerms } from '../../contract/provider.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { findShared, ownUnits } from './cost-terms.ts';
import { toUnits } from './provider-units.ts';

type RowFields = readonly (readonly [ProviderField, FieldAnswer])[];

/** What some requests found for a field, and its share of their cost. */
interface FieldCount {
  asked: number;
  hits: number;
  shareUnits: number;
}

/** The share of a found field of the costs that the found fields of its row have in common. */
function shareOf(
  terms: ProviderTerms,
  field: ProviderField,
  hits: readonly ProviderField[],
): number {
  const shared = findShared(terms, field);
  const together = hits.filter((one) => shared?.fields.includes(one)).length;
  const ofShared = shared ? toUnits(shared.costMaxCredits) / together : 0;
  return Math.round(toUnits(terms.rowCostMaxCredits) / hits.length + ofShared);
}

/**
 * Counts the answered rows by field. The share of a field is what its answers cost by themselves;
 * the price of a row is divided among what was found in it. Failed rows are not counted.
 */
function countFields(
  terms: ProviderTerms,
  rows: readonly RowFields[],
): Map<ProviderField, FieldCount> {
  const counts = new Map<ProviderField, FieldCount>();
  for (const row of rows) {
    const hits = row.filter(([, said]) => said.kind === 'hit').map(([field]) => field);
    for (const [field, said] of row) {
      if (said.kind === 'failed') continue;
      const count = counts.get(field) ?? { asked: 0, hits: 0, shareUnits: 0 };
      const isHit = said.kind === 'hit';
      const max = isHit ? ownUnits(terms, field) : 0;
      count.asked += 1;
      count.hits += isHit ? 1 : 0;
      count.shareUnits += said.costCredits === undefined ? max : toUnits(said.costCredits);
      if (isHit) count.shareUnits += shareOf(terms, field, hits);
      counts.set(field, count);
    }
  }
  return counts;
}

/** Stores what a request found. Call in the transaction that ends the request. */
export function insertRequestFields(
  database: WritableDatabase,
  requestId: number,
  terms: ProviderTerms,
  rows: readonly RowFields[],
): void {
  for (const [field, { asked, hits, shareUnits }] of countFields(terms, rows))
    statement(
      database,
      `INSERT INTO provider_request_field (request_id, field, asked, hits, share_units)
       VALUES (?, ?, ?, ?, ?)`,
    ).run(requestId, field, asked, hits, Math.min(shareUnits, toUnits(creditsReportedMax)));
}

export interface JobField extends Readonly<FieldCount> {
  readonly provider: string;
  readonly field: ProviderField;
}

export const listJobFields = (database: ReadableDatabase, jobId: number): JobField[] =>
  statement<JobField>(
    database,
    `SELECT r.provider, f.field, sum(f.asked) AS asked, sum(f.hits) AS hits,
       total(f.share_units) AS shareUnits
     FROM provider_request r JOIN provider_request_field f ON f.request_id = r.id
     WHERE r.job_id = ? GROUP BY r.provider, f.field`,
  ).all(jobId);
