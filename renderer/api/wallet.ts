// The lines of the wallet and their export, by filters of the page.
import type { z } from 'zod';
import {
  type WalletExportRequestSchema,
  type WalletLineKind,
  walletLines,
} from '../../engine/contract/wallet/wallet-lines.ts';
import { ask } from './client.ts';

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
export const readWalletLines = (filters: WalletFilters, before: number | null, limit: number) =>
  ask(walletLines.list, { ...queryOf(filters), limit, before: before ?? undefined });

export const exportWallet = (
  filters: WalletFilters | null,
  options: Partial<
    Pick<z.input<typeof WalletExportRequestSchema>, 'path' | 'format' | 'for_excel'>
  >,
) => ask(walletLines.exportLines, { ...(filters && queryOf(filters)), ...options });
