// Jobs without a network: they wait and continue, or go on without the data services.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { networkCheckMs } from '../../engine/contract/limits/waterfall.ts';
import { type Provider, ProviderError } from '../../engine/contract/provider.ts';
import { cancelJob } from '../../engine/jobs/cancel-job.ts';
import { setWhenOffline } from '../../engine/jobs/create-job-commands.ts';
import { rewindJob } from '../../engine/jobs/offline/rewind-job.ts';
import { createWaitingJobs } from '../../engine/jobs/run-jobs.ts';
import { readBalances } from '../../engine/ledger/ledger.ts';
import type { NameServers } from '../../engine/platform/net/name-servers.ts';
import { type FindRoutes, goDirectly } from '../../engine/platform/net/proxy-routes.ts';
import { openDeclaredProvider } from '../../engine/providers/definitions/declared-provider.ts';
import { insertNote } from '../../engine/providers/waterfall/provider-note.table.ts';
import { openMailDns } from '../../engine/validations/mail-dns.ts';
import { findClosedPort, openConnectProxy, trustTests } from '../connect-proxy.ts';
import { startDnsServer } from '../dns-server.ts';
import { runsOf } from '../property-runs.ts';
import { reader } from '../providers/definitions/ask-provider.ts';
import { finderOperation, makeDefinition } from '../providers/definitions/make-definition.ts';
import { found, nothing, playProvider } from '../providers/play-provider.ts';
import { openReceiver } from '../webhook-receiver.ts';
import { now } from './job-fixture.ts';
import { openScheduledJobs } from './scheduled-jobs.ts';

/** Scheduled jobs, and a wait until one waits for the network with this many rows. */
async function openJobs() {
  const jobs = await openScheduledJobs();
  const waits = (uuid: string, rows: number) =>
    expect
      .poll(() => jobs.read(uuid))
      .toMatchObject({ status: 'running', waitingRows: rows, processedRows: rows + 1 });
  return { ...jobs, waits };
}

const strangers = ['Bo', 'Cy', 'Di'].map((name) => [name, 'Stranger', 'Elsewhere Ltd']);
const list = [['Ann', 'Lee', 'Acme Widgets'], ...strangers];

/** A service that finds emails by first name. */
function openFinder(host: string, findRoutes: FindRoutes, names?: NameServers): Provider {
  const request = {
    method: 'GET',
    url: `https://${host}/find`,
    query: { first: '{{row.first_name}}' },
  };
  const operation = { ...finderOperation, needs: [['first_name']], request };
  return openDeclaredProvider(makeDefinition({ hosts: [host], ops: [operation] }), {
    reader,
    findRoutes,
    names,
    readSecret: async () => 'key',
    clock: { now: () => now().getTime(), wait: async () => undefined },
  });
}

/** A service behind a proxy that cannot be reached until `connect`. */
async function openService() {
  trustTests();
  const receiver = await openReceiver({ certificate: 'elsewhere' });
  receiver.answer = (response, { path }) => {
    const name = new URL(path, 'https://elsewhere.example').searchParams.get('first');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ email: `${name}@new.example` }));
  };
  const ownPort = await findClosedPort();
  const findRoutes: FindRoutes = async () => [
    { kind: 'proxy', url: new URL(`http://localhost:${ownPort}`), setBy: 'HTTPS_PROXY' },
  ];
  const open = () => openFinder('elsewhere.example', findRoutes);
  const connect = () => openConnectProxy({ ownPort, port: receiver.port });
  return { receiver, open, connect };
}

test('a job waits for a proxy that cannot be reached, and continues when it can', async () => {
  const jobs = await openJobs();
  const { receiver, open, connect } = await openService();
  const engine = jobs.start([open()]);
  const uuid = jobs.submit(list);
  engine.wake();
  await jobs.waits(uuid, 3);
  // The rows of the directory are done, and nothing was sent.
  expect(jobs.emails(uuid)).toEqual(['ann@acme.example', null, null, null]);
  await jobs.clock.pass(networkCheckMs);
  await jobs.waits(uuid, 3);
  await connect();
  // A check that began before may fail after this, and the next one is due later.
  const statusLater = async () => {
    await jobs.clock.pass(networkCheckMs);
    return jobs.read(uuid).status;
  };
  await expect.poll(statusLater).toBe('completed');
  expect(jobs.emails(uuid)).toEqual([
    'ann@acme.example',
    'Bo@new.example',
    'Cy@new.example',
    'Di@new.example',
  ]);
  expect(receiver.arrivals).toHaveLength(3);
  expect(jobs.read(uuid)).toMatchObject({
    enrichedRows: 4,
    skippedRows: 0,
    waitingRows: 0,
    waitingSince: null,
  });
  expect(readBalances(jobs.database, jobs.account.id).heldUnits).toBe(0);
});

