// Plays LeadMagic: one person per POST; costs are in the body, and misses are free.
import { type Call, type FakeApi, json, type Reply } from './fake-api.ts';
import { readAsked } from './people.ts';

const finder = {
  firstName: 'first_name',
  lastName: 'last_name',
  fullName: 'full_name',
  companyName: 'company_name',
  domain: 'domain',
} as const;

const refuse = (status: number, code: string, headers?: Record<string, string>) => (): Reply =>
  json(
    status,
    { success: false, errors: [{ title: `It failed: ${code}`, status, code }] },
    headers,
  );

export const leadMagic: FakeApi = {
  id: 'leadmagic',
  readKey: ({ headers }: Call) => headers['x-api-key'],
  refusals: {
    bad_key: refuse(401, 'unauthorized'),
    slow_down: refuse(429, 'rate_limit_exceeded', { 'retry-after': '7' }),
    quota: refuse(402, 'insufficient_credits'),
    bad_input: refuse(400, 'validation_error'),
  },
  routes: {
    'POST /v1/people/email-finder': {
      kind: 'ask',
      answer(call, account) {
        const asked = readAsked(call.body, finder);
        const person = account.find(asked);
        const entry = account.accept(call, [asked]);
        if (!person || person === 'legal')
          return json(200, {
            email: null,
            status: 'not_found',
            credits_consumed: 0,
            message: 'Email not found.',
          });
        return json(200, {
          email: person.email,
          status: person.isCatchAll ? 'catch_all' : 'valid',
          credits_consumed: account.charge(entry, asked, 1),
          message: 'Email found.',
          is_domain_catch_all: person.isCatchAll,
          company_name: person.company,
          company_size: '51-200',
        });
      },
    },
    'POST /v1/people/mobile-finder': {
      kind: 'ask',
      answer(call, account) {
        const asked = readAsked(call.body, { profileUrl: 'profile_url', email: 'work_email' });
        const person = account.find(asked);
        const entry = account.accept(call, [asked]);
        if (!person || person === 'legal')
          return json(200, { mobile_number: null, credits_consumed: 0, message: 'Not found.' });
        const credits_consumed = account.charge(entry, asked, 5);
        return json(200, { mobile_number: person.phone, credits_consumed, message: 'Found.' });
      },
    },
    'POST /v1/people/email-validation': {
      kind: 'ask',
      answer(call, account) {
        const asked = readAsked(call.body, { email: 'email' });
        const person = account.find(asked);
        const entry = account.accept(call, [asked]);
        const known = person && person !== 'legal';
        return json(200, {
          email: asked.email,
          email_status: known ? (person.isCatchAll ? 'catch_all' : 'valid') : 'unknown',
          credits_consumed: account.charge(entry, asked, 0.25),
        });
      },
    },
    'GET /v1/credits': {
      kind: 'free',
      answer: (_call, account) => json(200, { credits: account.balance() }),
    },
  },
};
