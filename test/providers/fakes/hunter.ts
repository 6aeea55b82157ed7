// Plays Hunter: one person per GET; 403 is a rate limit and 429 an exhausted quota.
import { type Call, type FakeApi, json, type Reply } from './fake-api.ts';
import { facts, readAsked } from './people.ts';

const refuse = (status: number, id: string, details: string) => (): Reply =>
  json(status, { errors: [{ id, code: status, details }] });

const legal = refuse(451, 'claimed_email', 'The person asked us not to process their data.');

const finder = {
  firstName: 'first_name',
  lastName: 'last_name',
  fullName: 'full_name',
  companyName: 'company',
  domain: 'domain',
  profileUrl: 'linkedin_handle',
} as const;

export const hunter: FakeApi = {
  id: 'hunter',
  readKey: ({ headers }: Call) => headers['x-api-key'],
  areRepeatsFree: true,
  refusals: {
    bad_key: refuse(401, 'authentication_failed', 'No user found for the API key supplied'),
    slow_down: refuse(403, 'too_many_requests', 'You have reached the rate limit.'),
    quota: refuse(429, 'usage_exceeded', 'You have reached the quota of your plan.'),
    bad_input: refuse(400, 'wrong_params', 'You are missing the domain parameter.'),
    legal,
  },
  routes: {
    'GET /v2/email-finder': {
      kind: 'ask',
      answer(call, account) {
        if (account.isEarly(call)) return json(202, { data: {}, meta: {} });
        const asked = readAsked(call.query, finder);
        const person = account.find(asked);
        if (person === 'legal') return legal();
        const entry = account.accept(call, [asked]);
        if (person) account.charge(entry, asked, 1);
        const data = {
          first_name: asked.firstName,
          last_name: asked.lastName,
          email: person?.email ?? null,
          score: person ? 97 : null,
          domain: person?.domain ?? null,
          accept_all: person?.isCatchAll ?? null,
          position: person?.title ?? null,
          company: person?.company ?? null,
          linkedin_url: person?.profileUrl ?? null,
          sources: [],
          verification: {
            date: person ? facts.observedOn : null,
            status: person && (person.isCatchAll ? 'accept_all' : 'valid'),
          },
        };
        return json(200, { data, meta: { params: call.query } });
      },
    },
    'GET /v2/email-verifier': {
      kind: 'ask',
      answer(call, account) {
        if (account.isEarly(call)) return json(202, { data: {}, meta: {} });
        const asked = readAsked(call.query, { email: 'email' });
        const person = account.find(asked);
        if (person === 'legal') return legal();
        account.charge(account.accept(call, [asked]), asked, 0.5);
        const status = person ? (person.isCatchAll ? 'accept_all' : 'valid') : 'unknown';
        const score = person ? 100 : 50;
        return json(200, { data: { status, score, email: asked.email }, meta: { params: {} } });
      },
    },
    'GET /v2/account': {
      kind: 'free',
      answer: (_call, account) =>
        json(200, {
          data: {
            email: 'user@desk.example',
            requests: { credits: { used: 1, available: account.balance() + 1 } },
          },
        }),
    },
  },
};
