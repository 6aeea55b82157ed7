// Reads a list from JSON: an array of objects or of rows, an object with one such array at any
// depth, objects by their keys, columns, or an object in each line (JSON Lines).
import { EngineError } from '../../contract/errors.ts';
import { csvColumnsMax, jsonUploadBytesMax } from '../../contract/limits/spreadsheet.ts';
import { countKnown } from '../reading/find-table.ts';
import { checkCell } from '../write-rows-table.ts';
import { type ListReader, type ListSource, noSheets, refuseFile } from './list-reader.ts';
import { readText } from './read-text.ts';

type Item = Readonly<Record<string, unknown>>;

/** Keeps numbers as they are written: a long id would lose its last digits. */
const keepNumbers = (_key: string, value: unknown, context: { source?: string }): unknown =>
  typeof value === 'number' ? (context.source ?? String(value)) : value;

function parse(text: string): unknown {
  try {
    // The types of the language do not have the third argument yet.
    return JSON.parse(text, keepNumbers as (key: string, value: unknown) => unknown);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isRow = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isPlain = (value: unknown): boolean => !isItem(value) && !isRow(value);

/** Objects in objects that are read as columns of their own, "company.name". */
const depthMax = 4;
/** Objects in a list that are read as columns of their own, "emails.value" and "emails 2.value". */
const listedMax = 5;

/** The text of a value; null for one whose parts become columns. */
function textOf(value: unknown, depth: number): string | null {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (isRow(value) && value.every(isPlain))
    return value
      .map((part) => (part === null ? '' : String(part)))
      .filter(Boolean)
      .join('; ');
  const areItems =
    isItem(value) || (isRow(value) && value.every(isItem) && value.length <= listedMax);
  return areItems && depth < depthMax ? null : JSON.stringify(value);
}

/** The columns of an item: the keys of objects in it follow their own key and a point. */
function* listValues(
  item: Item,
  number: number,
  prefix = '',
  depth = 1,
): Generator<[string, string]> {
  for (const [key, value] of Object.entries(item)) {
    const column = prefix + key;
    const text = textOf(value, depth);
    if (text !== null) {
      if (text.length > 1_000 || /[\0\ud800-\udfff]/.test(text))
        checkCell(text, `Item ${number}, "${column}"`);
      yield [column, text];
    } else
      for (const [at, part] of (isRow(value) ? value : [value]).entries())
        yield* listValues(
          part as Item,
          number,
          `${column}${at === 0 ? '' : ` ${at + 1}`}.`,
          depth + 1,
        );
  }
}

function createColumns() {
  const columns = new Map<string, number>();
  return {
    columns,
    add(item: unknown, number: number): void {
      if (!isItem(item)) throw refuseFile(`Item ${number} of the JSON file is not an object.`);
      for (const [column] of listValues(item, number))
        if (!columns.has(column)) columns.set(column, columns.size);
      if (columns.size > csvColumnsMax)
        throw refuseFile(
          `The JSON file has more than ${csvColumnsMax.toLocaleString('en-US')} keys.`,
        );
    },
    cellsOf(item: Item, number: number): string[] {
      const cells = new Array<string>(columns.size).fill('');
      for (const [column, text] of listValues(item, number)) cells[columns.get(column) ?? 0] = text;
      return cells;
    },
  };
}

/** The items of a table whose columns are lists of one length, or objects with the same keys. */
function readColumnsOf(value: Item): readonly Item[] | null {
  const columns = Object.entries(value);
  const keysOf = (column: unknown): string =>
    isItem(column) || isRow(column) ? Object.keys(column).join() : '';
  const keys = keysOf(columns[0]?.[1]);
  const isTable =
    columns.length > 1 &&
    /^0(?:,|$)/.test(keys) &&
    columns.every(
      ([, cells]) => keysOf(cells) === keys && Object.values(cells as Item).every(isPlain),
    );
  if (!isTable) return null;
  return keys
    .split(',')
    .map((key) => Object.fromEntries(columns.map(([name, cells]) => [name, (cells as Item)[key]])));
}

/** The share of keys that objects of one list have in common at least. */
const commonKeysMin = 0.5;

/** The items of an object that has them by their keys, as databases export them. */
function readKeyed(value: Item): readonly Item[] | null {
  const entries = Object.entries(value);
  const [first = {}] = Object.values(value);
  if (entries.length < 2 || !isItem(first) || !Object.values(value).every(isItem)) return null;
  const names = Object.keys(first);
  const areAlike = entries.every(([, item]) => {
    const own = Object.keys(item as Item);
    const common = own.filter((name) => names.includes(name)).length;
    return common >= commonKeysMin * Math.max(1, new Set([...own, ...names]).size);
  });
  return areAlike ? entries.map(([key, item]) => ({ key, ...(item as Item) })) : null;
}

/** The rows of a table whose first row has the names, as items. */
function readRows(names: readonly unknown[], rows: readonly unknown[]): readonly unknown[] {
  const header = names.map((name, at) =>
    isPlain(name) && name ? String(name) : `Column ${at + 1}`,
  );
  const nameOf = (at: number) =>
    header.indexOf(header[at] ?? '') < at || at >= header.length
      ? `${header[at] ?? 'Column'} (${at + 1})`
      : (header[at] ?? '');
  return rows.map((row) =>
    isRow(row) ? Object.fromEntries(row.map((cell, at) => [nameOf(at), cell])) : row,
  );
}

/** The lists of a value that may be the one that is meant, not deeper than the first of them. */
function listLists(value: unknown, name: string): { name: string; items: readonly unknown[] }[] {
  if (isRow(value)) {
    if (value.some(isItem)) return [{ name, items: value }];
    const [names, ...rows] = value;
    const isTable = isRow(names) && rows.length > 0 && value.every(isRow);
    return isTable ? [{ name, items: readRows(names, rows) }] : [];
  }
  if (!isItem(value)) return [];
  const { columns, data } = value;
  if (isRow(columns) && columns.every(isPlain) && isRow(data) && data.some(isRow))
    return [{ name, items: readRows(columns, data) }];
  const items = readColumnsOf(value) ?? readKeyed(value);
  if (items !== null) return [{ name, items }];
  const parts = Object.entries(value);
  const direct = parts.filter(([, part]) => isRow(part));
  const found = direct.flatMap(([key, part]) => listLists(part, key));
  if (found.length > 0) return found;
  return parts.filter(([, part]) => isItem(part)).flatMap(([key, part]) => listLists(part, key));
}

/** A list of GraphQL has its items in "node". */
const unwrap = (item: unknown): unknown => (isItem(item) && isItem(item.node) ? item.node : item);

/** Whether a value is a contact, or contacts, of jCard: ["vcard", [["fn", {}, "text", "Ann"]]]. */
const isJCard = (value: unknown): boolean =>
  isRow(value) && (value[0] === 'vcard' || (value.length > 0 && value.every(isJCard)));

function findItems(value: unknown): readonly unknown[] {
  if (isJCard(value))
    throw refuseFile(
      'The file has contacts as jCard.',
      'Export the contacts as a vCard (.vcf) or a CSV, and choose the new file.',
    );
  const [list, ...others] = listLists(value, '');
  if (others.length > 0 && list !== undefined) {
    const names = [list, ...others].slice(0, 20).map(({ name }) => JSON.stringify(name));
    throw refuseFile(
      `The JSON file has several lists: ${names.join(', ')}.`,
      'Save the list that you mean in a file of its own, and choose the new file.',
    );
  }
  if (list !== undefined) return list.items.map(unwrap);
  // One contact.
  if (isItem(value) && countKnown(Object.keys(value)) > 1) return [value];
  throw refuseFile('The JSON file is not a list: it must be an array of objects.');
}

/** Strings, and what JSON does not have: other words for nothing, a comma behind the last part. */
const looseParts = /"(?:[^"\\]|\\.)*"|,(?=\s*(?:[\]}]|$))|-?\b(?:NaN|Infinity|undefined)\b/g;
const looseWords: Readonly<Record<string, string>> = {
  ',': '',
  NaN: 'null',
  Infinity: 'null',
  '-Infinity': 'null',
  undefined: 'null',
};
const betweenItems = /"(?:[^"\\]|\\.)*"|\}(?=\s*\{)/g;

