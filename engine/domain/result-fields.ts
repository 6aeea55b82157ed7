/** The stored fields of a result, read without making an object of them. */
import type { ResultRecord } from '../store/result.ts';

/** The fields of a result that hold a value. */
export interface FilledFields {
  /** Their display names. */
  readonly names: readonly string[];
  /** JSON text of an object, display name → value as text. */
  readonly text: string;
}

const quote = 34;
const backslash = 92;

/** The place behind a JSON string that begins at `at`. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  throw new Error('the fields of a result are no JSON');
}

/** The place behind a JSON number or null that begins at `at`. */
function endOfPlain(text: string, at: number): number {
  const comma = text.indexOf(',', at);
  return comma < 0 ? text.length - 1 : comma;
}

/**
 * Leaves out the fields without a value, and makes texts of numbers. Nearly all of a page's time
 * would go into parsing and writing these fields; their text is there already.
 * @param record fields: JSON text of an object without spaces, names without escapes, and values
 *   that are texts, numbers or null; '' for none
 */
export function readFilled({ fields: stored }: Pick<ResultRecord, 'fields'>): FilledFields {
  const names: string[] = [];
  let text = '';
  for (let at = 1; stored.charCodeAt(at) === quote; ) {
    const nameEnd = endOfString(stored, at);
    const valueAt = nameEnd + 1;
    const isText = stored.charCodeAt(valueAt) === quote;
    const end = isText ? endOfString(stored, valueAt) : endOfPlain(stored, valueAt);
    const isFilled = isText ? end - valueAt > 2 : !stored.startsWith('null', valueAt);
    if (isFilled) {
      names.push(stored.slice(at + 1, nameEnd - 1));
      const value = isText ? stored.slice(valueAt, end) : `"${Number(stored.slice(valueAt, end))}"`;
      text += `${text === '' ? '' : ','}${stored.slice(at, valueAt)}${value}`;
    }
    at = end + 1;
  }
  return { names, text: `{${text}}` };
}

/** The same fields as an object: display name → value. */
export function readFields(record: Pick<ResultRecord, 'fields'>): Record<string, string> {
  return JSON.parse(readFilled(record).text) as Record<string, string>;
}
