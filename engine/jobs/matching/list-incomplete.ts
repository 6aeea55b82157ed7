// The matched rows of a batch whose person lacks a work email, a phone or a head office. Reads the
// projection of the batch, so that a person is incomplete exactly if the result would be.
import { rowStatuses } from '../../contract/jobs/job.ts';
import { type DisplayName, type LayerCode, layerByCode } from '../../contract/jobs/layers.ts';
import type { ProviderField, ProviderRow } from '../../contract/provider.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import { websiteDomain } from '../../directory/normalize/normalize-url.ts';
import type { Projection } from '../../directory/read/projection.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { SharedResult } from '../../shared/records/describe-results.ts';
import { readFields } from '../results/result-fields.ts';
import type { IncompleteRow } from './enrich-batch.ts';

type Known = Readonly<Partial<Record<DisplayName, string>>>;

/** The fields that may be asked for → the display names of which one is enough. */
const completions: readonly (readonly [
  code: LayerCode,
  names: readonly DisplayName[],
  fields: readonly ProviderField[],
])[] = [
  ['L1', ['Email'], ['work_email', 'email_status']],
  ['L2', layerByCode.L2.fields, ['headquarters']],
  ['MPA', layerByCode.MPA.fields, ['phone']],
];

/** The display names that providers may add to a matched row. */
export const completedNames: ReadonlySet<DisplayName> = new Set([
  ...completions.flatMap(([, names]) => names),
  'Email status' as const,
]);

export function listLacking(known: Known, codes: readonly LayerCode[]): ProviderField[] {
  // Of a person who left, the next employer is unknown, and so is the work email.
  const hasLeft = known['Employment status'] === 'Left';
  return completions.flatMap(([code, names, fields]) => {
    const isOpen = codes.includes(code) && !names.some((name) => known[name]);
    return isOpen && !(hasLeft && code === 'L1') ? fields : [];
  });
}

/** The row as a provider needs it: of a person who changed jobs, with the new company. */
function completeRow(row: ProviderRow, known: Known): ProviderRow {
  const hasMoved = known['Employment status'] === 'Changed';
  const { company_domain: named, ...rest } = row;
  const domain = hasMoved
    ? websiteDomain(known['New company website'] ?? '')
    : (named ?? websiteDomain(known['Company website'] ?? ''));
  const values = {
    first_name: known['First name'],
    last_name: known['Last name'],
    company_name: known['Current company name'],
    title: known['Current title'],
    profile_url: known['Profile URL'],
    company_domain: domain,
  };
  const filled = Object.entries(values).filter(([, value]) => value);
  return { ...rest, ...Object.fromEntries(filled) };
}

const enriched = rowStatuses.indexOf('enriched');

const listWanting = (
  rows: readonly { readonly position: number; readonly fields: string }[],
  codes: readonly LayerCode[],
): IncompleteRow[] =>
  rows.flatMap(({ position, fields }) => {
    const known: Known = readFields({ fields });
    const wanted = listLacking(known, codes);
    if (wanted.length === 0) return [];
    return [{ position, wanted, complete: (row) => completeRow(row, known) }];
  });

/** Lists the rows that the shared directory answered without all values. */
export const listIncompleteShared = (
  results: readonly SharedResult[],
  codes: readonly LayerCode[],
): IncompleteRow[] =>
  listWanting(
    results.flatMap(({ position, status, fields }) =>
      status === enriched && fields !== null ? [{ position, fields }] : [],
    ),
    codes,
  );

interface ProjectedRow {
  readonly position: number;
  readonly fields: string;
}

/** Lists the rows. Overwrites temp.matched. */
export function listIncomplete(
  database: ReadableDatabase,
  projection: Projection,
  batch: MatchBatch,
  codes: readonly LayerCode[],
): IncompleteRow[] {
  projection.load(batch, 0);
  const found = statement<ProjectedRow>(
    database,
    `SELECT row_index AS position, fields FROM (${projection.selectSql})
     WHERE status = ${enriched} AND fields IS NOT NULL`,
  ).all();
  return listWanting(found, codes);
}
