/** Reads the Idempotency-Key header. */

import { EngineError } from '../contract/errors.ts';
import { idempotencyKeyCharactersMax } from '../contract/limits/ledger.ts';

/** The Idempotency-Key header; null if absent. Throws `validation_error`. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = header.toString();
  if (key.length === 0 || key.length > idempotencyKeyCharactersMax)
    throw new EngineError(
      'validation_error',
      `Idempotency-Key: send 1 to ${idempotencyKeyCharactersMax} characters.`,
    );
  return key;
}
