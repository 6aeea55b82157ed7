/** `desk shared worker`: matches the rows of the team's jobs. */
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { openSharedMatcher } from '../../shared/match-shared.ts';
import { checkTables } from '../../shared/migrations/migrate-shared.ts';
import { runQueueWorker } from '../../shared/queue/queue-worker.ts';
import { type Call, type Command, type Outcome, readOption } from '../kit/command.ts';
import { formatNumber } from '../kit/format-text.ts';
import { readSecretFile, secretOptions, withShared } from './open-shared.ts';

/** Ends at Ctrl+C, and when a supervisor asks for it. */
function createStop(call: Call): AbortSignal {
  const stopping = new AbortController();
  call.catchInterrupt().addEventListener('abort', () => stopping.abort());
  process.once('SIGTERM', () => stopping.abort());
  return stopping.signal;
}

const runWorker = (call: Call): Promise<Outcome> =>
  withShared(call, async (connection) => {
    await checkTables(connection);
    const matcher = await openSharedMatcher(connection, { secret: readSecretFile(call) });
    const name = readOption(call, 'name') ?? `${hostname()} ${process.pid}`;
    let rows = 0;
    let isLost = false;
    call.terminal.note(`${name} waits for rows. Ctrl+C ends it after the batch that it holds.`);
    await runQueueWorker({
      ...{ connection, match: matcher.match, name, signal: createStop(call) },
      wait: (ms, signal) => wait(ms, undefined, { signal }),
      onEvent(event) {
        if (event.kind === 'answered') rows += event.rows;
        if (event.kind === 'refused') call.terminal.note(`A batch was not matched: ${event.error}`);
        if (event.kind === 'lost' && !isLost)
          call.terminal.note('The server is lost. The worker tries it again until it is back.');
        isLost = event.kind === 'lost';
      },
    });
    await matcher.close();
    return { json: { rows }, lines: [`${formatNumber(rows, 'row')} matched.`] };
  });

/** The command of a worker. */
export const sharedWorker: Command = {
  name: 'shared worker',
  summary: "Match the rows of a team's jobs, on this machine",
  options: {
    ...secretOptions,
    name: { value: 'NAME', summary: 'what its answers are signed with (default: this machine)' },
  },
  notes: [
    'Start as many as you have processors; each keeps the companies in memory.',
    'A worker that is killed loses nothing: another takes its batch.',
    'The password is read from PGPASSWORD, or asked for.',
  ],
  run: runWorker,
};
