// The waterfall over declared providers and the fakes of their services: whatever fails, the ledger
// of each service is what was recorded, no person is paid for twice, and every value has a source.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProviderField } from '../../engine/contract/provider.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { createWaterfalls } from '../../engine/providers/waterfall/create-waterfalls.ts';
import type { WaterfallOutcome } from '../../engine/providers/waterfall/waterfall-run.ts';
import { openTemporaryStore } from '../migrations/temporary-store.ts';
import { runsOf } from '../property-runs.ts';
import { type AskedFake, openAsked } from './fakes/ask-fake.ts';
import { fakeApis } from './fakes/fake-apis.ts';
import type { Fault } from './fakes/open-fake.ts';
import { byId, switchOn } from './play-provider.ts';

/** One that answers single rows and reports no costs, one for batches, one that answers later. */
const ids = ['hunter', 'prospeo', 'fullenrich'] as const;

const anyFault = fc.constantFrom<Fault>(
  'slow_down',
  'text_error',
  'truncated',
  'reset',
  'quota',
  'bad_input',
);
const anyBatch = fc.record({
  // Equal people are equal rows.
  people: fc.array(
    fc.record({
      number: fc.integer({ min: 0, max: 9 }),
      lastName: fc.constantFrom('Byron', 'Hopper', 'Miss', 'Catch_all'),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  faults: fc.array(fc.record({ at: fc.nat(2), fault: anyFault }), { maxLength: 4 }),
  pollFaults: fc.array(fc.constantFrom<Fault>('reset', 'text_error', 'truncated'), {
    maxLength: 2,
  }),
  pendingPolls: fc.nat(2),
});
const anyScene = fc.record({
  wanted: fc.constantFrom<readonly ProviderField[]>(
    ['work_email', 'employment'],
    ['work_email', 'employment', 'phone'],
  ),
  batches: fc.array(anyBatch, { minLength: 1, maxLength: 4 }),
});
type Scene = typeof anyScene extends fc.Arbitrary<infer Value> ? Value : never;
type Batch = typeof anyBatch extends fc.Arbitrary<infer Value> ? Value : never;

const rowOf = ({ number, lastName }: Batch['people'][number]) => ({
  first_name: `Ada${number}`,
  last_name: lastName,
  company_name: 'Acme',
  company_domain: 'acme.example',
});

/** Asks about one batch, as an engine does between two starts. */
async function askBatch(
  database: WritableDatabase,
  apis: readonly AskedFake[],
  wanted: readonly ProviderField[],
  batch: Batch,
): Promise<WaterfallOutcome> {
  for (const { at, fault } of batch.faults) apis[at]?.fake.fail(fault);
  const later = apis[2];
  later?.fake.failPolls(...batch.pollFaults);
  if (later) later.fake.pendingPolls = batch.pendingPolls;
  let nowMs = Date.parse('2026-11-23T08:00:00Z');
  const waterfalls = createWaterfalls({
    database,
    providers: byId(apis.map(({ provider }) => provider)),
    now: () => new Date(nowMs),
    async wait(ms, signal) {
      signal.throwIfAborted();
      nowMs += ms;
      for (const api of apis) api.waitMs(ms);
    },
  });
  const waterfall = waterfalls.open({ jobId: null, wanted });
  if (!waterfall) throw new Error('no provider is on');
  const outcome = await waterfall.ask(batch.people.map(rowOf));
  waterfall.stop();
  await waterfalls.stop();
  return outcome;
}

interface Recorded {
  readonly state: string;
  readonly costUnits: number | null;
  readonly costMaxUnits: number;
  readonly isReported: number | null;
}

/** Compares the ledger of a service with what was recorded of its requests. */
function checkLedger(database: WritableDatabase, { fake, provider }: AskedFake): void {
  const recorded = database
    .prepare<[string], Recorded>(
      `SELECT state, cost_units AS costUnits, cost_max_units AS costMaxUnits,
         cost_is_reported AS isReported
       FROM provider_request WHERE provider = ?`,
    )
    .all(provider.describe().id);
  const sum = (some: readonly Recorded[], read: (one: Recorded) => number | null) =>
    some.reduce((total, one) => total + (read(one) ?? 0), 0);
  expect(recorded.filter(({ state }) => state === 'intent' || state === 'sent')).toEqual([]);
  const answered = sum(recorded, ({ costUnits }) => costUnits);
  const open = sum(
    recorded.filter(({ state }) => state === 'uncertain'),
    ({ costMaxUnits }) => costMaxUnits,
  );
  const spent = Math.round(fake.spent() * 10_000);
  expect(spent).toBeLessThanOrEqual(answered + open);
  // What is reported is exact. Without a report, the most that it can have cost is recorded.
  if (recorded.every(({ isReported }) => isReported !== 0))
    expect(spent).toBeGreaterThanOrEqual(answered);
  expect(fake.strays).toEqual([]);
}

/**
 * Fields that every service is asked for together are asked for once. What a service could not
 * answer for lack of credits is asked again.
 */
function checkPeople({ fake }: AskedFake): void {
  const people = fake.ledger
    .map(({ route, asked, unpaidFrom }) => ({
      route,
      paid: asked.slice(0, unpaidFrom ?? undefined),
    }))
    .flatMap(({ route, paid }) => paid.map((one) => `${route} ${JSON.stringify(one)}`));
  expect(people).toEqual([...new Set(people)]);
}

function checkValues(batch: Batch, outcome: WaterfallOutcome, titles: readonly string[]): void {
  if (outcome.kind === 'stopped') throw new Error('the run was stopped');
  if (outcome.kind === 'refused') {
    expect(outcome.detail).not.toBe('');
    return;
  }
  expect(outcome.answers).toHaveLength(batch.people.length);
  for (const answer of outcome.answers) {
    if (answer.kind === 'failed') expect(answer.detail).not.toBe('');
    if (answer.kind !== 'found') continue;
    for (const { value, source, observedOn } of Object.values(answer.contact.values)) {
      expect(value).not.toBe('');
      expect(titles).toContain(source);
      expect(observedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
  }
}

async function checkScene({ wanted, batches }: Scene): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const apis: AskedFake[] = [];
  for (const id of ids) {
    const api = fakeApis.find((one) => one.id === id);
    if (!api) throw new Error(`there is no fake of ${id}`);
    apis.push(stack.use(await openAsked(api, { credits: 100_000 })));
  }
  const database = openTemporaryStore();
  // No test kills the machine, so nothing needs to be synced.
  database.pragma('synchronous = OFF');
  switchOn(
    database,
    apis.map(({ provider }) => provider),
  );
  const titles = apis.map(({ provider }) => provider.describe().title);
  for (const batch of batches)
    checkValues(batch, await askBatch(database, apis, wanted, batch), titles);
  for (const api of apis) {
    checkLedger(database, api);
    if (!wanted.includes('phone')) checkPeople(api);
  }
}

const noFaults = { faults: [], pollFaults: [], pendingPolls: 0 };
const examples: [Scene][] = [
  // A request in two parts, of which one is charged and loses its answer.
  [
    {
      wanted: ['work_email', 'employment', 'phone'],
      batches: [
        {
          ...noFaults,
          people: [
            { number: 0, lastName: 'Byron' },
            { number: 1, lastName: 'Byron' },
            { number: 0, lastName: 'Miss' },
          ],
          faults: [
            { at: 1, fault: 'truncated' },
            { at: 1, fault: 'reset' },
          ],
        },
      ],
    },
  ],
  // An accepted request that is not answered for lack of credits.
  [
    {
      wanted: ['work_email', 'employment'],
      batches: [
        {
          ...noFaults,
          people: [{ number: 8, lastName: 'Miss' }],
          faults: [{ at: 2, fault: 'quota' }],
        },
        { ...noFaults, people: [{ number: 8, lastName: 'Miss' }] },
      ],
    },
  ],
];

test('the ledger of every service is what was recorded, whatever fails', async () => {
  await fc.assert(fc.asyncProperty(anyScene, checkScene), { numRuns: runsOf(50), examples });
});
