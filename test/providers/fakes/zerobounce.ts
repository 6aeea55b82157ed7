// Plays ZeroBounce: the key is in the query string, and a refused key is an answer with status 200.
import { type Call, type FakeApi, json } from './fake-api.ts';
import { readAsked } from './people.ts';

// One sentence for both causes.
const refused = () => json(200, { error: 'Invalid API key or your account ran out of credits' });

/** Addresses that the service answers free of charge. */
const testAddresses: Readonly<Record<string, string>> = {
  'valid@example.com': 'valid',
  'invalid@example.com': 'invalid',
  'catch_all@example.com': 'catch-all',
  'unknown@example.com': 'unknown',
};

export const zerobounce: FakeApi = {
  id: 'zerobounce',
  readKey: ({ query }: Call) => query.api_key,
  refusals: {
    bad_key: refused,
    slow_down: () => json(429, { error: 'Rate limit exceeded. Blocked for 1 minute.' }),
    quota: refused,
    bad_input: () => json(400, { error: 'Missing parameter: email' }),
  },
  routes: {
    'GET /v2/validate': {
      kind: 'ask',
      answer(call, account) {
        const asked = readAsked(call.query, { email: 'email' });
        const tested = testAddresses[asked.email];
        const person = account.find(asked);
        if (!tested) account.charge(account.accept(call, [asked]), asked, 1);
        const known = person && person !== 'legal';
        const status = tested ?? (known ? (person.isCatchAll ? 'catch-all' : 'valid') : 'unknown');
        return json(200, {
          address: asked.email,
          status,
          sub_status: '',
          free_email: false,
          did_you_mean: null,
          mx_found: 'true',
          processed_at: '2026-05-04 10:00:00.000',
        });
      },
    },
    'GET /v2/getcredits': {
      kind: 'free',
      // The balance of a refused key is -1.
      refuseKey: () => json(200, { Credits: '-1' }),
      answer: (_call, account) => json(200, { Credits: String(account.balance()) }),
    },
  },
};
