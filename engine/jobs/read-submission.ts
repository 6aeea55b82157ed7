/** Reads what submit and estimate are given, in the order in which refusals are promised
 * (docs/rules.md). */

import { z } from 'zod';
import { EngineError } from '../contract/errors.ts';
import { type Mapping, MappingSchema } from '../contract/jobs/row-input.ts';
import { titleCharactersMax } from '../contract/limits/jobs.ts';
import { parseWith } from '../http/bodies/parse-with.ts';
import { isObject } from '../http/bodies/read-given-rows.ts';
import { type Form, readField } from '../http/bodies/receive-form.ts';
import { type GivenTable, takeTable } from '../http/bodies/received-body.ts';
import type { SourceFile } from '../http/upload-store.ts';

/** Absent or empty: what bad_meta, bad_layers and bad_rows mean, and nothing else. */
const isAbsent = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

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

/** What a JSON body asks for; a detail is read, and refused, when it is asked for. */
export interface JsonSubmission {
  readonly body: Readonly<Record<string, unknown>>;
  readonly hasRows: boolean;
  /** Throws `bad_rows` where there are none. */
  readonly requireRows: () => void;
  readonly selection: () => string[];
  readonly title: () => string;
  readonly table: () => GivenTable;
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
    table: () => takeTable(given.rows, 'rows'),
  };
}

/**
 * Reads the body of a Career Monitor job: submit's rules for title and rows, and no layers. Throws
 * `bad_rows`, then `validation_error`.
 */
export function readMonitorSubmission(body: unknown): { title: string; table: GivenTable } {
  const given = body ?? {};
  if (!isObject(given)) return refuse('The body must be a JSON object.');
  if (isAbsent(given.rows)) throw new EngineError('bad_rows');
  const title = readTitle(given.title) ?? '';
  return { title, table: takeTable(given.rows, 'rows') };
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
