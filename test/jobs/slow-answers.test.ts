// Jobs with a data service that answers late: the other rows do not wait for it.
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Provider, ProviderError } from '../../engine/contract/provider.ts';
import { cancelJob } from '../../engine/jobs/cancel-job.ts';
import { retryJob } from '../../engine/jobs/submit-job.ts';
import { readBalances } from '../../engine/ledger/ledger.ts';
import { runsOf } from '../property-runs.ts';
import { fails, found, nothing, playProvider, type Say } from '../providers/play-provider.ts';
import { now } from './job-fixture.ts';
import { openScheduledJobs } from './scheduled-jobs.ts';

interface ScriptOf {
  readonly lates: readonly boolean[];
  readonly stops: readonly number[];
}

const never = () => new Promise<never>(() => undefined);

/** A service that gives a ticket, and answers it once it is told to. */
function playLate(id: string, say: Say, changes: Parameters<typeof playProvider>[1] = {}) {
  const played = playProvider(say, { ...changes, id, title: `Service ${id}` });
  const polled = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const provider: Provider = {
    ...played.provider,
    async answer(_request, { onSend }) {
      onSend();
      return { kind: 'pending', ticket: 'one', pollAfterMs: 0 };
    },
    async poll(_ticket, request, signal) {
      polled.resolve();
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      await Promise.race([told.promise, stopped]);
      return played.provider.answer(request, { signal, onSend: () => undefined });
    },
  };
  const { asked, provider: at } = played;
  return { provider, asked, play: at.answer, polled: polled.promise, tell: told.resolve };
}

/** A service that gives a ticket for each request, and answers it at the second poll. */
function playTickets(say: Say, changes: Parameters<typeof playProvider>[1]) {
  const played = playProvider(say, changes);
  const polls = new Map<string, number>();
  const provider: Provider = {
    ...played.provider,
    async answer({ id: ticket }, { onSend }) {
      onSend();
      return { kind: 'pending', ticket, pollAfterMs: 0 };
    },
    async poll(ticket, request, signal) {
      polls.set(ticket, (polls.get(ticket) ?? 0) + 1);
      if (polls.get(ticket) === 1) return { kind: 'pending', ticket, pollAfterMs: 0 };
      return played.provider.answer(request, { signal, onSend: () => undefined });
    },
  };
  return { provider, asked: played.asked };
}

const emailOf = ({ first_name: name }: Parameters<Say>[0]) =>
  found({ first_name: name ?? '', email: `${name}@new.example` });

const ann = ['Ann', 'Lee', 'Acme Widgets'];
const bo = ['Bo', 'Stranger', 'Elsewhere Ltd'];
const cy = ['Cy', 'Stranger', 'Elsewhere Ltd'];

/** A job whose first row waits for a ticket; the rows after it are known, or quickly found. */
async function openSlowJob() {
  const jobs = await openScheduledJobs();
  const quick = playProvider((row) => (row.first_name === 'Cy' ? emailOf(row) : nothing), {
    id: 'quick',
  });
  const late = playLate('late', emailOf);
  let batches = 0;
  const untilSlow = () => (batches++ === 0 ? late.polled : never());
  const open = () => jobs.start([quick.provider, late.provider], { batchRowsMax: 2, untilSlow });
  const submit = (whenOffline: 'wait' | 'leave_out' = 'wait') =>
    jobs.submit([bo, ann, cy, ann, ann], ['L1'], { whenOffline });
  const waits = (uuid: string) =>
    expect
      .poll(() => jobs.read(uuid))
      .toMatchObject({ status: 'running', unansweredRows: 1, processedRows: 5, enrichedRows: 4 });
  return { ...jobs, late, quick, open, submit, waits };
}

const known = ['ann@acme.example', 'Cy@new.example', 'ann@acme.example', 'ann@acme.example'];

test('rows of the directory and of other services are written while a ticket is pending', async () => {
  const jobs = await openSlowJob();
  const engine = jobs.open();
  const uuid = jobs.submit('leave_out');
  engine.wake();
  await jobs.waits(uuid);
  expect(jobs.emails(uuid)).toEqual([null, ...known]);
  expect(jobs.sent.at(-1)).toMatchObject({ unansweredRows: 1, processedRows: 5 });
  jobs.late.tell();
  await jobs.ends(uuid);
  expect(jobs.emails(uuid)).toEqual(['Bo@new.example', ...known]);
  expect(jobs.read(uuid)).toMatchObject({
    enrichedRows: 5,
    waitingRows: 0,
    unansweredRows: 0,
    duplicateRows: 2,
  });
  expect([jobs.late.asked, jobs.quick.asked].map(({ length }) => length)).toEqual([1, 2]);
  expect(readBalances(jobs.database, jobs.account.id).heldUnits).toBe(0);
});

