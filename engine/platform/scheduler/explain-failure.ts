// Describes why work failed or waits: the refusal's own message, or the id of a bug.
import { randomUUID } from 'node:crypto';
import { EngineError, type ErrorMessage } from '../../contract/errors.ts';
import { findSystemRefusal } from '../sqlite/system-refusal.ts';

/**
 * Explains an error to the user. A bug is logged with its stack and an id; the message has only the
 * id.
 * @param what name of the work in the log
 */
export function explainFailure(what: string, error: unknown): ErrorMessage {
  const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
  if (refusal) return { code: refusal.code, detail: refusal.detail };
  const id = randomUUID();
  console.error(`bug ${id} in ${what}`, error);
  return { code: 'internal_error', detail: `Internal error (${id}).` };
}

/** Says why work is paused, and what to do. */
export const describeWait = ({ code, detail }: EngineError): string =>
  code === 'read_only'
    ? 'The disk is full or cannot be written. What is finished is kept. Free some space, and the ' +
      'rest continues automatically.'
    : `${detail} What is finished is kept, and the rest continues automatically.`;
