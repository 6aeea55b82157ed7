/** Reads the bytes of a JSON body: the same rules for small bodies and large ones. */
import { isUtf8 } from 'node:buffer';
import { parse } from 'secure-json-parse';
import { EngineError } from '../../contract/errors.ts';

const notText = 'The body is not valid UTF-8.';
const notJson = 'The body is no valid JSON. Check its quotes, commas and brackets.';

/** Whether an error says that a body is no JSON at all, and not that it is too large, or wrong. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof EngineError && [notText, notJson].includes(error.detail);

const decoder = new TextDecoder();

/** Throws `validation_error` for broken UTF-8, which is never silently replaced. */
export function requireText(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw new EngineError('validation_error', notText);
}

/**
 * The value of a body; undefined where it is empty. Throws `validation_error`, also for keys
 * that would reach the prototype of an object.
 */
export function parseBody(bytes: Uint8Array): unknown {
  requireText(bytes);
  const text = decoder.decode(bytes);
  if (text.trim() === '') return undefined;
  try {
    return parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw new EngineError('validation_error', notJson);
  }
}
