// Reads JSON that tables store. A value that cannot be parsed, or has another form than its schema,
// is damaged. A damaged value stops only its own record, so these functions never throw.
import type { z } from 'zod';

function parse<T>(schema: z.ZodType<T>, text: string): { readonly value: T } | null {
  try {
    const { success, data } = schema.safeParse(JSON.parse(text));
    return success ? { value: data } : null;
  } catch {
    return null;
  }
}

/** The stored value, or `instead` if the text is damaged. */
export const readJson = <T>(schema: z.ZodType<T>, text: string, instead: NoInfer<T>): T =>
  (parse(schema, text) ?? { value: instead }).value;

/** For each JSON column of a record, its schema and the default for a damaged one. */
export type JsonColumns<Values> = {
  readonly [Name in keyof Values]: readonly [
    schema: z.ZodType<Values[Name]>,
    instead: Values[Name],
  ];
};

/**
 * Reads the JSON columns of a record. NULL is read as the JSON value `null`.
 * @returns their values, and the names of the damaged columns; null if none is
 */
export function readJsonColumns<Values extends object>(
  record: Readonly<Record<keyof Values, string | null>>,
  columns: JsonColumns<Values>,
): Values & { readonly damage: string | null } {
  const damaged: string[] = [];
  const entries = (Object.keys(columns) as (keyof Values & string)[]).map((name) => {
    const [schema, instead] = columns[name];
    const read = parse(schema, record[name] ?? 'null');
    if (!read) damaged.push(name);
    return [name, read ? read.value : instead];
  });
  const damage = damaged.length === 0 ? null : damaged.join(', ');
  return { ...(Object.fromEntries(entries) as Values), damage };
}
