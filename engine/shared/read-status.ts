// What a shared directory holds, for people.
import type { SharedConnection } from './connection/open-connection.ts';
import { readGeneration } from './generation.ts';
import { layoutOf } from './layout/shared-layout.ts';

export interface SharedImport {
  readonly import_id: number;
  readonly generation: number;
  readonly source: string;
  readonly people: number;
  readonly changed_people: number;
  readonly created_at: string;
  readonly undone_at: string | null;
}

export interface SharedStatus {
  /** 0 before the first load. */
  readonly generation: number;
  /** Null before the first load. */
  readonly format: number | null;
  readonly people: number;
  readonly companies: number;
  /** Bytes of all tables with their indexes. */
  readonly bytes: number;
  /** Null: one table each. */
  readonly buckets: number | null;
  readonly is_on_citus: boolean;
  /** The newest first, at most 20. */
  readonly imports: readonly SharedImport[];
}

/** The shards of all nodes, which are not among the tables of this one. */
const shardBytes = `
  SELECT coalesce(sum(citus_total_relation_size(logicalrelid)), 0)::float8 AS bytes
  FROM pg_dist_partition`;

export const readSharedStatus = (connection: SharedConnection): Promise<SharedStatus> =>
  connection.use(async (client) => {
    const generation = await readGeneration(client);
    const { rows: counts } = await client.query<{ companies: number; bytes: number }>(
      `SELECT (SELECT count(*)::int FROM company) AS companies,
         (SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 FROM pg_class
          WHERE relnamespace = 'desk'::regnamespace AND relkind = 'r') AS bytes`,
    );
    const { buckets } = await layoutOf(client);
    const isOnCitus = buckets?.isOnCitus ?? false;
    const { rows: shards } = isOnCitus
      ? await client.query<{ bytes: number }>(shardBytes)
      : { rows: [] };
    const { rows: imports } = await client.query<SharedImport>(
      `SELECT import_id, generation::int, source, people, changed_people,
         to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created_at,
         to_char(undone_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS undone_at
       FROM shared_import ORDER BY import_id DESC LIMIT 20`,
    );
    return {
      generation: generation?.number ?? 0,
      format: generation?.format ?? null,
      people: generation?.people ?? 0,
      companies: counts[0]!.companies,
      bytes: counts[0]!.bytes + (shards[0]?.bytes ?? 0),
      buckets: buckets?.values.length ?? null,
      is_on_citus: isOnCitus,
      imports,
    };
  });
