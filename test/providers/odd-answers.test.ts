// What a service answers in a wrong form, or at an impossible cost, and what is kept of it.
import { expect, test } from 'vitest';
import {
  type FieldAnswer,
  type ProviderAnswer,
  type ProviderRow,
  type ProviderValueName,
  providerFieldNames,
  providerFields,
} from '../../engine/contract/provider.ts';
import {
  listDaySpend,
  listRequests,
} from '../../engine/providers/installed/provider-report.table.ts';
import { shareUnits } from '../../engine/providers/spend/balances.ts';
import {
  listJobSpending,
  sumUnitsIn,
} from '../../engine/providers/waterfall/provider-request.table.ts';
import { openTemporaryStore } from '../migrations/temporary-store.ts';
import { openTestWaterfalls, playProvider } from './play-provider.ts';

const row: ProviderRow = { first_name: 'Ada', last_name: 'Byron', company_name: 'Engines' };
const hit = (values: object, costCredits?: number): FieldAnswer => ({
  kind: 'hit',
  values,
  observedOn: null,
  confidence: null,
  ...(costCredits !== undefined && { costCredits }),
});

/** Asks a service that answers one row. Returns the contact's values and the logged request. */
async function askOnce(answer: Extract<ProviderAnswer, { kind: 'answered' }>) {
  const database = openTemporaryStore();
  const fields = providerFieldNames.filter((field) => field !== 'email_status');
  const { provider } = playProvider(() => () => ({ kind: 'miss' }), {
    fields: Object.fromEntries(
      fields.map((field) => [field, { needs: [['last_name']], costMaxCredits: 0 }]),
    ),
    rowCostMaxCredits: 2,
  });
  const asked = {
    ...provider,
    answer: async (_request: unknown, { onSend }: { onSend(): void }) => {
      onSend();
      return answer;
    },
  };
  const run = openTestWaterfalls(database, [asked]).open({ jobId: null, wanted: fields });
  const outcome = await run?.ask([row]);
  run?.stop();
  const kind = outcome?.kind === 'answered' ? outcome.answers[0]?.kind : outcome?.kind;
  const [request] = listRequests(database, { limit: 1, before: undefined, isUncertain: false });
  const stored = database.prepare(
    "SELECT answer ->> 'values' FROM provider_answer WHERE answer IS NOT NULL",
  );
  const values = Object.assign(
    {},
    ...stored
      .pluck()
      .all()
      .map((text) => JSON.parse(`${text}`)),
  );
  return { kind, values, request, database };
}

const fieldOf = (name: ProviderValueName) =>
  providerFieldNames.find((field) => (providerFields[field] as readonly string[]).includes(name)) ??
  'employment';

async function askValue(name: ProviderValueName, value: string) {
  const found = await askOnce({
    kind: 'answered',
    costCredits: null,
    rows: [{ [fieldOf(name)]: hit({ [name]: value }) }],
  });
  return { ...found, detail: found.request?.detail ?? null };
}

test.each<[ProviderValueName, string, string]>([
  ['email', '<script>alert(1)</script>', 'is not an email address'],
  ['email', 'ada@engines', 'is not an email address'],
  ['email', 'a@x.example, b@x.example', 'is not an email address'],
  ['email', `${'a'.repeat(65)}@engines.example`, 'is not an email address'],
  ['email', `ada@${'e'.repeat(64)}.example`, 'is not an email address'],
  ['new_email', 'mail me', 'is not an email address'],
  ['profile_url', 'javascript:alert(1)', 'is not a web address (http or https)'],
  ['profile_url', 'javascript://x.example/%0aalert(1)', 'is not a web address (http or https)'],
  ['profile_url', 'javascript:alert@x.example', 'is not a web address (http or https)'],
  ['profile_url', 'data:text/html,x', 'is not a web address (http or https)'],
  ['company_website', 'ftp://engines.example', 'is not a website or a domain'],
  ['new_company_website', 'vbscript:x', 'is not a website or a domain'],
  ['company_domain', 'engines', 'is not a website or a domain'],
  ['mobile_phone', 'call me', 'is not a phone number'],
  ['direct_phone', '12', 'is not a phone number'],
  ['company_phone', '=1+1', 'is not a phone number'],
  ['start_date', 'soon', 'is not a date'],
  ['new_start_date', '2026-02-31', 'is not a date'],
  ['employment_status', 'Dead', 'is not one of Current, Changed, Left'],
])('%s %j is not kept, and the log says so', async (name, value, fault) => {
  const { kind, values, detail } = await askValue(name, value);
  expect([kind, values]).toEqual(['nothing', {}]);
  expect(detail).toBe(`Values were left out: ${name} ${fault}.`);
});

