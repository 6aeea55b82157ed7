/** What a shared directory says about itself: its people, its workers, and what waits. */
import type { SharedProblem, SharedTest } from '../../contract/shared/settings.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import { SharedFailure, sharedFailure } from '../connection/shared-failure.ts';
import { sharedFormat } from '../generation.ts';
import { checkTables } from '../migrations/migrate-shared.ts';
import { workerApplication } from '../queue/queue-worker.ts';
import { sharedSchema } from '../roles/create-roles.ts';

export type ServerState = Omit<SharedTest, 'own_worker'>;

const unknown = {
  answer_ms: null,
  people: null,
  generation: null,
  workers: null,
  waiting_batches: null,
  lag_seconds: null,
};

export const describeProblem = (problem: SharedProblem, detail: string): ServerState => ({
  is_ready: false,
  problem,
  detail,
  ...unknown,
});

interface StateRow {
  readonly workers: number;
  readonly batches: number;
  readonly lag: number | null;
}

const stateSql = `
  SELECT (SELECT count(DISTINCT (usename, client_addr, pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = '${workerApplication}')::int
      AS workers,
    count(*)::int AS batches,
    extract(epoch FROM now() - min(created_at))::float8 AS lag
  FROM match_batch`;

const generationSql =
  'SELECT number::float8 AS number, people::float8 AS people, format FROM generation';

/** Connects, checks the tables, and reads the state. Rejects only for bugs. */
export async function readState(
  connection: SharedConnection,
  nowMs: () => number,
): Promise<ServerState> {
  try {
    await checkTables(connection);
    const startMs = nowMs();
    await connection.use((client) => client.query('SELECT 1'));
    const answerMs = nowMs() - startMs;
    return await connection.use(async (client) => {
      const { rows } = await client.query<StateRow>(stateSql);
      const { rows: known } = await client.query<{ isThere: boolean }>(
        `SELECT to_regclass('${sharedSchema}.generation') IS NOT NULL AS "isThere"`,
      );
      const { rows: generations } = known[0]?.isThere
        ? await client.query<{ number: number; people: number; format: number }>(generationSql)
        : { rows: [] };
      const [state] = rows;
      const [generation] = generations;
      if (generation && generation.format !== sharedFormat)
        throw sharedFailure('format', connection.address);
      return {
        is_ready: true,
        problem: null,
        detail: 'The shared directory is ready.',
        answer_ms: answerMs,
        people: generation?.people ?? null,
        generation: generation?.number ?? null,
        workers: state?.workers ?? null,
        waiting_batches: state?.batches ?? null,
        lag_seconds: state?.lag ?? null,
      };
    });
  } catch (error) {
    if (error instanceof SharedFailure) return describeProblem(error.problem, error.detail);
    throw error;
  }
}
