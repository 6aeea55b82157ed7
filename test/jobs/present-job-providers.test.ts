// What a job found and cost at each provider by field, and jobs that ask no provider.
import { expect, test } from 'vitest';
import { type ProviderTerms, providerFieldNames } from '../../engine/contract/provider.ts';
import { presentJobProviders } from '../../engine/jobs/jobs.routes.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { retryJob } from '../../engine/jobs/submit-job.ts';
import { writePrice } from '../../engine/providers/installed/provider-money.table.ts';
import { listWanted } from '../../engine/providers/waterfall/layer-fields.ts';
import { writeSteps } from '../../engine/providers/waterfall/provider-setting.table.ts';
import { freeTerms } from '../providers/free-terms.ts';
import {
  fails,
  found,
  nothing,
  openTestWaterfalls,
  playProvider,
  type Say,
} from '../providers/play-provider.ts';
import { now, openJobFixture } from './job-fixture.ts';

const row = (name: string) => [name, 'Stranger', 'Elsewhere Ltd'];
const bySound: Say = ({ first_name = '' }) =>
  first_name === 'Both'
    ? found({ email: 'both@new.example', mobile_phone: '+41 1' })
    : first_name === 'Mail'
      ? found({ email: 'mail@new.example' })
      : nothing;

/** Terms with these prices of fields. */
function priced(prices: Record<string, number>, change: Partial<ProviderTerms> = {}) {
  const fields = Object.fromEntries(
    providerFieldNames.map((field) => [
      field,
      { needs: [['first_name' as const]], costMaxCredits: prices[field] ?? 0 },
    ]),
  );
  return { ...freeTerms, id: 'finder', title: 'Finder', fields, ...change };
}

/** Runs a job of these people over one provider, whose requests cost `reported` credits. */
async function runOver(
  terms: Partial<ProviderTerms>,
  people: readonly string[],
  reported: number | null = null,
) {
  const fixture = await openJobFixture();
  const { provider: silent } = playProvider(bySound, terms);
  const provider = {
    ...silent,
    async answer(...given: Parameters<typeof silent.answer>) {
      const answer = await silent.answer(...given);
      return answer.kind === 'answered' ? { ...answer, costCredits: reported } : answer;
    },
  };
  const waterfalls = openTestWaterfalls(fixture.database, [provider]);
  const uuid = fixture.submit(people.map(row), ['L1', 'MPA']);
  const { id, codes } = fixture.read(uuid);
  const waterfall = waterfalls.open({ jobId: id, wanted: listWanted(codes) }) ?? undefined;
  await runJob({ ...fixture.deps, waterfall }, id);
  return { fixture, id };
}

test('derived costs are those of what was found, by field', async () => {
  const terms = priced({ work_email: 1, phone: 10 });
  const { fixture, id } = await runOver(terms, ['Both', 'Mail', 'Nell']);
  writePrice(fixture.database, 'finder', { per_credit: 0.05, currency: 'EUR' });
  expect(presentJobProviders(fixture.database, id)).toEqual([
    {
      provider: 'finder',
      requests: 1,
      rows: 3,
      credits: 12,
      credits_open: 0,
      rows_open: 0,
      uncertain_requests: 0,
      is_estimated: true,
      note: null,
      price: { per_credit: 0.05, currency: 'EUR' },
      fields: [
        {
          field: 'work_email',
          asked: 3,
          hits: 2,
          hit_rate: 2 / 3,
          credits: 2,
          cost_per_hit: 1,
        },
        {
          field: 'employment',
          asked: 3,
          hits: 0,
          hit_rate: 0,
          credits: 0,
          cost_per_hit: null,
        },
        {
          field: 'phone',
          asked: 3,
          hits: 1,
          hit_rate: 1 / 3,
          credits: 10,
          cost_per_hit: 10,
        },
      ],
    },
  ]);
});

test.each([
  ['by the prices of what was found', { work_email: 1, phone: 10 }, 0, 6, [1, 0, 5]],
  ['by what was found in each row', {}, 2, 5, [3.75, 0, 1.25]],
  ['evenly, if nothing has a price', {}, 0, 1, [0.3333, 0.3334, 0.3333]],
])('a reported cost is divided %s, to the last ten-thousandth', async (...given) => {
  const [, prices, rowCost, reported, credits] = given;
  const terms = priced(prices, { rowCostMaxCredits: rowCost });
  const { fixture, id } = await runOver(terms, ['Both', 'Mail', 'Nell'], reported);
  const [spent] = presentJobProviders(fixture.database, id);
  expect(spent).toMatchObject({ credits: reported, is_estimated: false, price: null });
  expect(spent?.fields.map((one) => one.credits)).toEqual(credits);
});

test('a cost without any hit is divided among what was asked', async () => {
  const { fixture, id } = await runOver(priced({ work_email: 1 }), ['Nell'], 0.5);
  const [spent] = presentJobProviders(fixture.database, id);
  expect(spent?.fields.map(({ credits, cost_per_hit }) => [credits, cost_per_hit])).toEqual([
    ...[0.1667, 0.1667, 0.1666].map((credits) => [credits, null]),
  ]);
});

test('without data services nothing is asked, and stored answers follow the rules of their steps', async () => {
  const fixture = await openJobFixture();
  const { provider, asked } = playProvider(bySound);
  const waterfalls = openTestWaterfalls(fixture.database, [provider]);
  const scope = { jobId: null, wanted: listWanted(['L1']) };
  expect(waterfalls.open({ ...scope, asks: false })).toBeNull();
  const first = waterfalls.open(scope);
  await first?.ask([{ first_name: 'Mail' }]);
  first?.stop();
  expect(asked).toHaveLength(1);
  const askStored = async () => {
    const waterfall = waterfalls.open({ ...scope, asks: false });
    const outcome = await waterfall?.ask([{ first_name: 'Mail' }, { first_name: 'Both' }]);
    waterfall?.stop();
    return outcome?.kind === 'answered' ? outcome.answers.map(({ kind }) => kind) : outcome;
  };
  expect(await askStored()).toEqual(['found', 'nothing']);
  const rule = { confidence_min: 0.95 };
  writeSteps(fixture.database, 'work_email', [{ provider: provider.describe().id, rule }]);
  expect(await askStored()).toEqual(['nothing', 'nothing']);
  expect(asked).toHaveLength(1);
});

test('a retry of rows that failed asks no data service either', async () => {
  const fixture = await openJobFixture();
  const { provider } = playProvider(() => fails('The row is locked.'));
  const waterfalls = openTestWaterfalls(fixture.database, [provider]);
  const uuid = fixture.submit([row('Both')], ['L1'], { usesProviders: false });
  const { id, usesProviders } = fixture.read(uuid);
  expect(usesProviders).toBe(0);
  const waterfall = waterfalls.open({ jobId: id, wanted: listWanted(['L1']) }) ?? undefined;
  await runJob({ ...fixture.deps, waterfall }, id);
  const { accountId, failedRows } = fixture.read(uuid);
  expect(failedRows).toBe(1);
  const command = { accountId, keyId: null, jobId: uuid };
  const again = retryJob(fixture.database, fixture.folder, command, now());
  expect(fixture.read(again.job_id)).toMatchObject({ retryOf: uuid, usesProviders: 0 });
});