/** The value of a text that is JSON for people: as a program prints it, or in a code block. */
function parseLoosely(text: string): unknown {
  const plain = text
    .replace(/^\s*(?:```\w*|(?:export\s+default|(?:const|let|var)\s+\w+\s*=|[\w.]+\s*=))\s*/, '')
    .replace(/[\s;]*(?:```[\s\S]*)?$/, '')
    .replace(looseParts, (part) => looseWords[part] ?? part);
  return (
    parse(plain) ??
    parse(`[${plain.replace(betweenItems, (part) => (part === '}' ? '},' : part))}]`)
  );
}

async function readWhole(source: ListSource): Promise<unknown> {
  if (source.bytes > jsonUploadBytesMax) {
    const [bytes, most] = [source.bytes, jsonUploadBytesMax].map((count) =>
      count.toLocaleString('en-US'),
    );
    throw refuseFile(`The JSON file has ${bytes} bytes; the maximum is ${most}.`);
  }
  let text = '';
  await readText(source, (piece) => {
    text += piece;
  });
  const bare = text.replace(/^\ufeff/, '');
  const value = parse(bare) ?? parseLoosely(bare);
  if (value === undefined) throw refuseFile('The file is not complete JSON in UTF-8.');
  return value;
}

/** Ends the reading of a file early. */
class Enough extends Error {}