test('a job that waits for a ticket is not completed by a restart, and reads its answer', async () => {
  const jobs = await openSlowJob();
  const first = jobs.open();
  const uuid = jobs.submit('leave_out');
  first.wake();
  await jobs.waits(uuid);
  await first.stop();
  expect(jobs.read(uuid)).toMatchObject({ status: 'running', unansweredRows: 1 });
  jobs.open();
  jobs.late.tell();
  await jobs.ends(uuid);
  expect(jobs.emails(uuid)).toEqual(['Bo@new.example', ...known]);
  expect(jobs.late.asked).toHaveLength(1);
});

test('a job that waits for a ticket can be cancelled, and its answer is kept', async () => {
  const jobs = await openSlowJob();
  const engine = jobs.open();
  const uuid = jobs.submit();
  const next = jobs.submit();
  engine.wake();
  await jobs.waits(uuid);
  cancelJob(jobs.database, { accountId: jobs.account.id, jobId: uuid }, now());
  engine.wake();
  // The next job waits for the answer that the cancelled one has asked for.
  await expect.poll(() => jobs.read(next).status).toBe('running');
  jobs.late.tell();
  await jobs.ends(next);
  expect(jobs.emails(next)).toEqual(['Bo@new.example', ...known]);
  expect(jobs.late.asked).toHaveLength(1);
  await expect.poll(() => jobs.results(jobs.read(uuid))).toEqual([]);
  expect(jobs.read(uuid)).toMatchObject({ status: 'cancelled', chargedUnits: 0 });
});

test('a row for which a service failed is not asked about again when it is done again', async () => {
  const jobs = await openScheduledJobs();
  const failing = playProvider(() => fails('No.'), { id: 'failing', title: 'Failing' });
  const say: Say = (row) => (row.first_name === 'Bo' ? emailOf(row) : nothing);
  const late = playLate('late', say, { rowsMax: 1, requestsMax: 3 });
  const { provider } = late;
  // The late service gives a ticket for the first row alone.
  const mixed: Provider = {
    ...provider,
    answer: (request, options) =>
      request.rows[0]?.row.first_name === 'Bo'
        ? provider.answer(request, options)
        : late.play(request, options),
  };
  let batches = 0;
  const untilSlow = () => (batches++ === 0 ? late.polled : never());
  const engine = jobs.start([failing.provider, mixed], { batchRowsMax: 1, untilSlow });
  const uuid = jobs.submit([bo, cy, ann]);
  engine.wake();
  await expect
    .poll(() => jobs.read(uuid))
    .toMatchObject({ unansweredRows: 1, processedRows: 3, failedRows: 1 });
  late.tell();
  await jobs.ends(uuid);
  expect(jobs.results(jobs.read(uuid)).map(({ error }) => error)).toEqual([
    null,
    'Failing: No. Run the rows again later.',
    null,
  ]);
  expect(failing.asked).toHaveLength(2);
});

test('without a network, rows of an open ticket wait for it like the others', async () => {
  const jobs = await openScheduledJobs();
  const late = playLate('late', emailOf, { rowsMax: 1, requestsMax: 3 });
  let isOff = true;
  const provider: Provider = {
    ...late.provider,
    answer(request, options) {
      if (request.rows[0]?.row.first_name === 'Bo') return late.provider.answer(request, options);
      if (isOff) throw new ProviderError('offline', 'No network.');
      return late.play(request, options);
    },
    reach: async () => !isOff,
  };
  let batches = 0;
  const untilSlow = () => (batches++ === 0 ? late.polled : never());
  const engine = jobs.start([provider], { batchRowsMax: 1, untilSlow });
  const uuid = jobs.submit([bo, cy, ann]);
  engine.wake();
  await expect
    .poll(() => jobs.read(uuid))
    .toMatchObject({ waitingRows: 2, unansweredRows: 0, processedRows: 3 });
  isOff = false;
  late.tell();
  engine.tellOnline();
  await jobs.ends(uuid);
  expect(jobs.emails(uuid)).toEqual(['Bo@new.example', 'Cy@new.example', 'ann@acme.example']);
  expect(late.asked.map(({ first_name: name }) => name).sort()).toEqual(['Bo', 'Cy']);
});

