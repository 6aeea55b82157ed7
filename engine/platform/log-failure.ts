// Logs failed work: a refusal with its sentence, a bug with its stack.
import { EngineError } from '../contract/errors.ts';
import { findSystemRefusal } from './sqlite/system-refusal.ts';

export function logFailure(what: string, error: unknown): void {
  const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
  if (refusal) console.error(`${what}: ${refusal.detail}`);
  else console.error(what, error);
}
