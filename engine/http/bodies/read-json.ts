// Parses the bytes of a JSON body, with the same rules for small and large bodies.
import { isUtf8 } from 'node:buffer';
import { parse } from 'secure-json-parse';
import { EngineError, invalid } from '../../contract/errors.ts';

const notText = 'The body is not valid UTF-8.';
const notJson = 'The body is not valid JSON. Check its quotes, commas and brackets.';

/** Whether an error means that the body is not JSON at all, rather than too large or invalid. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof EngineError && [notText, notJson].includes(error.detail);

const decoder = new TextDecoder();

/** Throws `validation_error` for invalid UTF-8, which is never replaced silently. */
export function requireText(bytes: Uint8Array): void {
  if (!isUtf8(bytes)) throw invalid(notText);
}

/** Undefined for an empty body. Throws `validation_error`, also for keys of prototypes. */
export function parseBody(bytes: Uint8Array): unknown {
  requireText(bytes);
  const text = decoder.decode(bytes);
  if (text.trim() === '') return undefined;
  try {
    return parse(text, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw invalid(notJson);
  }
}
