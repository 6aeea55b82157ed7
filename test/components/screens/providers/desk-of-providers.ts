// Responses with data services that are added, changed and removed, as the engine keeps them.
import { timestampExample } from '../../../../engine/contract/examples.ts';
import type {
  ProviderLog,
  UserProvider,
  UserProviders,
} from '../../../../engine/contract/providers.ts';
import { type Answers, refuse } from '../../fake-api.ts';

/** The day (UTC) that many days before today, as in 2026-11-20. */
export const dayAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** A shipped data service without a key. */
export const makeProvider = (id: string, parts: Partial<UserProvider> = {}): UserProvider => ({
  id,
  title: id.charAt(0).toUpperCase() + id.slice(1),
  origin: 'shipped',
  docs: `https://${id}.example/docs`,
  hosts: [`api.${id}.example`],
  sends: ['first_name', 'last_name', 'company_domain'],
  fields: [{ field: 'work_email', cost_max: 1, asked: 0, hits: 0, hit_rate: null }],
  row_cost_max: 0,
  keep_days: null,
  has_key: false,
  key_place: null,
  is_on: false,
  caps: { job: null, day: null, month: null },
  price: null,
  repeats_uncertain: false,
  breaker: { state: 'closed', until: null },
  balance: null,
  spend: { today: 0, month: 0, days: [], uncertain_requests: 0 },
  answers: 0,
  notes: [],
  ...parts,
});

export const makeUsedProvider = (id: string, parts: Partial<UserProvider> = {}): UserProvider =>
  makeProvider(id, {
    has_key: true,
    key_place: 'keychain',
    is_on: true,
    fields: [{ field: 'work_email', cost_max: 1, asked: 200, hits: 94, hit_rate: 0.47 }],
    caps: { job: 500, day: 1_000, month: null },
    price: { per_credit: 0.05, currency: 'EUR' },
    balance: { credits: 12_400.5, read_at: timestampExample },
    spend: {
      today: 94,
      month: 1_240,
      uncertain_requests: 0,
      days: [
        { day: dayAgo(3), credits: 1_146, requests: 30 },
        { day: dayAgo(0), credits: 94, requests: 2 },
      ],
    },
    answers: 94,
    ...parts,
  });

export const makeRequest = (
  id: number,
  parts: Partial<ProviderLog['requests'][number]> = {},
): ProviderLog['requests'][number] => ({
  id,
  at: timestampExample,
  provider: 'finder',
  job_id: null,
  rows: 1_000,
  fields: ['work_email'],
  state: 'answered',
  cost_max: 1_000,
  cost: 470,
  is_cost_reported: true,
  uncertain: null,
  detail: null,
  ...parts,
});

/** Responses that change `desk`, as the engine changes its own settings. */
export function keepProviders(desk: UserProviders): Answers {
  const change = (id: string | undefined, parts: Partial<UserProvider>) => {
    const provider = desk.providers.find((one) => one.id === id);
    if (!provider) return refuse('not_found');
    Object.assign(provider, parts);
    return desk;
  };
  return {
    'GET /app/v1/providers': () => desk,
    'PUT /app/v1/providers/:id/key': ({ params }) =>
      change(params.id, { has_key: true, key_place: 'keychain' }),
    'PATCH /app/v1/providers/:id': ({ params, sent }) => {
      const provider = desk.providers.find(({ id }) => id === params.id);
      if (provider) Object.assign(provider, sent, { caps: { ...provider.caps, ...sent.caps } });
      return change(params.id, {});
    },
    'DELETE /app/v1/providers/:id': ({ params }) =>
      change(params.id, { has_key: false, key_place: null, is_on: false }),
    'POST /app/v1/providers/:id/forget': ({ params }) => {
      const deleted = desk.providers.find(({ id }) => id === params.id)?.answers ?? 0;
      change(params.id, { answers: 0 });
      return { deleted };
    },
    'POST /app/v1/providers/:id/test': ({ params }) => {
      change(params.id, { balance: { credits: 12_306, read_at: new Date().toISOString() } });
      return { checks: [] };
    },
    'PUT /app/v1/provider-order': ({ sent: { field, steps } }) => {
      const order = desk.waterfall.find((one) => one.field === field);
      const ruleOf = (id: string) => order?.steps.find(({ provider }) => provider === id)?.rule;
      if (order)
        order.steps = steps.map(({ provider, rule }) => ({
          provider,
          rule: rule ?? ruleOf(provider) ?? {},
        }));
      return desk;
    },
  };
}