test.each<[ProviderValueName, string, string]>([
  ['email', 'mailto:Ada@ENGINES.example', 'Ada@engines.example'],
  ['profile_url', 'linkedin.com/in/ada', 'https://linkedin.com/in/ada'],
  ['company_domain', 'engines.example', 'engines.example'],
  ['company_website', 'https://engines.example/about', 'https://engines.example/about'],
  ['mobile_phone', '044 668 18 00', '044 668 18 00'],
  ['direct_phone', '+1 (603) 271‑3661 x12', '+1 (603) 271‑3661 x12'],
  ['start_date', '2020-05', '2020-05'],
  ['title', ' Countess\r\nof Lovelace ', 'Countess of Lovelace'],
  ['title', 'Count\u0007ess\u0000', 'Countess'],
  ['title', 'Countess \ud800', 'Countess'],
  ['email', 'ada\u0000@engines.example', 'ada@engines.example'],
])('%s %j is kept as %j', async (name, value, kept) => {
  const { values, detail } = await askValue(name, value);
  expect([values, detail]).toEqual([{ [name]: kept }, null]);
});

test('a value has at most 10,000 characters', async () => {
  const long = 'x'.repeat(10_000);
  expect((await askValue('title', long)).values).toEqual({ title: long });
  for (const name of ['title', 'email', 'profile_url'] as const)
    expect(await askValue(name, `${long}x`)).toMatchObject({
      kind: 'nothing',
      values: {},
      detail: `Values were left out: ${name} has more than 10,000 characters.`,
    });
});

test('a value of the wrong form leaves out no other value of the answer', async () => {
  const answer = hit({ title: 'Countess', profile_url: 'javascript:x', start_date: 'soon' });
  const { values, request } = await askOnce({
    kind: 'answered',
    rows: [{ employment: answer }],
    costCredits: 1,
  });
  expect(values).toEqual({ title: 'Countess' });
  expect(request).toMatchObject({
    costUnits: 10_000,
    isReported: true,
    detail:
      'Values were left out: profile_url is not a web address (http or https); ' +
      'start_date is not a date.',
  });
});

test.each([
  1e308,
  1e15,
  9.3e14,
  922_337_203_685_477,
  20.0001,
  -5,
  Number.NaN,
  Number.NEGATIVE_INFINITY,
])(
  'a reported cost of %d credits is estimated, the log says so, and the answer is kept',
  async (costCredits) => {
    const rows = [{ work_email: hit({ email: 'ada@engines.example' }) }];
    const { values, request } = await askOnce({ kind: 'answered', rows, costCredits });
    expect(values).toEqual({ email: 'ada@engines.example' });
    expect(request).toMatchObject({ state: 'answered', costUnits: 20_000, isReported: false });
    expect(request?.detail).toContain(`It reported a cost of ${costCredits} credits.`);
    const ofField = [{ work_email: hit({ email: 'ada@engines.example' }, costCredits) }];
    const other = await askOnce({ kind: 'answered', rows: ofField, costCredits: null });
    expect(other.request).toMatchObject({ costUnits: 20_000, isReported: false });
  },
);

test('a reported cost of ten times the maximum is what the request cost', async () => {
  const rows = [{ work_email: hit({ email: 'ada@engines.example' }) }];
  const { request } = await askOnce({ kind: 'answered', rows, costCredits: 20 });
  expect(request).toMatchObject({ costUnits: 200_000, isReported: true, detail: null });
});

test('stored costs of any size have a sum', async () => {
  const rows = [{ work_email: hit({ email: 'ada@engines.example' }) }];
  const { database } = await askOnce({ kind: 'answered', rows, costCredits: 1 });
  database.pragma('ignore_check_constraints = ON');
  database.exec(`UPDATE provider_request SET cost_units = 9223372036854775807;
    INSERT INTO provider_request (uuid, provider, state, row_count, fields, cost_max_units,
      cost_units, cost_is_reported, created_at, sent_at, ended_at)
    SELECT 'again', provider, state, row_count, fields, cost_max_units, cost_units,
      cost_is_reported, created_at, sent_at, ended_at FROM provider_request`);
  const [request] = listRequests(database, { limit: 1, before: undefined, isUncertain: false });
  const { provider = '' } = request ?? {};
  expect(sumUnitsIn(database, provider, '2026')).toBeCloseTo(2 ** 64, -5);
  expect(listDaySpend(database, provider, '2026')[0]?.units).toBeCloseTo(2 ** 64, -5);
  expect(listJobSpending(database, 1)).toEqual([]);
});

test('balances that are no numbers measure no cost', () => {
  const requests = [{ costUnits: 1, costMaxUnits: 2 }];
  expect(shareUnits(Number.NaN, requests)).toBeNull();
  expect(shareUnits(Number.POSITIVE_INFINITY, requests)).toBeNull();
});
