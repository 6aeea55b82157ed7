/**
 * Reads a list from JSON: an array of objects, an object with one such array, or an object in each
 * line (JSON Lines).
 */
import { EngineError } from '../../contract/errors.ts';
import { csvColumnsMax, jsonUploadBytesMax } from '../../contract/limits/spreadsheet.ts';
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

/** Objects in objects that are read as columns of their own, "company.name". */
const depthMax = 4;

/** The text of a value; null for one with parts that no cell can hold. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if (!Array.isArray(value)) return null;
  const texts = value.map((part) =>
    typeof part === 'object' && part !== null ? null : textOf(part),
  );
  return texts.every((text) => text !== null) ? texts.filter(Boolean).join('; ') : null;
}

const nameParts = (value: unknown): string =>
  Array.isArray(value) ? 'a list of objects' : 'an object';

/** The columns of an item: the keys of objects in it follow their own key and a point. */
function* listValues(item: Item, number: number, prefix = ''): Generator<[string, string]> {
  for (const [key, value] of Object.entries(item)) {
    const column = prefix + key;
    const text = textOf(value);
    if (text !== null) {
      if (text.length > 1_000 || /[\0\ud800-\udfff]/.test(text))
        checkCell(text, `Item ${number}, "${column}"`);
      yield [column, text];
    } else if (isItem(value) && column.split('.').length < depthMax)
      yield* listValues(value, number, `${column}.`);
    else
      throw refuseFile(
        `Item ${number} of the JSON file has ${nameParts(value)} in "${column}". Texts, numbers, ` +
          'true, false, null, lists of them and objects of them can be read.',
      );
  }
}

/** Collects the names of the columns, in the order in which they first occur. */
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

/** The array of a file: the whole, or the only array of objects in an object. */
function findItems(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const lists = isItem(value)
    ? Object.values(value).filter((part) => Array.isArray(part) && part.some(isItem))
    : [];
  if (lists.length === 1) return lists[0] as unknown[];
  throw refuseFile('The JSON file is not a list: it must be an array of objects.');
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
  const value = parse(text.replace(/^\ufeff/, ''));
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