const firstLineCharactersMax = 1_048_576;

/** Passes on the value of each line that is not empty. Throws for a line that is no JSON. */
async function readLines(
  source: ListSource,
  onItem: (item: unknown, line: number) => void,
): Promise<void> {
  let rest = '';
  let line = 0;
  const takeLine = (text: string) => {
    line++;
    if (text.trim() === '') return;
    const value = parse(text.replace(/^\ufeff/, ''));
    if (value === undefined) throw refuseFile(`Line ${line} of the file is not complete JSON.`);
    onItem(value, line);
  };
  await readText(source, (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > firstLineCharactersMax)
      throw refuseFile(`Line ${line + lines.length + 1} of the file is too long.`);
    lines.forEach(takeLine);
  });
  takeLine(rest);
}

/** Whether the first line is an object of its own, and another line follows. */
async function hasLines(source: ListSource): Promise<boolean> {
  let items = 0;
  try {
    await readLines(source, (item) => {
      if (!isItem(item) || ++items > 1) throw new Enough();
    });
  } catch (error) {
    if (!(error instanceof Enough) && !(error instanceof EngineError)) throw error;
  }
  return items > 1;
}

/** Calls `take` with the header and then with each item, and its number or line. */
export const readJson: ListReader = async (source, { take }) => {
  const { columns, add, cellsOf } = createColumns();
  const begin = () => take([...columns.keys()], 1);
  if (await hasLines(source)) {
    await readLines(source, add);
    if (columns.size > 0) begin();
    await readLines(source, (item, line) => {
      if (columns.size > 0) take(cellsOf(item as Item, line), line);
    });
    return noSheets;
  }
  const items = findItems(await readWhole(source));
  for (const [at, item] of items.entries()) add(item, at + 1);
  if (columns.size === 0) return noSheets;
  begin();
  for (const [at, item] of items.entries()) take(cellsOf(item as Item, at + 1), at + 1);
  return noSheets;
};
