/**
 * Parses a tool's arguments with its schema. Models send a single value for a list of one, and
 * digits for a number; both are accepted if they are unambiguous.
 */
import { z } from 'zod';
import type { ToolDefinition } from '../../contract/assistants/tools/tool-definition.ts';
import { type ToolInput, type ToolName, tools } from '../../contract/assistants/tools.ts';
import { toolIssuesMax } from '../../contract/limits/assistants.ts';
import { parseWith } from '../../http/bodies/parse-with.ts';

const isWhole = /^(?:0|[1-9]\d{0,14})$/;
/** A text that cannot be a list of several values, because it has no commas, spaces or brackets. */
const isOneValue = /^[^\s,;[\]]+$/;

/** A schema without its optional wrapper. */
function unwrap(schema: z.ZodType): z.ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault;
  return isWrapper ? unwrap(schema.unwrap() as z.ZodType) : schema;
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts a value to the form of its schema. Other values are left for the schema to refuse. */
function coerceValue(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodNumber)
    return typeof value === 'string' && isWhole.test(value) ? Number(value) : value;
  if (!(schema instanceof z.ZodArray)) return value;
  const isOne =
    schema.element instanceof z.ZodObject
      ? isObject(value)
      : typeof value === 'string' && isOneValue.test(value);
  return isOne ? [value] : value;
}

function coerceArguments({ shape }: z.ZodObject, rawInput: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(rawInput).map(([name, value]) => {
    const schema = Object.hasOwn(shape, name) ? (shape[name] as z.ZodType) : null;
    return [name, schema ? coerceValue(unwrap(schema), value) : value] as const;
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
