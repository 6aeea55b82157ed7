// Converts Zod schemas to the JSON Schemas of an OpenAPI document; named ones become components.
import { z } from 'zod';

export type Json = Record<string, unknown>;

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const defsRoot = '#/$defs/';
const componentsRoot = '#/components/schemas/';

/** Points references to the components, and removes redundant keywords. */
function rewrite(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item));
  if (!isJson(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    // Property names are data, not keywords.
    if (isMap) return [[key, rewrite(inner)]];
    if (key === '$ref' && typeof inner === 'string')
      return [[key, inner.replace(defsRoot, componentsRoot)]];
    if (key === 'id' || key === '$id') return [];
    // The long pattern that Zod adds repeats the format.
    if (key === 'pattern' && 'format' in value) return [];
    if (key === 'examples' || key === 'default' || key === 'const' || key === 'enum')
      return [[key, inner]];
    return [[key, rewrite(inner, key === 'properties' || key === '$defs')]];
  });
  return Object.fromEntries(entries);
}

/** Restores the default of a value that is parsed from text, which Zod omits. */
function keepDefault({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }) {
  const { def } = zodSchema._zod;
  if (def.type === 'default' && 'defaultValue' in def) jsonSchema.default = def.defaultValue;
}

export interface SchemaWriter {
  readonly components: Json;
  /** @param io whether a caller sends the value or the server writes it */
  write(schema: z.ZodType, io: 'input' | 'output'): Json;
}

/** Starts without components. Throws if two different schemas have the same name. */
export function createSchemaWriter(): SchemaWriter {
  const components: Json = {};
  return {
    components,
    write(schema, io) {
      // Inside another schema, a named schema is a reference like any other.
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

/** An example of a schema: its own, or one that is combined from its parts. */
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
