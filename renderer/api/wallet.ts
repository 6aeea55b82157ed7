/** Requests for the lines of the wallet and the report of spending. */
import type { z } from 'zod';
import { ExportAnswerSchema } from '../../engine/contract/jobs/app-jobs.ts';
import {
  WalletEntriesSchema,
  type WalletExportRequestSchema,
  type WalletLineKind,
  WalletPageSchema,
} from '../../engine/contract/wallet/wallet-lines.ts';
import { SpendReportSchema, type SpendStep } from '../../engine/contract/wallet/wallet-spend.ts';
import { call } from './client.ts';

/** Which lines are shown; '' or null for all. */
export interface WalletFilters {
  readonly kind: WalletLineKind | null;
  /** `app`, or the id of a key. */
  readonly client: string | null;
  /** Days, such as 2026-11-01. */
  readonly since: string;
  readonly until: string;
  readonly name: string;
}

const queryOf = ({ kind, client, since, until, name }: WalletFilters) => ({
  ...(kind !== null && { kind }),
  ...(client !== null && { client }),
  ...(since !== '' && { since }),
  ...(until !== '' && { until }),
  ...(name.trim() !== '' && { name: name.trim() }),
});

/** A page of lines, newest first. `before`: the `next` of the page before, or null. */
export function readWalletLines(filters: WalletFilters, before: number | null, limit: number) {
  const query = new URLSearchParams({
    ...queryOf(filters),
    limit: String(limit),
    ...(before !== null && { before: String(before) }),
  });
  return call(WalletPageSchema, `/app/v1/wallet/lines?${query}`);
}

/** The newest ledger entries of a line. */
export const readLineEntries = (id: number) =>
  call(WalletEntriesSchema, `/app/v1/wallet/lines/${id}/entries`);

/** Exports all lines, or those of a filter. */
export const exportWallet = (
  filters: WalletFilters | null,
  options: Partial<
    Pick<z.input<typeof WalletExportRequestSchema>, 'path' | 'format' | 'for_excel'>
  >,
) =>
  call(ExportAnswerSchema, '/app/v1/wallet/exports', {
    method: 'POST',
    body: { ...(filters && queryOf(filters)), ...options },
  });

/** What was spent between two days, both included. */
export const readSpend = (range: { step: SpendStep; since: string; until: string }) =>
  call(SpendReportSchema, `/app/v1/wallet/spend?${new URLSearchParams(range)}`);
