// Plays Enrow: it takes the credits of a batch at once, and returns those of the misses at its end.
import { type Call, type FakeApi, json, readRecords } from './fake-api.ts';
import { readAsked } from './people.ts';

const searches = {
  fullName: 'fullname',
  companyName: 'company_name',
  domain: 'company_domain',
} as const;

export const enrow: FakeApi = {
  id: 'enrow',
  readKey: ({ headers }: Call) => headers['x-api-key'],
  refusals: {
    bad_key: () => json(401, { message: 'This apikey is not valid' }),
    slow_down: () => json(429, { message: 'Rate limit exceeded' }),
    quota: () => json(422, { message: 'Insufficient balance' }),
    bad_input: () => json(400, { message: 'Missing mandatory property on search n°1 of 1' }),
  },
  routes: {
    'POST /email/find/bulk': {
      kind: 'ask',
      answer(call, account) {
        const asked = readRecords(call.body.searches).map((item) => readAsked(item, searches));
        const entry = account.accept(call, asked);
        for (const one of asked) account.charge(entry, one, 1);
        const { id } = account.open(entry, call.body);
        const credits_used = entry.credits;
        return json(201, { message: 'Bulk search operating', id, credits_used });
      },
    },
    'GET /email/find/bulk': {
      kind: 'poll',
      answer(call, account) {
        const polled = account.poll(call.query.id ?? '');
        if (!polled) return json(404, { message: 'Bulk search not found' });
        const { job, isReady } = polled;
        if (!isReady) return json(202, { general: { id: job.id, status: 'ongoing' } });
        const items = readRecords(job.body.searches);
        const results = items.map((item, index) => {
          const asked = job.asked[index];
          const person = asked && account.find(asked);
          const base = { index: String(index), custom: item.custom };
          if (!person || person === 'legal') return { ...base, qualification: 'invalid' };
          const info = { fullname: item.fullname, domain: person.domain };
          return { ...base, qualification: 'valid', email: person.email, info };
        });
        const final = results.filter(({ qualification }) => qualification === 'valid').length;
        job.entry.credits = final;
        const initial = items.length;
        const credits_cost = { initial, refunded: initial - final, final };
        const general = { id: job.id, status: 'completed' };
        return json(200, { general, stats: { requested: initial, credits_cost }, results });
      },
    },
    'GET /account/info': {
      kind: 'free',
      answer: (_call, account) => json(200, { credits: account.balance(), webhooks: [] }),
    },
  },
};
