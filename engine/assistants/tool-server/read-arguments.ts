/**
 * Parses a tool's arguments with its schema. Models send a single value for a list of one, a list
 * as the text of JSON or Python, digits for a number, "True" for true, null or "None" for what they
 * leave out, names in other styles (jobTitle), other cases of fixed values (EMAIL), and all
 * arguments within one more object; these are accepted if they are unambiguous.
 */
import { z } from 'zod';
import type { ToolDefinition } from '../../contract/assistants/tools/tool-definition.ts';
import { type ToolInput, type ToolName, tools } from '../../contract/assistants/tools.ts';
import { toolIssuesMax } from '../../contract/limits/assistants.ts';
import { foldName } from '../../http/bodies/explain-issue.ts';
import { parseWith } from '../../http/bodies/parse-with.ts';

const isWhole = /^(?:0|[1-9]\d{0,14})$/;
/** A text that cannot be a list of several values, because it has no separators or brackets. */
const isOneValue = (text: string): boolean => text.trim() !== '' && !/[,;[\]\r\n\t]/.test(text);
const startsLikeJson = /^\s*[[{]/;
/** A list or an object of Python, whose texts have no other quotes in them. */
const pythonText = /^\s*[[{](?:[^'"]|'[^'"\\]*')*[\]}]\s*$/;
const nothingWords = /^(?:null|none|undefined|nil)$/i;
const yesWords = /^(?:true|yes|1)$/i;
const noWords = /^(?:false|no|0)$/i;
/** What models call the object that holds the arguments. */
const wrapperNames = /^(?:arguments|args|kwargs|input|params|parameters|filters?)$/i;

/** A schema without its optional wrapper. */
function unwrap(schema: z.ZodType): z.ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault;
  return isWrapper ? unwrap(schema.unwrap() as z.ZodType) : schema;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The list or object that a text holds as JSON; the value itself if it is none. */
function readJsonText(value: unknown): unknown {
  if (typeof value !== 'string' || !startsLikeJson.test(value)) return value;
  const texts = pythonText.test(value) ? [value, writeJson(value)] : [value];
  for (const text of texts)
    try {
      const parsed: unknown = JSON.parse(text);
      if (typeof parsed === 'object' && parsed !== null) return parsed;
    } catch {
      // Not this notation.
    }
  return value;
}

/** A literal of Python as JSON. */
const writeJson = (python: string): string =>
  python
    .replaceAll("'", '"')
    .replace(/\bTrue\b(?=\s*[,\]}])/g, 'true')
    .replace(/\bFalse\b(?=\s*[,\]}])/g, 'false')
    .replace(/\bNone\b(?=\s*[,\]}])/g, 'null');

function coerceList(element: z.ZodType, given: unknown): unknown {
  const value = readJsonText(given);
  if (Array.isArray(value)) return value.map((one) => coerceValue(element, one));
  const isOne =
    element instanceof z.ZodObject
      ? isObject(value)
      : (typeof value === 'string' && isOneValue(value)) ||
        (typeof value === 'number' && unwrap(element) instanceof z.ZodNumber);
  return isOne ? [coerceValue(element, value)] : value;
}

function readFlag(value: unknown): unknown {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return value;
  if (yesWords.test(text)) return true;
  return noWords.test(text) ? false : value;
}

/** Converts a value to the form of its schema. Other values are left for the schema to refuse. */
function coerceValue(wrapped: z.ZodType, value: unknown): unknown {
  const schema = unwrap(wrapped);
  // A list of one where a single value is meant.
  const isScalar =
    schema instanceof z.ZodString || schema instanceof z.ZodEnum || schema instanceof z.ZodNumber;
  if (isScalar && Array.isArray(value) && value.length === 1) return coerceValue(schema, value[0]);
  if (schema instanceof z.ZodString) return Number.isSafeInteger(value) ? String(value) : value;
  if (schema instanceof z.ZodNumber)
    return typeof value === 'string' && isWhole.test(value) ? Number(value) : value;
  if (schema instanceof z.ZodBoolean) return readFlag(value);
  if (schema instanceof z.ZodEnum && typeof value === 'string') {
    const same = schema.options.filter((option) => foldName(String(option)) === foldName(value));
    return schema.options.includes(value) || same.length !== 1 ? value : same[0];
  }
  if (schema instanceof z.ZodArray) return coerceList(schema.element as z.ZodType, value);
  // Where a text is allowed as well as a list, a list in JSON is the list.
  if (schema instanceof z.ZodUnion) {
    const list = schema.options.find((option) => unwrap(option as z.ZodType) instanceof z.ZodArray);
    const read = readJsonText(value);
    return list && Array.isArray(read) ? coerceValue(list as z.ZodType, read) : value;
  }
  if (schema instanceof z.ZodObject) {
    const read = readJsonText(value);
    return isObject(read) ? coerceArguments(schema, read) : value;
  }
  return value;
}

/** The allowed name that is written in another style: jobTitle or "job title" for job_title. */
function findName(
  given: string,
  { shape }: z.ZodObject,
  rawInput: Readonly<Record<string, unknown>>,
): string | null {
  if (Object.hasOwn(shape, given)) return given;
  const folded = foldName(given);
  const others = Object.keys(rawInput).filter((name) => foldName(name) === folded);
  if (others.length > 1) return null;
  return Object.keys(shape).find((name) => foldName(name) === folded) ?? null;
}

function coerceArguments(schema: z.ZodObject, rawInput: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(rawInput).flatMap(([given, value]) => {
    const name = findName(given, schema, rawInput);
    if (name === null) return [[given, value] as const];
    const field = schema.shape[name] as z.ZodType;
    const coerced = coerceValue(field, value);
    // Models send null for an argument that they leave out.
    const isNothing = value === null || (typeof value === 'string' && nothingWords.test(value));
    const canBeLeftOut = isNothing && field.safeParse(undefined).success;
    if (canBeLeftOut && (value === null || !field.safeParse(coerced).success)) return [];
    return [[name, coerced] as const];
  });
  return Object.fromEntries(entries);
}

/** The arguments that are within one more object: {"arguments": {…}}. */
function unwrapArguments(
  { shape }: z.ZodObject,
  rawInput: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const [only, ...more] = Object.entries(rawInput);
  if (only === undefined || more.length > 0) return rawInput;
  const [name, value] = only;
  const inner = readJsonText(value);
  const isWrapper = wrapperNames.test(name) && !Object.hasOwn(shape, name);
  return isWrapper && isObject(inner) ? inner : rawInput;
}

/** The arguments of a call. Throws `validation_error` with what is wrong with them. */
export function readArguments<Name extends ToolName>(
  name: Name,
  rawInput: unknown,
): ToolInput<Name> {
  const { input }: ToolDefinition = tools[name];
  const given = readJsonText(rawInput) as Record<string, unknown>;
  const loose = coerceArguments(input, unwrapArguments(input, given));
  return parseWith(input, loose, '', toolIssuesMax) as ToolInput<Name>;
}
