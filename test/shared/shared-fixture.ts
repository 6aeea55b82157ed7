// A job fixture with a shared directory. Its people are in another directory.db, from which the
// worker matches; what the matcher over PostgreSQL answers is proven elsewhere. In buckets, people
// are loaded and matched as the product does it.
import { setTimeout as waitFor } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { LayerCode } from '../../engine/contract/jobs/layers.ts';
import { describeCandidates } from '../../engine/directory/read/projection.ts';
import { getJobById, type JobRow } from '../../engine/jobs/job.table.ts';
import { type RunDeps, runJob } from '../../engine/jobs/run-job.ts';
import type { SharedConnection } from '../../engine/shared/connection/open-connection.ts';
import { loadDirectory } from '../../engine/shared/load/load-directory.ts';
import { openSharedMatcher } from '../../engine/shared/match-shared.ts';
import { openSharedRun, type SharedRun } from '../../engine/shared/queue/ask-shared.ts';
import { runQueueWorker, type WorkerDeps } from '../../engine/shared/queue/queue-worker.ts';
import { openJobFixture } from '../jobs/job-fixture.ts';
import { fillRecords } from './fill-records.ts';
import { type OpenOptions, openTestShared } from './open-shared.ts';

/** People of the team; the first one is also in the own directory. */
const teamPeople = [
  'p1,Ann,Lee,Acme Widgets,Buyer,ann@acme.example,1',
  ...Array.from(
    { length: 60 },
    (_, at) => `t${at},Bo${at},Stone,Team Company ${at % 7},Clerk,bo${at}@team${at % 7}.example,1`,
  ),
  // Two people with one name at one company.
  't61,Dan,Twin,Team Company 1,Clerk,dan1@team1.example,1',
  't62,Dan,Twin,Team Company 1,Buyer,dan2@team1.example,1',
];

/** A row that may mean two people of the team. */
export const twinRow = ['Dan', 'Twin', 'Team Company 1'];

/** Rows of a list: known to both, to the team alone, and to no one. */
export const teamRows = [
  ['Ann', 'Lee', 'Acme Widgets'],
  ...Array.from({ length: 60 }, (_, at) => [`Bo${at}`, 'Stone', `Team Company ${at % 7}`]),
  ...Array.from({ length: 9 }, (_, at) => [`Cy${at}`, 'Stranger', 'Elsewhere Ltd']),
];

export interface WorkerOptions extends Partial<WorkerDeps> {
  readonly of?: SharedConnection;
}

function outcome(
  fixture: Pick<Awaited<ReturnType<typeof openJobFixture>>, 'read' | 'results'>,
  uuid: string,
) {
  const job: JobRow = fixture.read(uuid);
  const rows = fixture.results(job).map(({ rowIndex, inferred, error, candidates, ...row }) => ({
    ...row,
    candidates: describeCandidates(candidates),
  }));
  const { chargedUnits, releasedUnits, enrichedRows, skippedRows } = job;
  return { rows, chargedUnits, releasedUnits, enrichedRows, skippedRows };
}

const secret = Buffer.alloc(16, 7);

export async function openSharedFixture(options: OpenOptions = {}) {
  const shared = await openTestShared(options);
  const team = await openJobFixture();
  await team.importPeople('team', teamPeople);
  // The name of a source is shown in its place.
  team.directory.exec("UPDATE source_import SET name = 'team.csv'");
  if (options.distribution)
    await loadDirectory(shared.admin, team.directory, { secret, source: 'team' });
  else await fillRecords(shared.admin, team.directory);
  const own = await openJobFixture();
  await own.importPeople('crm.csv', teamPeople.slice(0, 1));
  const connection = await shared.connectAs('desk_queue');
  const engine = await shared.connectAs('desk_jobs');
  const matcher = options.distribution && openSharedMatcher(connection, { secret });
  /** Starts a worker in this process, which ends with the test. */
  const startWorker = ({
    match = matcher?.match ?? team.deps.match,
    of = connection,
    ...more
  }: WorkerOptions = {}) => {
    const stopping = new AbortController();
    const ended = runQueueWorker({
      connection: of,
      match,
      name: 'test',
      signal: stopping.signal,
      wait: (ms, signal) => waitFor(ms, undefined, { signal }),
      ...more,
    });
    const stop = async () => {
      stopping.abort();
      await ended;
    };
    onTestFinished(stop);
    return { stop, ended };
  };
  /** Runs a job with the shared directory, as the scheduler does. */
  const run = async (
    uuid: string,
    more: (step: SharedRun) => Partial<RunDeps> = () => ({}),
    patienceMs = 10_000,
  ) => {
    const job = own.read(uuid);
    const codes: readonly LayerCode[] = job.codes;
    const step = openSharedRun(
      { connection: engine, store: own.database, patienceMs },
      uuid,
      codes,
    );
    try {
      await runJob({ ...own.deps, batchRowsMax: 10, shared: step, ...more(step) }, job.id);
    } finally {
      const after = getJobById(own.database, job.id);
      await step.close(after?.status !== 'running');
    }
  };
  /** Rows of the queue: nothing of a job is left once it has ended. */
  const countQueue = async () => {
    const { rows } = await shared.admin.pool.query(
      `SELECT (SELECT count(*)::int FROM match_batch) AS batches,
         (SELECT count(*)::int FROM match_answer) AS answers`,
    );
    return rows[0] as { batches: number; answers: number };
  };
  return { shared, team, own, connection, startWorker, run, countQueue, outcome };
}