test('a bug of a slow service fails the job, and its retry reads the open ticket', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  const jobs = await openScheduledJobs();
  let isFixed = false;
  const late = playLate('late', (row) => {
    if (isFixed) return emailOf(row);
    throw new TypeError('a bug');
  });
  const engine = jobs.start([late.provider], { untilSlow: () => late.polled });
  const uuid = jobs.submit([bo, ann]);
  engine.wake();
  await expect.poll(() => jobs.read(uuid)).toMatchObject({ unansweredRows: 1, enrichedRows: 1 });
  late.tell();
  await expect.poll(() => jobs.read(uuid)).toMatchObject({ status: 'failed', chargedUnits: 0 });
  isFixed = true;
  const retry = { accountId: jobs.account.id, keyId: null, jobId: uuid };
  retryJob(jobs.database, jobs.folder, retry, now());
  engine.wake();
  await jobs.ends(uuid);
  expect(jobs.emails(uuid)).toEqual(['Bo@new.example', 'ann@acme.example']);
  const requests = 'SELECT count(*) FROM provider_request';
  expect(jobs.database.prepare(requests).pluck().get()).toBe(1);
});

/** What a service says about a person, by the last name. */
const sayAbout: Say = (row) => {
  if (row.last_name === 'Failing') return fails('No.');
  return row.last_name === 'Unknown' ? nothing : emailOf(row);
};

test(
  'whichever services are slow, and whenever it is stopped, a job ends like any other',
  {
    tags: ['full'],
  },
  () => checkSlowJobs(runsOf(40)),
);

test('whichever services are slow, a job ends like any other', () => checkSlowJobs(4));

async function checkSlowJobs(numRuns: number): Promise<void> {
  const first = fc.constantFrom('Bo', 'Cy', 'Di', 'Ed');
  const last = fc.constantFrom('Found', 'Unknown', 'Failing');
  const person = fc.oneof(fc.tuple(first, last), fc.constant<[string, string]>(['Ann', 'Lee']));
  const people = fc.array(person, { minLength: 1, maxLength: 24 });
  // For each batch, whether it is late; for each stop, the batches that are sent before it.
  const script = fc.record({
    lates: fc.array(fc.boolean(), { maxLength: 12 }),
    stops: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
  });
  const check = async (list: readonly [string, string][], { lates, stops }: ScriptOf) => {
    const ends = [];
    for (const run of [
      { lates: [], stops: [] },
      { lates, stops },
    ]) {
      const jobs = await openScheduledJobs();
      const played = [
        playProvider(sayAbout, { id: 'a', rowsMax: 2, requestsMax: 1 }),
        playTickets(sayAbout, { id: 'b', rowsMax: 3, requestsMax: 1 }),
      ];
      let batch = 0;
      let sent = 0;
      let stopAt = run.stops[0] ?? Number.POSITIVE_INFINITY;
      const stopping: (() => void)[] = [];
      const untilSlow = () => {
        sent += 1;
        if (sent >= stopAt) for (const stop of stopping.splice(0)) stop();
        return run.lates[batch++] ? Promise.resolve() : never();
      };
      const open = () =>
        jobs.start(
          played.map(({ provider }) => provider),
          { batchRowsMax: 4, untilSlow },
        );
      let engine = open();
      const uuid = jobs.submit(list.map((name) => [...name, 'Acme Widgets']));
      engine.wake();
      for (const [nth] of run.stops.entries()) {
        const isOver = () => jobs.read(uuid).status === 'completed';
        const due = new Promise<void>((resolve) => stopping.push(resolve));
        await Promise.race([due, expect.poll(isOver).toBe(true)]);
        await engine.stop();
        sent = 0;
        stopAt = run.stops[nth + 1] ?? Number.POSITIVE_INFINITY;
        engine = open();
      }
      await jobs.ends(uuid);
      await engine.stop();
      const { id: _id, uuid: _uuid, ...job } = jobs.read(uuid);
      const asked = played.map((one) =>
        one.asked
          .filter(({ last_name: name }) => name !== 'Failing')
          .map((row) => `${row.first_name} ${row.last_name}`)
          .sort(),
      );
      ends.push({ job, results: jobs.results(jobs.read(uuid)), asked });
    }
    expect(ends[1]).toEqual(ends[0]);
  };
  await fc.assert(fc.asyncProperty(people, script, check), { numRuns });
}
