// Plays the service of the example in docs/providers.md.
import { type Call, type FakeApi, json, readRecord, readRecords } from './fake-api.ts';
import { facts, readAsked } from './people.ts';

export const exampleFinder: FakeApi = {
  id: 'example-finder',
  readKey: ({ headers }: Call) => headers['x-api-key'],
  refusals: {
    bad_key: () => json(401, { message: 'Unknown key' }),
    slow_down: () => json(429, { message: 'Too many requests' }, { 'retry-after': '7' }),
    quota: () => json(402, { message: 'No credits left' }),
  },
  routes: {
    'POST /v1/people': {
      kind: 'ask',
      answer(call, account) {
        const items = readRecords(call.body.people);
        const asked = items.map((item) => {
          const parts = { ...readRecord(item, 'name'), domain: item.domain, profile: item.profile };
          const names = { firstName: 'first', lastName: 'last', domain: 'domain' };
          return readAsked(parts, { ...names, profileUrl: 'profile' });
        });
        const entry = account.accept(call, asked);
        const people = items.map(({ ref }, at) => {
          const one = asked[at];
          const person = one && account.find(one);
          if (!one || !person || person === 'legal') return { ref, found: false };
          account.charge(entry, one, 1);
          return {
            ref,
            found: true,
            email: { address: person.email, verdict: person.isCatchAll ? 'risky' : 'ok' },
            job: { title: person.title, company: person.company },
            score: 90,
            checked_on: facts.observedOn,
          };
        });
        return json(200, { people, credits_used: entry.credits });
      },
    },
    'GET /v1/credits': {
      kind: 'free',
      answer: (_call, account) => json(200, { left: account.balance() }),
    },
  },
};
