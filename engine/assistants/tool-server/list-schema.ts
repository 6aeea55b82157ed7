/**
 * Schemas of tools as `tools/list` returns them. Assistants pay for every token of the list, so
 * parts that a model does not use are removed. Arguments and answers are still validated against
 * the full schema.
 */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

type Io = 'input' | 'output';
type JsonSchema = Record<string, unknown>;

/**
 * Removes examples, patterns (formats and descriptions say the same), and the bounds of safe
 * integers.
 */
function dropNoise(schema: JsonSchema): void {
  delete schema.examples;
  delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // Property names in JSON are always strings.
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
}

/** Replaces each reference in a schema by its definition. No schema refers to itself. */
function writeInline(schema: JsonSchema): JsonSchema {
  const definitions = (schema.$defs ?? {}) as Record<string, JsonSchema>;
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (value === null || typeof value !== 'object') return value;
    const { $ref, ...own } = value as JsonSchema;
    const { id: _name, ...named } = definitions[String($ref).replace('#/$defs/', '')] ?? {};
    const all = $ref === undefined ? own : { ...named, ...own };
    return Object.fromEntries(Object.entries(all).map(([key, inner]) => [key, replace(inner)]));
  };
  const { $schema: _draft, $defs: _definitions, ...rest } = schema;
  return replace(rest) as JsonSchema;
}

function writeSchema(schema: z.ZodObject, io: Io): JsonSchema {
  const override = ({ jsonSchema }: { jsonSchema: object }) => dropNoise(jsonSchema as JsonSchema);
  return writeInline(z.toJSONSchema(schema, { target: 'draft-2020-12', io, override }));
}

/**
 * A schema for the MCP SDK: it lists the short form and accepts every value. The caller validates
 * values against the full schema, so that errors have the product's wording.
 */
export function listSchema(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const written = new Map<Io, JsonSchema>();
  const write = (io: Io) => () => {
    const json = written.get(io) ?? writeSchema(schema, io);
    written.set(io, json);
    return json;
  };
  return {
    '~standard': {
      version: 1,
      vendor: 'enrichment-desk',
      validate: (value) => ({ value }),
      jsonSchema: { input: write('input'), output: write('output') },
    },
  };
}
