/**
 * Reads what submit and estimate are given, in the order in which refusals are promised
 * (decisions.md).
 */
import { z } from 'zod';
import { EngineError } from '../contract/errors.ts';
import {
  csvCellCharactersMax,
  csvColumnsMax,
  idempotencyKeyCharactersMax,
  jsonRowsMax,
  titleCharactersMax,
} from '../contract/limits.ts';
import {
  type ColumnMapping,
  type Mapping,
  MappingSchema,
  rowInputFields,
} from '../contract/row-input.ts';
import { parseWith } from './answers.ts';
import { type Form, readField } from './receive-form.ts';
import type { SourceFile } from './upload-shelf.ts';

/** A table as JSON rows make it. */
export interface RowsTable {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly mapping: ColumnMapping;
}

/** Absent or empty: what bad_meta, bad_layers and bad_rows mean, and nothing else. */
const isAbsent = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where too many rows for JSON go. */
const otherWay = 'Send them as a CSV file in multipart/form-data.';

const refuse = (detail: string): never => {
  throw new EngineError('validation_error', detail);
};

const SelectionSchema = z.array(z.string(), 'send an array of layer codes, or "full"');

/** The named layers; "full" may stand without an array. Throws `validation_error`. */
const readSelection = (value: unknown): string[] =>
  value === 'full' ? ['full'] : parseWith(SelectionSchema, value, 'selected_layers');

const TitleSchema = z
  .string('send a string')
  .max(titleCharactersMax, `at most ${titleCharactersMax} characters`);

const readTitle = (value: unknown): string | null =>
  value === undefined || value === null ? null : parseWith(TitleSchema, value, 'title');

/** The Idempotency-Key header; null without one. Throws `validation_error`. */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = header.toString();
  if (key.length === 0 || key.length > idempotencyKeyCharactersMax)
    refuse(`Idempotency-Key: send 1 to ${idempotencyKeyCharactersMax} characters.`);
  return key;
}

/** One cell of a JSON row. Throws `validation_error` with its JSON path. */
function readCell(value: unknown, path: () => string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return refuse(`${path()}: send a string or null.`);
  if (value.length > csvCellCharactersMax)
    refuse(`${path()}: at most ${csvCellCharactersMax} characters.`);
  if (value.includes('\0') || !value.isWellFormed())
    refuse(`${path()}: this text holds characters that no file can keep (NUL, half a pair).`);
  return value;
}

const keyPath = (row: string, key: string) =>
  /^[\w-]+$/.test(key) ? `${row}.${key}` : `${row}[${JSON.stringify(key)}]`;

/**
 * Turns JSON rows into a table; its columns are their keys, in the order first seen. Throws
 * `validation_error` with the JSON path of the first offence.
 * @param name what the rows are called in the body
 */
export function readRows(rows: unknown, otherWay: string, name = 'rows'): RowsTable {
  if (!Array.isArray(rows)) return refuse(`${name}: send an array of objects.`);
  if (rows.length > jsonRowsMax)
    refuse(
      `${name}: ${rows.length} rows are more than the ${jsonRowsMax} that JSON may carry. ` +
        otherWay,
    );
  const columns = new Map<string, number>();
  const table: string[][] = [];
  for (const [at, row] of rows.entries()) {
    const path = `${name}[${at}]`;
    if (!isObject(row)) return refuse(`${path}: send an object.`);
    const cells: string[] = [];
    for (const [key, value] of Object.entries(row)) {
      const column = columns.get(key) ?? columns.size;
      columns.set(key, column);
      cells[column] = readCell(value, () => keyPath(path, key));
    }
    if (columns.size > csvColumnsMax)
      refuse(`${path}: all rows together have more than ${csvColumnsMax} different fields.`);
    table.push(cells);
  }
  // A table of no columns cannot be written; rows without any field are valid all the same.
  if (columns.size === 0) columns.set('email', 0);
  const mapping: ColumnMapping = {};
  for (const field of rowInputFields) {
    const column = columns.get(field);
    if (column !== undefined) mapping[field] = column;
  }
  const headers = [...columns.keys()];
  return {
    headers,
    rows: table.map((cells) => headers.map((_header, column) => cells[column] ?? '')),
    mapping,
  };
}

