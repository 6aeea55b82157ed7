// The state of the shared directory: its generation, its format, and the check of the secret.
import type { PoolClient } from 'pg';
import { invalid } from '../contract/errors.ts';
import type { BlockKeys } from './block-keys.ts';
import type { SharedAddress } from './connection/shared-address.ts';
import { sharedFailure } from './connection/shared-failure.ts';
import { keyText } from './key-hash.ts';

export interface Generation {
  readonly number: number;
  readonly people: number;
  readonly secretCheck: string;
  readonly format: number;
}

/**
 * The format of the match_ tables. Raise it when documents, keys or the normalisation of what they
 * are made of change: engines of another format refuse.
 */
export const sharedFormat = 1;

/** The same in buckets, which versions that know no buckets refuse. */
export const bucketFormat = 2;

/** The hash of this text is stored to recognise the secret. */
const secretCheckText = '\0desk shared directory';

export const secretCheckOf = (keys: BlockKeys): string => keyText(keys.hashText(secretCheckText));

/** The generation of the team; null before the first load. */
export async function readGeneration(client: PoolClient): Promise<Generation | null> {
  const { rows } = await client.query<Generation>(
    `SELECT number::int, people, secret_check::text AS "secretCheck", format FROM generation`,
  );
  return rows[0] ?? null;
}

/** Throws if the secret is not the one that the keys were made with, or the format is another. */
export function checkGeneration(
  { secretCheck, format }: Generation,
  keys: BlockKeys,
  address: SharedAddress,
): void {
  if (format !== sharedFormat && format !== bucketFormat) throw sharedFailure('format', address);
  if (secretCheck !== secretCheckOf(keys))
    throw invalid(
      'The shared directory was loaded with another secret. Use the secret of the team.',
    );
}
