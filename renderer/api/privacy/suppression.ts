/** Requests for the suppression list. */
import {
  type GivenValue,
  type SuppressionKind,
  SuppressionPageSchema,
  SuppressionRemovedSchema,
  SuppressionReportSchema,
} from '../../../engine/contract/suppression/suppression.ts';
import { call } from '../client.ts';

/** A page of entries. */
export interface EntriesRequest {
  readonly search: string;
  readonly kind: SuppressionKind | null;
  /** The `next` of the page before; null for the first. */
  readonly before: number | null;
  readonly limit: number;
}

/** Entries, newest first. */
export function readSuppressions({ search, kind, before, limit }: EntriesRequest) {
  const query = new URLSearchParams({
    search,
    limit: String(limit),
    ...(kind && { kind }),
    ...(before !== null && { before: String(before) }),
  });
  return call(SuppressionPageSchema, `/app/v1/suppression?${query}`);
}

/** Adds values. */
export const addSuppressions = (body: { values: GivenValue[]; reason: string }) =>
  call(SuppressionReportSchema, '/app/v1/suppression', { method: 'POST', body });

/** Adds the values of a CSV file. */
export const importSuppressions = (body: { text: string; reason: string }) =>
  call(SuppressionReportSchema, '/app/v1/suppression-imports', { method: 'POST', body });

/** Adds the people of the directory who opted out to the suppression list. */
export const suppressOptOuts = () =>
  call(SuppressionReportSchema, '/app/v1/suppression-opt-outs', { method: 'POST' });

/** Removes entries by their ids, or all that refusals in a job made. */
export const removeSuppressions = (body: { ids: number[] } | { job_id: string }) =>
  call(SuppressionRemovedSchema, '/app/v1/suppression-removals', { method: 'POST', body });