test('a waiting job is found again after a restart, and the signal of the system ends its wait', async () => {
  const jobs = await openJobs();
  const { receiver, open, connect } = await openService();
  const first = jobs.start([open()]);
  const uuid = jobs.submit(list);
  first.wake();
  await jobs.waits(uuid, 3);
  await first.stop();
  const second = jobs.start([open()]);
  await jobs.waits(uuid, 3);
  // A job that needs no network runs meanwhile.
  const other = jobs.submit([['Ann', 'Lee', 'Acme Widgets']], ['L1'], { usesProviders: false });
  second.wake();
  await jobs.ends(other);
  await connect();
  second.tellOnline();
  await jobs.ends(uuid);
  expect(receiver.arrivals).toHaveLength(3);
  expect(jobs.read(uuid).enrichedRows).toBe(4);
});

test('a waiting job goes on without data services if the user says so, or is cancelled', async () => {
  const jobs = await openJobs();
  const { receiver, open } = await openService();
  const engine = jobs.start([open()]);
  const [left, cancelled] = [jobs.submit(list), jobs.submit(list, ['L1', 'L2'])];
  engine.wake();
  await jobs.waits(left, 3);
  await jobs.waits(cancelled, 3);
  const { id: accountId } = jobs.account;
  setWhenOffline(jobs.database, { accountId, jobId: left, whenOffline: 'leave_out' });
  engine.wake();
  await jobs.ends(left);
  expect(jobs.read(left)).toMatchObject({
    enrichedRows: 1,
    skippedRows: 3,
    failedRows: 0,
    waitingRows: 3,
    chargedUnits: 10_000,
  });
  cancelJob(jobs.database, { accountId, jobId: cancelled }, now());
  engine.wake();
  await expect.poll(() => jobs.results(jobs.read(cancelled))).toEqual([]);
  expect(jobs.read(cancelled)).toMatchObject({ status: 'cancelled', chargedUnits: 0 });
  expect(receiver.arrivals).toEqual([]);
  for (const whenOffline of ['wait', 'leave_out'] as const)
    expect(() => setWhenOffline(jobs.database, { accountId, jobId: left, whenOffline })).toThrow(
      expect.objectContaining({ code: 'already_finished' }),
    );
});

test('a job that leaves rows out ends at once if a name does not resolve and none can be asked', async () => {
  const jobs = await openJobs();
  // RFC 6761: this name is never resolved.
  const provider = openFinder('finder.invalid', goDirectly);
  const engine = jobs.start([provider]);
  const uuid = jobs.submit(list, ['L1'], { whenOffline: 'leave_out' });
  engine.wake();
  await jobs.ends(uuid);
  expect(jobs.read(uuid)).toMatchObject({ enrichedRows: 1, skippedRows: 3, waitingRows: 3 });
});

test('a service alone whose host name does not exist is down, and the job does not wait for it', async () => {
  const jobs = await openJobs();
  const server = await startDnsServer({});
  const dns = openMailDns({ servers: server.address });
  onTestFinished(() => dns.stop());
  const engine = jobs.start([openFinder('finder.invalid', goDirectly, dns)]);
  const uuid = jobs.submit(list);
  engine.wake();
  await expect.poll(() => jobs.read(uuid).completedAt).not.toBeNull();
  expect(jobs.read(uuid)).toMatchObject({
    status: 'failed',
    error: 'upstream_error',
    enrichedRows: 1,
    waitingRows: 0,
    errorDetail: expect.stringContaining('The host name finder.invalid does not exist.'),
  });
});

test('without a network, name servers that deny every name do not make a service down', async () => {
  const jobs = await openJobs();
  const server = await startDnsServer({ 'a.root-servers.net': { fails: 'servfail' } });
  const dns = openMailDns({ servers: server.address });
  onTestFinished(() => dns.stop());
  const engine = jobs.start([openFinder('finder.invalid', goDirectly, dns)]);
  const uuid = jobs.submit(list);
  engine.wake();
  await jobs.waits(uuid, 3);
  expect(server.questions).toContain('A finder.invalid');
});

/** A service that is offline while `isOff` says so. */
function playNetwork(id: string, isOff: () => boolean, say = nothing) {
  const played = playProvider(() => say, { id, title: id });
  const provider: Provider = {
    ...played.provider,
    async answer(request, options) {
      if (isOff()) throw new ProviderError('offline', `${id} cannot be reached.`);
      return played.provider.answer(request, options);
    },
    reach: async () => !isOff(),
  };
  return { ...played, provider };
}

test('one service that cannot be reached is down: the job does not wait for it', async () => {
  const jobs = await openJobs();
  const gone = playNetwork('gone', () => true);
  const there = playNetwork('there', () => false, found({ email: 'x@new.example' }));
  const engine = jobs.start([gone.provider, there.provider]);
  const uuid = jobs.submit(list);
  engine.wake();
  await jobs.ends(uuid);
  expect(jobs.read(uuid)).toMatchObject({ enrichedRows: 4, waitingRows: 0 });
});