/** What a JSON body asks for; a detail is read, and refused, when it is asked for. */
export interface JsonSubmission {
  readonly body: Readonly<Record<string, unknown>>;
  readonly hasRows: boolean;
  /** Throws `bad_rows` where there are none. */
  readonly requireRows: () => void;
  readonly selection: () => string[];
  readonly title: () => string;
  readonly table: () => RowsTable;
}

/** Reads a JSON body. Throws `validation_error` where it is no object, `bad_layers`. */
export function readJsonSubmission(body: unknown): JsonSubmission {
  const given = body ?? {};
  if (!isObject(given)) return refuse('The body must be a JSON object.');
  if (isAbsent(given.selected_layers)) throw new EngineError('bad_layers');
  return {
    body: given,
    hasRows: !isAbsent(given.rows),
    requireRows: () => {
      if (isAbsent(given.rows)) throw new EngineError('bad_rows');
    },
    selection: () => readSelection(given.selected_layers),
    title: () => readTitle(given.title) ?? '',
    table: () => readRows(given.rows, otherWay),
  };
}

/**
 * Reads the body of a Career Monitor job: submit's rules for title and rows, and no layers. Throws
 * `bad_rows`, then `validation_error`.
 */
export function readMonitorSubmission(body: unknown): { title: string; table: RowsTable } {
  const given = body ?? {};
  if (!isObject(given)) return refuse('The body must be a JSON object.');
  if (isAbsent(given.rows)) throw new EngineError('bad_rows');
  const title = readTitle(given.title) ?? '';
  return { title, table: readRows(given.rows, otherWay) };
}

/** What a form asks for; a detail is read, and refused, when it is asked for. */
export interface FormSubmission {
  readonly file: SourceFile;
  readonly selection: () => string[];
  readonly title: () => string;
  readonly mapping: () => Mapping | undefined;
}

/** What the form of a Career Monitor job asks for. */
export type MonitorFormSubmission = Omit<FormSubmission, 'selection'>;

/** Text of a field as JSON; a value that came as JSON already is left. */
function parseJson(value: unknown, name: string): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch (error) {
    return refuse(`${name}: this is not valid JSON (${(error as Error).message}).`);
  }
}

/** The layers of a form: a JSON array, a comma-separated list, or the part sent repeatedly. */
function splitLayers(values: readonly unknown[]): unknown {
  const [value] = values;
  if (values.length > 1) return values;
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (/^[["]/.test(text)) return parseJson(text, 'selected_layers');
  return text.split(',').flatMap((code) => code.trim() || []);
}

const readMapping = (value: unknown): Mapping | undefined => {
  const parsed = parseJson(value || null, 'mapping');
  return parsed === null ? undefined : parseWith(MappingSchema, parsed, 'mapping');
};

/**
 * Reads a form. Throws `bad_meta`, `bad_layers` and `bad_rows` in this order for parts that are
 * absent or empty; everything else waits until the file was looked at.
 */
export function readFormSubmission(form: Form): FormSubmission {
  const metaPart = readField(form, 'meta');
  const layersPart = form.fields.get('selected_layers') ?? [];
  if (isAbsent(metaPart) && layersPart.length === 0) throw new EngineError('bad_meta');
  let meta: Record<string, unknown> = {};
  let problem: unknown = null;
  let selected: unknown;
  try {
    const parsed = isAbsent(metaPart) ? {} : parseJson(metaPart, 'meta');
    meta = isObject(parsed) ? parsed : refuse('meta: send a JSON object.');
    selected = meta.selected_layers ?? splitLayers(layersPart);
  } catch (error) {
    problem = error;
  }
  if (!problem && isAbsent(selected)) throw new EngineError('bad_layers');
  const file = form.files.get('file');
  if (!file) throw new EngineError('bad_rows');
  const detail = (name: string) => meta[name] ?? readField(form, name);
  return {
    file,
    selection: () => {
      if (problem) throw problem;
      return readSelection(selected);
    },
    title: () => readTitle(detail('title')) ?? '',
    mapping: () => readMapping(detail('mapping')),
  };
}

/** Reads the form of a Career Monitor job. Throws `bad_rows` where there is no file. */
export function readMonitorForm(form: Form): MonitorFormSubmission {
  const file = form.files.get('file');
  if (!file) throw new EngineError('bad_rows');
  return {
    file,
    title: () => readTitle(readField(form, 'title')) ?? '',
    mapping: () => readMapping(readField(form, 'mapping')),
  };
}
