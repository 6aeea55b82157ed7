/** Reads a list from JSON: an array of objects with texts, numbers, yes or no, or nothing. */
import { readFileSync } from 'node:fs';
import { EngineError } from '../../contract/errors.ts';
import { csvColumnsMax, jsonUploadBytesMax } from '../../contract/limits/spreadsheet.ts';
import { checkCell } from '../write-rows-table.ts';

const advice = 'Export the list from its source again, as CSV or .xlsx.';

const refuse = (what: string): EngineError =>
  new EngineError('validation_error', `${what} ${advice}`);

/** Keeps numbers as they are written: a long id would lose its last digits. */
const keepNumbers = (_key: string, value: unknown, context: { source?: string }): unknown =>
  typeof value === 'number' ? (context.source ?? String(value)) : value;

function parseItems(path: string, bytes: number): unknown[] {
  if (bytes > jsonUploadBytesMax) {
    const most = jsonUploadBytesMax.toLocaleString('en-US');
    throw refuse(
      `The JSON file has ${bytes.toLocaleString('en-US')} bytes; the maximum is ${most}.`,
    );
  }
  let items: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    // The types of the language do not have the third argument yet.
    items = JSON.parse(text, keepNumbers as (key: string, value: unknown) => unknown);
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
    throw refuse('The file is not complete JSON in UTF-8.');
  }
  if (Array.isArray(items)) return items;
  throw refuse('The JSON file is not a list: it must be an array of objects.');
}

/** The text of a value. Throws for a value with parts. */
function textOf(value: unknown, key: string, item: number): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object')
    throw refuse(
      `Item ${item} of the JSON file has ${Array.isArray(value) ? 'a list' : 'an object'} in ` +
        `"${key}". Only texts, numbers, true, false and null can be read.`,
    );
  const text = String(value);
  checkCell(text, `Item ${item}, "${key}"`);
  return text;
}

/**
 * Reads the file. The columns are all keys, in the order in which they first occur. Calls `take`
 * with the header and then with each row, and its number (the first item is 1). Throws
 * EngineError('validation_error') for anything but an array of flat objects.
 * @param bytes size of the file
 */
export function readJsonList(
  path: string,
  bytes: number,
  take: (cells: string[], line: number) => void,
): void {
  const items = parseItems(path, bytes);
  const columns = new Map<string, number>();
  for (const [at, item] of items.entries()) {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw refuse(`Item ${at + 1} of the JSON file is not an object.`);
    for (const key of Object.keys(item)) if (!columns.has(key)) columns.set(key, columns.size);
  }
  if (columns.size > csvColumnsMax)
    throw refuse(`The JSON file has more than ${csvColumnsMax.toLocaleString('en-US')} keys.`);
  const keys = [...columns.keys()];
  if (keys.length === 0) return;
  take(keys, 1);
  for (const [at, item] of items.entries()) {
    const values = item as Readonly<Record<string, unknown>>;
    take(
      keys.map((key) => textOf(values[key], key, at + 1)),
      at + 1,
    );
  }
}
