// The queue never waits for a service that gives no answer to a cancelled job.
import { expect, test } from 'vitest';
import { cancelJob } from '../../engine/jobs/cancel-job.ts';
import { goDirectly } from '../../engine/platform/net/proxy-routes.ts';
import { openDeclaredProvider } from '../../engine/providers/definitions/declared-provider.ts';
import { openHostileServer } from '../hostile-server.ts';
import { reader } from '../providers/definitions/ask-provider.ts';
import { finderOperation, makeDefinition } from '../providers/definitions/make-definition.ts';
import { now } from './job-fixture.ts';
import { openScheduledJobs } from './scheduled-jobs.ts';

/** The longest that a definition may set: no test waits for it. */
const deadlineSec = 300;

async function openWaitingJob(hostility: Parameters<typeof openHostileServer>[0]) {
  const jobs = await openScheduledJobs();
  const server = await openHostileServer(hostility);
  const { host, href } = new URL(server.url);
  const request = { method: 'GET', url: href, query: { first: '{{row.first_name}}' } };
  const operation = { ...finderOperation, needs: [['first_name']], request };
  const definition = makeDefinition({ hosts: [host], dev: true, ops: [operation], deadlineSec });
  const provider = openDeclaredProvider(definition, {
    reader,
    findRoutes: goDirectly,
    readSecret: async () => 'key',
    clock: { now: () => now().getTime(), wait: async () => undefined },
  });
  const engine = jobs.start([provider]);
  const uuid = jobs.submit([['Bo', 'Stranger', 'Elsewhere Ltd']]);
  engine.wake();
  await server.asked;
  return { ...jobs, engine, uuid };
}

test.each(['never answers', 'trickles a body'] as const)(
  'the next job starts once a job is cancelled whose service %s',
  async (hostility) => {
    const { engine, uuid, ...jobs } = await openWaitingJob(hostility);
    const next = jobs.submit([['Ann', 'Lee', 'Acme Widgets']], ['L1'], { usesProviders: false });
    engine.wake();
    cancelJob(jobs.database, { accountId: jobs.account.id, jobId: uuid }, now());
    engine.wake();
    await jobs.ends(next);
    expect(jobs.read(uuid).status).toBe('cancelled');
  },
);

test('the engine ends while a job waits for a service that never answers', async () => {
  const { engine, uuid, read } = await openWaitingJob('never answers');
  await engine.stop();
  expect(read(uuid).status).toBe('running');
});

test('a job goes on if its service switches the protocol', async () => {
  const { uuid, ends, read } = await openWaitingJob('switches the protocol');
  await ends(uuid);
  expect(read(uuid)).toMatchObject({ enrichedRows: 0, chargedUnits: 0 });
});
