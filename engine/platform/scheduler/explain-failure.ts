/** Why a piece of work cannot go on: a refusal in its own words, or a bug under an id. */
import { randomUUID } from 'node:crypto';
import { EngineError, type ErrorMessage } from '../../contract/errors.ts';
import { findSystemRefusal } from '../sqlite/system-refusal.ts';

/**
 * Explains an error for a person. A bug goes to the log with its stack and an id; the sentence
 * names the id alone.
 * @param what the work, as the log names it
 */
export function explainFailure(what: string, error: unknown): ErrorMessage {
  const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
  if (refusal) return { code: refusal.code, detail: refusal.detail };
  const id = randomUUID();
  console.error(`bug ${id} in ${what}`, error);
  return { code: 'internal_error', detail: `The engine met a bug of its own (${id}).` };
}
