// Reads a submitted list in two stages, so that refusals come in the documented order
// (docs/api.md): first which parts exist (`bad_meta`, `bad_layers`, `bad_rows`), then, after the
// file of a form is decoded, their content (`validation_error`).
import { z } from 'zod';
import { EngineError, invalid } from '../contract/errors.ts';
import { type Mapping, MappingSchema } from '../contract/jobs/row-input.ts';
import { titleCharactersMax } from '../contract/limits/jobs.ts';
import { parseWith } from '../http/bodies/parse-with.ts';
import { isObject } from '../http/bodies/read-given-rows.ts';
import { type Form, readField } from '../http/bodies/receive-form.ts';
import type { SourceFile } from '../http/upload-store.ts';
import { checkSelection } from '../ledger/price-job.ts';

/** Absent or empty: the only reasons for bad_meta, bad_layers and bad_rows. */
const isAbsent = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

const refuse = (detail: string): never => {
  throw invalid(detail);
};

const SelectionSchema = z.array(z.string(), 'send an array of layer codes, or "full"');

/** The selected layers; "full" needs no array. Throws what `checkSelection` throws. */
const readSelection = (value: unknown): readonly string[] =>
  checkSelection(
    value === 'full' ? ['full'] : parseWith(SelectionSchema, value, 'selected_layers'),
  );

const TitleSchema = z
  .string('send a string')
  .max(titleCharactersMax, `at most ${titleCharactersMax} characters`);

const readTitle = (value: unknown): string | null =>
  value === undefined || value === null ? null : parseWith(TitleSchema, value, 'title');

interface SubmissionParts {
  /** The error in `meta` or the list of layers; null if they are valid. */
  readonly fault: unknown;
  readonly layers: unknown;
  /** The object with the title and, in a form, the mapping. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The form whose fields replace missing details; null for a JSON body. */
  readonly form: Form | null;
}

interface SubmissionBody extends SubmissionParts {
  readonly rows: unknown;
  readonly rowCount: unknown;
}

interface SubmissionForm extends SubmissionParts {
  readonly file: SourceFile;
}

const readObject = (body: unknown): Record<string, unknown> => {
  const input = body ?? {};
  return isObject(input) ? input : refuse('The body must be a JSON object.');
};

export const hasRows = (body: unknown): boolean => isObject(body) && !isAbsent(body.rows);

/**
 * The parts of a JSON body. Throws `validation_error` if it is not an object, then `bad_layers`,
 * then `bad_rows`.
 * @param list the member that is required: the rows, or for an estimate their number
 */
export function readSubmitBody(body: unknown, list: 'rows' | 'row_count' = 'rows'): SubmissionBody {
  const { selected_layers: layers, rows, row_count: rowCount, title } = readObject(body);
  if (isAbsent(layers)) throw new EngineError('bad_layers');
  if (list === 'rows' ? isAbsent(rows) : rowCount == null) throw new EngineError('bad_rows');
  return { fault: null, layers, rows, rowCount, details: { title }, form: null };
}

/** A Career Monitor job has no layers. Throws `validation_error` for no object, then `bad_rows`. */
export function readMonitorBody(body: unknown): SubmissionBody {
  const { rows, title } = readObject(body);
  if (isAbsent(rows)) throw new EngineError('bad_rows');
  return { fault: null, layers: null, rows, rowCount: null, details: { title }, form: null };
}

/** Parses a text field as JSON. A value that is already parsed is returned as it is. */
function parseJson(value: unknown, name: string): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch (error) {
    return refuse(`${name}: this is not valid JSON (${(error as Error).message}).`);
  }
}

/** The layers of a form: a JSON array, a comma-separated list, or repeated parts. */
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

function readMeta(
  metaPart: unknown,
  layersPart: readonly unknown[],
): Omit<SubmissionParts, 'form'> {
  try {
    const parsed = isAbsent(metaPart) ? {} : parseJson(metaPart, 'meta');
    const details = isObject(parsed) ? parsed : refuse('meta: send a JSON object.');
    const layers = details.selected_layers ?? splitLayers(layersPart);
    return { fault: null, layers, details };
  } catch (fault) {
    return { fault, layers: null, details: {} };
  }
}

function requireFile(form: Form): SourceFile {
  const file = form.files.get('file');
  if (!file) throw new EngineError('bad_rows');
  return file;
}

/** The parts of a form. Throws `bad_meta`, then `bad_layers`, then `bad_rows`. */
export function readSubmitForm(form: Form): SubmissionForm {
  const metaPart = readField(form, 'meta');
  const layersPart = form.fields.get('selected_layers') ?? [];
  if (isAbsent(metaPart) && layersPart.length === 0) throw new EngineError('bad_meta');
  const meta = readMeta(metaPart, layersPart);
  if (!meta.fault && isAbsent(meta.layers)) throw new EngineError('bad_layers');
  return { ...meta, form, file: requireFile(form) };
}

/** The parts of the form of a Career Monitor job. Throws `bad_rows`. */
export const readMonitorForm = (form: Form): SubmissionForm => ({
  fault: null,
  layers: null,
  details: {},
  form,
  file: requireFile(form),
});

/** The title and mapping of a list. Throws `validation_error` for the first problem. */
export function parseList({ details, form }: SubmissionParts): {
  title: string;
  mapping: Mapping | undefined;
} {
  const detail = (name: string) => details[name] ?? (form && readField(form, name));
  const title = readTitle(detail('title')) ?? '';
  return { title, mapping: readMapping(detail('mapping')) };
}

/**
 * Parses a submission. Throws `validation_error` for the first problem: of `meta`, the layers, the
 * title, then the mapping.
 * @param resolve resolves a selection to layers, or throws a refusal
 */
export function parseSubmit(parts: SubmissionParts): {
  selection: readonly string[];
  title: string;
  mapping: Mapping | undefined;
} {
  if (parts.fault) throw parts.fault;
  return { selection: readSelection(parts.layers), ...parseList(parts) };
}
