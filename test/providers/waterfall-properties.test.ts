// Whatever providers do: what is recorded is what they charged, and no value is from nowhere.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { ProviderFailure, ProviderField } from '../../engine/contract/provider.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { createWaterfalls } from '../../engine/providers/waterfall/create-waterfalls.ts';
import {
  readSettings,
  writeSetting,
} from '../../engine/providers/waterfall/provider-setting.table.ts';
import type { WaterfallOutcome } from '../../engine/providers/waterfall/waterfall-run.ts';
import { openTemporaryStore } from '../migrations/temporary-store.ts';
import { runsOf } from '../property-runs.ts';
import { byId, switchOn } from './play-provider.ts';
import {
  createScriptedProvider,
  type FieldTurn,
  type RequestTurn,
  type Script,
} from './scripted-provider.ts';

const failures: readonly ProviderFailure[] = [
  'unavailable',
  'slow_down',
  'quota',
  'bad_key',
  'bad_input',
  'legal_refusal',
  'uncertain',
  'source_error',
];
const anyTurn = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<RequestTurn>('answer', 'pending') },
  fc.record({ fails: fc.constantFrom(...failures), isSent: fc.boolean() }),
);
const anyField = fc.constantFrom<FieldTurn>(
  'hit',
  'hit',
  'miss',
  'hit, unreliable',
  ...failures.filter((failure) => failure !== 'unavailable' && failure !== 'slow_down'),
);
const anyScript: fc.Arbitrary<Script> = fc.record({
  turns: fc.array(anyTurn, { maxLength: 6 }),
  fields: fc.array(anyField, { minLength: 1, maxLength: 5 }),
  reports: fc.constantFrom('total', 'field', 'nothing'),
});
const anyCase = fc.record({
  scripts: fc.array(anyScript, { minLength: 1, maxLength: 3 }),
  // Equal numbers are equal rows.
  numbers: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 12 }),
  batches: fc.integer({ min: 1, max: 3 }),
  cap: fc.option(fc.integer({ min: 0, max: 30 }), { nil: null }),
});
type Case = typeof anyCase extends fc.Arbitrary<infer Value> ? Value : never;

const wanted: readonly ProviderField[] = ['work_email', 'employment', 'phone'];
const rowOf = (number: number) => ({ first_name: 'Ada', last_name: `Row${number}` });
const now = () => new Date('2026-11-20T10:00:00.000Z');

function openServices(database: WritableDatabase, { scripts, cap }: Case) {
  const services = scripts.map((script, at) => createScriptedProvider('abc'[at] ?? '', script));
  const providers = services.map(({ provider }) => provider);
  switchOn(database, providers);
  for (const setting of readSettings(database).values())
    writeSetting(database, { ...setting, capDayUnits: cap === null ? null : cap * 10_000 });
  const open = () =>
    createWaterfalls({
      database,
      now,
      wait: async () => undefined,
      providers: byId(providers),
    });
  return { services, open };
}

/** Asks in batches, as a job does, with a new engine for each. */
async function askAll(database: WritableDatabase, scene: Case) {
  const { services, open } = openServices(database, scene);
  const { numbers, batches } = scene;
  const size = Math.ceil(numbers.length / batches);
  const outcomes: { numbers: number[]; outcome: WaterfallOutcome }[] = [];
  for (let first = 0; first < numbers.length; first += size) {
    const some = numbers.slice(first, first + size);
    const waterfalls = open();
    const waterfall = waterfalls.open({ jobId: null, wanted });
    if (!waterfall) throw new Error('no provider is on');
    outcomes.push({ numbers: some, outcome: await waterfall.ask(some.map(rowOf)) });
    waterfall.stop();
    await waterfalls.stop();
  }
  return { services, outcomes };
}

interface RequestRecord {
  readonly uuid: string;
  readonly provider: string;
  readonly state: string;
  readonly costUnits: number | null;
  readonly costMaxUnits: number;
}

async function checkCase(scene: Case): Promise<void> {
  const database = openTemporaryStore();
  // No test kills the machine, so nothing needs to be synced.
  database.pragma('synchronous = OFF');
  const { services, outcomes } = await askAll(database, scene);
  const requests = database
    .prepare<[], RequestRecord>(
      `SELECT uuid, provider, state, cost_units AS costUnits, cost_max_units AS costMaxUnits
       FROM provider_request`,
    )
    .all();
  for (const { provider, charges, sent } of services) {
    const own = requests.filter((one) => one.provider === provider.describe().id);
    // Every request has ended, and every charge is recorded once, as it was reported.
    expect(own.map(({ state }) => state)).not.toContain('sent');
    expect(own.map(({ state }) => state)).not.toContain('intent');
    const answered = own.filter(({ state }) => state === 'answered');
    const open = own.filter(({ state }) => state === 'uncertain').map(({ uuid }) => uuid);
    const known = charges.filter(({ requestId }) => !open.includes(requestId));
    expect(new Map(answered.map((one) => [one.uuid, one.costUnits]))).toEqual(
      new Map(known.map((one) => [one.requestId, one.credits * 10_000])),
    );
    // Nothing is asked again after an answer, or after an unknown outcome.
    const paid = charges.flatMap(({ about }) => about);
    expect(new Set(paid).size).toBe(paid.length);
    expect(new Set(sent.map(({ id }) => id)).size).toBeLessThanOrEqual(own.length);
    const spent = own.reduce((sum, one) => sum + (one.costUnits ?? one.costMaxUnits), 0);
    if (scene.cap !== null) expect(spent).toBeLessThanOrEqual(scene.cap * 10_000);
  }
  const saidBy = new Map(services.map(({ provider }) => [provider.describe().title, provider]));
  for (const { numbers, outcome } of outcomes) {
    if (outcome.kind !== 'answered') {
      expect(outcome).toMatchObject({ kind: 'refused', detail: expect.stringMatching(/says/) });
      continue;
    }
    expect(outcome.answers).toHaveLength(numbers.length);
    for (const [nth, answer] of outcome.answers.entries()) {
      if (answer.kind === 'failed') expect(answer.detail).not.toBe('');
      if (answer.kind !== 'found') continue;
      for (const { value, source, observedOn } of Object.values(answer.contact.values)) {
        expect(observedOn).toBe('2026-10-01');
        const id = saidBy.get(source)?.describe().id;
        if (value !== 'valid' && value !== 'Current')
          expect(value).toContain(`${id}${numbers[nth]}`);
      }
    }
  }
}

test('what is recorded is what was charged, nothing is paid twice, and no value is from nowhere', async () => {
  await fc.assert(fc.asyncProperty(anyCase, checkCase), { numRuns: runsOf(120) });
});

test('a bug of a provider is thrown, and its request is neither repeated nor taken for an answer', async () => {
  const database = openTemporaryStore();
  const script: Script = { turns: ['bug'], fields: ['hit'], reports: 'total' };
  const scene: Case = { scripts: [script], numbers: [1], batches: 1, cap: null };
  await expect(askAll(database, scene)).rejects.toThrow(TypeError);
  const { services, open } = openServices(database, scene);
  const waterfalls = open();
  onTestFinished(waterfalls.stop);
  const outcome = await waterfalls.open({ jobId: null, wanted })?.ask([rowOf(1)]);
  expect(outcome).toMatchObject({
    answers: [{ kind: 'failed', detail: expect.stringMatching(/unknown/) }],
  });
  expect(services[0]?.sent).toEqual([]);
});
