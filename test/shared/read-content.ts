// Everything that a load writes into a shared directory.
import type { SharedConnection } from '../../engine/shared/connection/open-connection.ts';
import { mirroredTables } from '../../engine/shared/load/shared-tables.ts';

const contentTables = [
  ...mirroredTables.map(({ name }) => name),
  'match_person',
  'person_keys',
  'block_key',
  'match_name',
  'match_group',
  'match_domain',
  'search_person',
  'search_value',
  'search_set',
  'search_company',
  'search_company_set',
];

/** Every row of every table that a load writes, as sorted texts, without its bucket. */
export async function readContent({
  pool,
}: Pick<SharedConnection, 'pool'>): Promise<Record<string, string[]>> {
  const content: Record<string, string[]> = {};
  for (const name of contentTables) {
    const { rows } = await pool.query({
      text: `SELECT (to_jsonb(t) - 'bucket')::text FROM ${name} t`,
      rowMode: 'array',
    });
    content[name] = (rows as [string][]).map(([text]) => text).sort();
  }
  return content;
}