test('whenever the network goes and returns, a job ends like one that always had it', {
  tags: ['full'],
}, async () => {
  const names = fc.array(fc.constantFrom('Ann Lee', 'Bo Fox', 'Cy Fox', 'Di Fox', 'No One'), {
    minLength: 1,
    maxLength: 24,
  });
  const check = async (people: readonly string[], outages: readonly boolean[]) => {
    const ends = [];
    for (const script of [[], outages]) {
      const jobs = await openJobs();
      let turn = 0;
      let isOff = false;
      const say = (row: { first_name?: string }) =>
        row.first_name === 'No'
          ? nothing
          : found({ first_name: row.first_name ?? '', email: `${row.first_name}@new.example` });
      const played = playProvider(say, { rowsMax: 2, requestsMax: 1 });
      const provider: Provider = {
        ...played.provider,
        async answer(request, options) {
          isOff ||= script[turn++] === true;
          if (isOff) throw new ProviderError('offline', 'No network.');
          return played.provider.answer(request, options);
        },
        reach: async () => !isOff,
      };
      let engine = jobs.start([provider], { batchRowsMax: 4 });
      const uuid = jobs.submit(people.map((name) => [...name.split(' '), 'Acme Widgets']));
      engine.wake();
      const isSettled = () => {
        const { status, waitingRows, processedRows, totalRows } = jobs.read(uuid);
        return status === 'completed' || (isOff && waitingRows > 0 && processedRows === totalRows);
      };
      for (;;) {
        await expect.poll(isSettled).toBe(true);
        if (jobs.read(uuid).status === 'completed') break;
        isOff = false;
        if (turn % 2 === 0) engine.tellOnline();
        else {
          // Killed after one batch was taken back.
          await engine.stop();
          const pause = {
            reason: 'waiting' as const,
            pause: async () => undefined,
            isStopping: () => true,
          };
          await rewindJob(jobs.database, jobs.deps.kinds, jobs.read(uuid).id, pause);
          engine = jobs.start([provider], { batchRowsMax: 4 });
        }
      }
      await engine.stop();
      const { id: _id, uuid: _uuid, ...job } = jobs.read(uuid);
      const asked = played.asked.map(({ first_name }) => first_name).sort();
      ends.push({ job, results: jobs.results(jobs.read(uuid)), asked });
    }
    expect(ends[1]).toEqual(ends[0]);
  };
  await fc.assert(fc.asyncProperty(names, fc.array(fc.boolean(), { maxLength: 6 }), check), {
    numRuns: runsOf(10),
  });
});

test('a signal during a check makes the next check due at once; without one it is due later', async () => {
  const jobs = await openJobs();
  const engine = jobs.start([playNetwork('finder', () => true).provider]);
  const uuid = jobs.submit(list);
  engine.wake();
  await jobs.waits(uuid, 3);
  await engine.stop();
  const checks: PromiseWithResolvers<boolean>[] = [];
  const waiting = createWaitingJobs({
    database: jobs.database,
    kinds: jobs.deps.kinds,
    now,
    network: {
      check() {
        const check = Promise.withResolvers<boolean>();
        checks.push(check);
        return check.promise;
      },
    },
  });
  const failCheck = async (meanwhile: () => void) => {
    const resumed = waiting.resume(jobs.read(uuid), { isStopping: () => false });
    meanwhile();
    checks.at(-1)?.resolve(false);
    expect(await resumed).toBe(false);
    return waiting.next(now());
  };
  expect(await failCheck(waiting.checkNetwork)).toMatchObject({ item: { id: uuid } });
  const later = new Date(now().getTime() + networkCheckMs);
  expect(await failCheck(() => undefined)).toEqual({ dueAt: later });
});

test('a job that waits for a worker of the team does not hold up one that waits for the network', async () => {
  const jobs = await openJobs();
  const engine = jobs.start([playNetwork('finder', () => true).provider]);
  const [team, network] = [jobs.submit(list), jobs.submit(list)];
  engine.wake();
  await jobs.waits(team, 3);
  await jobs.waits(network, 3);
  await engine.stop();
  insertNote(jobs.database, {
    jobId: jobs.read(team).id,
    provider: 'team-directory',
    failure: 'no_worker',
    detail: '',
    at: now().toISOString(),
  });
  const asked: string[] = [];
  const waiting = createWaitingJobs({
    database: jobs.database,
    kinds: jobs.deps.kinds,
    now,
    network: {
      async check({ uuid }) {
        asked.push(uuid);
        return false;
      },
    },
  });
  for (let turn = 0; turn < 2; turn += 1) {
    const next = waiting.next(now());
    if (!next || !('item' in next)) throw new Error('no job is due');
    expect(await waiting.resume(next.item.job, { isStopping: () => false })).toBe(false);
  }
  expect(asked.sort()).toEqual([team, network].sort());
  const later = new Date(now().getTime() + networkCheckMs);
  expect(waiting.next(now())).toEqual({ dueAt: later });
});
