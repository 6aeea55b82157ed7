// Plays Findymail: one person per POST; the answer does not say what it cost.
import { type Call, type FakeApi, json } from './fake-api.ts';
import { readAsked } from './people.ts';

export const findymail: FakeApi = {
  id: 'findymail',
  readKey: ({ headers }: Call) => headers.authorization?.replace('Bearer ', ''),
  refusals: {
    bad_key: () => json(401, { message: 'Unauthenticated.' }),
    slow_down: () => json(429, { message: 'Too Many Attempts.' }, { 'retry-after': '7' }),
    quota: () => json(402, { error: 'Not enough credits' }),
    bad_input: () => json(422, { message: 'The name field is required.' }),
  },
  routes: {
    'POST /api/search/name': {
      kind: 'ask',
      answer(call, account) {
        const asked = readAsked(call.body, { fullName: 'name', domain: 'domain' });
        const person = account.find(asked);
        const entry = account.accept(call, [asked]);
        if (!person || person === 'legal') return json(200, { contact: null });
        account.charge(entry, asked, 1);
        const { email, domain } = person;
        return json(200, { contact: { name: asked.fullName, email, domain } });
      },
    },
    'POST /api/search/phone': {
      kind: 'ask',
      answer(call, account) {
        const asked = readAsked(call.body, { profileUrl: 'linkedin_url' });
        const person = account.find(asked);
        const entry = account.accept(call, [asked]);
        if (!person || person === 'legal') return json(200, { phone: null });
        account.charge(entry, asked, 10);
        return json(200, { phone: person.phone, line_type: 'mobile' });
      },
    },
    'GET /api/credits': {
      kind: 'free',
      answer: (_call, account) => json(200, { credits: account.balance(), verifier_credits: 100 }),
    },
  },
};
