// Random scripts of every data service never break the accounts: an answer reports what the fake
// charged, which is never more than the terms say; only an uncertain request can be charged without
// an answer; and nothing is sent twice.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ProviderAnswer,
  ProviderError,
  type ProviderField,
  type ProviderRequest,
  type ProviderTerms,
  providerFailures,
  type RequestedRow,
} from '../../engine/contract/provider.ts';
import { runsOf } from '../property-runs.ts';
import { type AskedFake, openAsked, want } from './fakes/ask-fake.ts';
import { fakeApis } from './fakes/fake-apis.ts';
import type { Fault } from './fakes/open-fake.ts';
import { ada, hits, otherHits } from './shipped-hits.ts';

const signal = new AbortController().signal;
const faults: readonly Fault[] = [
  'slow_down',
  'bad_input',
  'text_error',
  'truncated',
  'reset',
  'legal',
];
const pollFaults: readonly Fault[] = ['slow_down', 'text_error', 'truncated', 'reset'];

interface Step {
  readonly names: readonly string[];
  readonly fieldsAt: readonly number[];
  readonly fault: Fault | null;
  readonly pollFault: Fault | null;
  readonly pendingPolls: number;
}
const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  names: fc.array(fc.constantFrom('Byron', 'Miss', 'Catch_all', 'Hopper', 'Legal'), {
    minLength: 1,
    maxLength: 4,
  }),
  fieldsAt: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
  fault: fc.option(fc.constantFrom(...faults), { freq: 2 }),
  pollFault: fc.option(fc.constantFrom(...pollFaults), { freq: 2 }),
  pendingPolls: fc.nat(2),
});

const fieldsOf = (id: string): ProviderField[] => [
  ...(Object.keys(hits[id]?.fields ?? {}) as ProviderField[]),
  ...otherHits.filter(([of]) => of === id).map(([, field]) => field),
];

/** Distinct rows, each with a choice of the fields that the definition gives. */
function makeRows(id: string, nth: number, { names, fieldsAt }: Step, max: number): RequestedRow[] {
  const given = fieldsOf(id);
  return names.slice(0, max).map((name, at) => {
    const slug = `ada-${nth}-${at}-${name}`;
    const chosen = given.filter((_field, bit) => ((fieldsAt[at] ?? 0) >> bit) % 2 === 1);
    const row = {
      ...ada,
      first_name: `Ada${nth}x${at}`,
      last_name: name,
      profile_url: `https://www.linkedin.com/in/${slug}`,
      email: `${slug}@acme.example`.toLowerCase(),
    };
    return want(row, ...(chosen.length > 0 ? chosen : given.slice(0, 1)));
  });
}

/** Asks, and polls until the request ends. Failures that can be repeated are polled again. */
async function finish(asked: AskedFake, request: ProviderRequest): Promise<ProviderAnswer> {
  const options = { signal, onSend: () => undefined };
  let answer = await asked.provider.answer(request, options);
  while (answer.kind === 'pending') {
    asked.waitMs(answer.pollAfterMs);
    try {
      answer = (await asked.provider.poll?.(answer.ticket, request, signal)) ?? answer;
    } catch (error) {
      if (!(error instanceof ProviderError) || !providerFailures[error.failure].isRepeatable)
        throw error;
      asked.waitMs(600_000);
    }
  }
  return answer;
}

/** Every wanted field of an answer, as its kind or failure; an absent one is a miss. */
const outcomesOf = (rows: readonly RequestedRow[], answer: ProviderAnswer): string[] =>
  answer.kind === 'pending'
    ? []
    : rows.flatMap(({ fields }, at) =>
        fields.map((field) => {
          const found = answer.rows[at]?.[field] ?? { kind: 'miss' as const };
          return found.kind === 'failed' ? found.failure : found.kind;
        }),
      );

/** The most that the terms of a provider say for these rows. */
const costMax = (terms: ProviderTerms, rows: readonly RequestedRow[]): number =>
  rows
    .flatMap(({ fields }) => [
      ...fields.map((field) => terms.fields[field]?.costMaxCredits ?? 0),
      ...(terms.sharedCosts ?? [])
        .filter((shared) => shared.fields.some((field) => fields.includes(field)))
        .map(({ costMaxCredits }) => costMaxCredits),
    ])
    .reduce((sum, credits) => sum + credits, rows.length * terms.rowCostMaxCredits);

async function runStep(asked: AskedFake, id: string, nth: number, step: Step): Promise<void> {
  const { fake, provider } = asked;
  const rows = makeRows(id, nth, step, provider.describe().rowsMax);
  const spentBefore = fake.spent();
  const ledgerBefore = fake.ledger.length;
  fake.pendingPolls = provider.poll ? step.pendingPolls : 0;
  if (step.fault) fake.fail(step.fault);
  if (step.pollFault && provider.poll) fake.failPolls(step.pollFault);
  let failures: readonly string[];
  let costCredits: number | null = null;
  try {
    const answer = await finish(asked, { id: `request-${nth}`, rows });
    failures = outcomesOf(rows, answer);
    expect(failures).toHaveLength(rows.flatMap(({ fields }) => fields).length);
    if (answer.kind === 'answered') costCredits = answer.costCredits;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    failures = [error.failure];
  }
  const charged = fake.spent() - spentBefore;
  if (costCredits !== null) expect(charged).toBeCloseTo(costCredits);
  expect(charged).toBeLessThanOrEqual(costMax(provider.describe(), rows));
  // Credits are only charged for an answer, or for a request whose outcome is unknown.
  const isCharged = failures.some((one) => ['hit', 'miss', 'uncertain'].includes(one));
  if (!isCharged && id !== 'lusha') expect(charged).toBe(0);
  // At most one request for each operation and each choice of fields.
  expect(fake.ledger.length - ledgerBefore).toBeLessThanOrEqual(rows.length * 3);
  const people = fake.ledger
    .slice(ledgerBefore)
    .flatMap((entry) => entry.asked.map((one) => `${entry.route} ${JSON.stringify(one)}`));
  expect(new Set(people).size).toBe(people.length);
}

test.each(fakeApis.map((api) => [api.id, api] as const))(
  '%s: no script of faults breaks the accounts',
  async (id, api) => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 6 }), async (steps) => {
        await using asked = await openAsked(api, { credits: 100_000 });
        for (const [nth, step] of steps.entries()) {
          await runStep(asked, id, nth, step);
          asked.waitMs(3_600_000);
        }
        expect(asked.fake.strays).toEqual([]);
      }),
      { numRuns: runsOf(50) },
    );
  },
);
