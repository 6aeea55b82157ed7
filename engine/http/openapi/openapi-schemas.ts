/** Zod schemas as the JSON Schemas of an OpenAPI document: named ones become components. */
import { z } from 'zod';

/** A piece of the document. */
export type Json = Record<string, unknown>;

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const defsRoot = '#/$defs/';
const componentsRoot = '#/components/schemas/';

/** Points references at the components; drops what only names or repeats. */
function rewrite(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item));
  if (!isJson(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    // The names of properties are the caller's words, not keywords.
    if (isMap) return [[key, rewrite(inner)]];
    if (key === '$ref' && typeof inner === 'string')
      return [[key, inner.replace(defsRoot, componentsRoot)]];
    if (key === 'id' || key === '$id') return [];
    // A format says the same as the long pattern that Zod adds to it.
    if (key === 'pattern' && 'format' in value) return [];
    if (key === 'examples' || key === 'default' || key === 'const' || key === 'enum')
      return [[key, inner]];
    return [[key, rewrite(inner, key === 'properties' || key === '$defs')]];
  });
  return Object.fromEntries(entries);
}

/** Zod drops the default of what it reads from text first; callers want to know it all the same. */
function keepDefault({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }) {
  const { def } = zodSchema._zod;
  if (def.type === 'default' && 'defaultValue' in def) jsonSchema.default = def.defaultValue;
}

/** Writes schemas and gathers the named ones. */
export interface SchemaWriter {
  /** The named schemas written so far. */
  readonly components: Json;
  /** @param io what a caller may send, or what the server writes */
  write(schema: z.ZodType, io: 'input' | 'output'): Json;
}

/** Begins without components. Throws where one name stands for two different schemas. */
export function createSchemaWriter(): SchemaWriter {
  const components: Json = {};
  return {
    components,
    write(schema, io) {
      // Inside of something, a named schema is referred to like any other.
      const whole = z.object({ root: schema });
      const json = z.toJSONSchema(whole, { io, unrepresentable: 'any', override: keepDefault });
      for (const [name, found] of Object.entries(json.$defs ?? {})) {
        const component = rewrite(found);
        if (name in components && JSON.stringify(components[name]) !== JSON.stringify(component))
          throw new Error(`two different schemas are called ${name}`);
        components[name] = component;
      }
      return rewrite(json.properties?.root) as Json;
    },
  };
}

/** An example of a schema: its own where it has one, else one put together from its parts. */
export function writeExample(schema: unknown, components: Json): unknown {
  if (!isJson(schema)) return {};
  const [own] = (schema.examples as unknown[] | undefined) ?? [];
  if (own !== undefined) return own;
  if (typeof schema.$ref === 'string')
    return writeExample(components[schema.$ref.slice(componentsRoot.length)], components);
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [choice] = ((schema.anyOf ?? schema.oneOf) as unknown[] | undefined) ?? [];
  if (choice !== undefined) return writeExample(choice, components);
  if (isJson(schema.properties)) {
    const parts = Object.entries(schema.properties);
    return Object.fromEntries(parts.map(([name, part]) => [name, writeExample(part, components)]));
  }
  if (schema.type === 'array') return schema.items ? [writeExample(schema.items, components)] : [];
  const types = [schema.type].flat();
  return types.includes('null') ? null : (plainExamples[String(types[0])] ?? {});
}

const plainExamples: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 0.5,
  boolean: true,
  null: null,
};
