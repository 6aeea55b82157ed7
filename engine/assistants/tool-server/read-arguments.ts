/**
 * Parses a tool's arguments with its schema. Models send a single value for a list of one, a
 * list as JSON text, digits for a number, "true" for true and null for what they leave out; these
 * are accepted if they are unambiguous.
 */
import { z } from 'zod';
import type { ToolDefinition } from '../../contract/assistants/tools/tool-definition.ts';
import { type ToolInput, type ToolName, tools } from '../../contract/assistants/tools.ts';
import { toolIssuesMax } from '../../contract/limits/assistants.ts';
import { parseWith } from '../../http/bodies/parse-with.ts';

const isWhole = /^(?:0|[1-9]\d{0,14})$/;
/** A text that cannot be a list of several values, because it has no separators or brackets. */
const isOneValue = (text: string): boolean => text.trim() !== '' && !/[,;[\]\r\n\t]/.test(text);
const startsLikeJson = /^\s*[[{]/;

/** A schema without its optional wrapper. */
function unwrap(schema: z.ZodType): z.ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault;
  return isWrapper ? unwrap(schema.unwrap() as z.ZodType) : schema;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The list or object that a text holds as JSON; the value itself if it is none. */
function readJsonText(value: unknown): unknown {
  if (typeof value !== 'string' || !startsLikeJson.test(value)) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null ? parsed : value;
  } catch {
    return value;
  }
}

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

/** Converts a value to the form of its schema. Other values are left for the schema to refuse. */
function coerceValue(wrapped: z.ZodType, value: unknown): unknown {
  const schema = unwrap(wrapped);
  if (schema instanceof z.ZodNumber)
    return typeof value === 'string' && isWhole.test(value) ? Number(value) : value;
  if (schema instanceof z.ZodBoolean)
    return value === 'true' ? true : value === 'false' ? false : value;
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

function coerceArguments({ shape }: z.ZodObject, rawInput: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(rawInput).flatMap(([name, value]) => {
    const schema = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : null;
    if (schema === null) return [[name, value] as const];
    // Models send null for an argument that they leave out.
    if (value === null && schema.safeParse(undefined).success) return [];
    return [[name, coerceValue(schema, value)] as const];
  });
  return Object.fromEntries(entries);
}

/** The arguments of a call. Throws `validation_error` with what is wrong with them. */
export function readArguments<Name extends ToolName>(
  name: Name,
  rawInput: unknown,
): ToolInput<Name> {
  const { input }: ToolDefinition = tools[name];
  const loose = coerceArguments(input, rawInput as Record<string, unknown>);
  return parseWith(input, loose, '', toolIssuesMax) as ToolInput<Name>;
}
