/**
 * Schemas of tools as `tools/list` shows them. Assistants pay for every word of the list, so what a
 * model does not act on is left out; arguments and answers are still held against the whole schema.
 */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

type Io = 'input' | 'output';
type JsonSchema = Record<string, unknown>;

/** Drops examples, patterns (formats and descriptions say the same), and bounds of any integer. */
function dropNoise(schema: JsonSchema): void {
  delete schema.examples;
  delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // Names in JSON are always strings.
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
}

/** A schema with each reference replaced by what it names; none of ours refers to itself. */
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
 * A schema for the protocol's library: it lists the schema in short, and passes every value. The
 * caller holds values against the schema itself, to refuse them in the words of the product.
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
