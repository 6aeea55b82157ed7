// `desk shared worker`: matches the rows of the team's jobs, in processes that it supervises.
import { hostname } from 'node:os';
import { workersMax } from '../../contract/shared/limits.ts';
import { formatSharedAddress } from '../../shared/connection/shared-address.ts';
import { checkTables } from '../../shared/migrations/migrate-shared.ts';
import {
  superviseTeamWorker,
  type TeamWorker,
} from '../../shared/workers/supervise-team-worker.ts';
import type { WorkerReport } from '../../shared/workers/worker-messages.ts';
import { type Call, type Command, type Outcome, readOption } from '../kit/command.ts';
import { formatNumber } from '../kit/format-text.ts';
import { badUsage } from '../kit/refusal.ts';
import { readPassword, readSecretFile, secretOptions, withShared } from './open-shared.ts';

/** Ends at Ctrl+C, and when a supervisor asks for it. */
function createStop(call: Call): AbortSignal {
  const stopping = new AbortController();
  call.catchInterrupt().addEventListener('abort', () => stopping.abort());
  process.once('SIGTERM', () => stopping.abort());
  return stopping.signal;
}

function readWorkers(call: Call): number {
  const text = readOption(call, 'workers') ?? '1';
  const workers = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (workers < 1 || workers > workersMax)
    throw badUsage(`--workers ${text} is not a number from 1 to ${workersMax}.`);
  return workers;
}

function followWorkers(call: Call) {
  const counts = { rows: 0, lost: false };
  const onReport = (name: string) => (report: WorkerReport) => {
    if (report.kind === 'answered') counts.rows += report.rows;
    if (report.kind === 'not_matched')
      call.terminal.note(`${name}: a batch was not matched: ${report.detail}`);
    if (report.kind === 'lost' && !counts.lost)
      call.terminal.note('The server does not answer. The workers retry until it does.');
    if (report.kind !== 'lost' && counts.lost) call.terminal.note('The server answers again.');
    counts.lost = report.kind === 'lost';
  };
  return { counts, onReport };
}

async function runWorkers(call: Call): Promise<Outcome> {
  const workers = readWorkers(call);
  const password = await readPassword(call);
  const secret = readSecretFile(call).toString('hex');
  const address = await withShared(
    call,
    async (connection) => {
      await checkTables(connection);
      return formatSharedAddress(connection.address);
    },
    password,
  );
  const base = readOption(call, 'name') ?? `${hostname()} ${process.pid}`;
  const { counts, onReport } = followWorkers(call);
  const running: TeamWorker[] = [];
  const stop = createStop(call);
  const stopAll = () => Promise.all(running.map((worker) => worker.stop()));
  stop.addEventListener('abort', () => void stopAll());
  for (let nth = 1; nth <= workers; nth += 1) {
    const name = workers === 1 ? base : `${base} #${nth}`;
    running.push(
      superviseTeamWorker({
        login: { address, password, secret, name },
        retriesRefusal: false,
        stopMs: Number.POSITIVE_INFINITY,
        onReport: onReport(name),
        onStart: (pid) => pid !== null && call.terminal.note(`${name} is process ${pid}.`),
        onEnd: (how) => call.terminal.note(`${name} ended (${how}). Another takes its place.`),
      }),
    );
  }
  call.terminal.note(
    `${formatNumber(workers, 'worker')} ${workers === 1 ? 'waits' : 'wait'} for rows. ` +
      'Ctrl+C ends this after the current batches.',
  );
  if (stop.aborted) void stopAll();
  try {
    await Promise.all(running.map((worker) => worker.ended));
  } finally {
    await stopAll();
  }
  const { rows } = counts;
  return { json: { rows }, lines: [`${formatNumber(rows, 'row')} matched.`] };
}

export const sharedWorker: Command = {
  name: 'shared worker',
  summary: "Match the rows of a team's jobs, on this machine",
  options: {
    ...secretOptions,
    workers: { value: 'N', summary: 'how many, one for each processor to use (default: 1)' },
    name: { value: 'NAME', summary: 'what its answers are signed with (default: this machine)' },
  },
  notes: [
    'Each worker is a process that keeps the companies in memory. One that ends is replaced.',
    'A worker that is killed loses nothing: another takes its batch.',
    'The password is read from PGPASSWORD, or asked for.',
  ],
  run: runWorkers,
};
