// Plays Apollo: batches of ten by position, holes for misses, and refusals of keys in plain text.
import { type Call, type FakeApi, json, readRecords } from './fake-api.ts';
import { facts, type Person, readAsked } from './people.ts';

const details = {
  firstName: 'first_name',
  lastName: 'last_name',
  fullName: 'name',
  companyName: 'organization_name',
  domain: 'domain',
  email: 'email',
  profileUrl: 'linkedin_url',
} as const;

const describe = (person: Person): object => ({
  id: '64a7ff0cc4dfae00013df1a5',
  first_name: person.firstName,
  last_name: person.lastName,
  linkedin_url: person.profileUrl,
  title: person.title,
  email: person.isUnlicensed ? 'email_not_unlocked@domain.com' : person.email,
  email_status: person.isCatchAll ? 'unverified' : 'verified',
  employment_history: [
    { current: false, organization_name: 'Earlier', start_date: '2019-01-01' },
    { current: true, organization_name: person.company, start_date: facts.startedOn },
  ],
  organization: {
    name: person.company,
    primary_domain: person.domain,
    estimated_num_employees: 120,
    raw_address: `${facts.address}, ${facts.city}, ${facts.country}`,
    street_address: facts.address,
    city: facts.city,
    state: facts.state,
    country: facts.country,
    postal_code: facts.postalCode,
    phone: facts.companyPhone,
  },
});

// A window without a limit has an empty header.
const limits = { 'x-rate-limit-minute': '1000', 'x-minute-requests-left': '990' };
const unlimited = { 'x-rate-limit-24-hour': '', 'x-24-hour-requests-left': '' };

export const apollo: FakeApi = {
  id: 'apollo',
  readKey: ({ headers }: Call) => headers['x-api-key'],
  refusals: {
    bad_key: () => ({ status: 401, body: 'Invalid access credentials.' }),
    slow_down: () =>
      json(
        429,
        { message: 'The maximum number of api calls allowed was reached.' },
        {
          'retry-after': '7',
        },
      ),
    quota: () => json(422, { error: 'You have insufficient credits for this request.' }),
    bad_input: () => json(422, { error: 'Invalid parameters' }),
  },
  routes: {
    'POST /api/v1/people/bulk_match': {
      kind: 'ask',
      answer(call, account) {
        const asked = readRecords(call.body.details).map((item) => readAsked(item, details));
        const entry = account.accept(call, asked);
        const matches = asked.map((one) => {
          const person = account.find(one);
          if (!person || person === 'legal') return null;
          account.charge(entry, one, 1);
          return describe(person);
        });
        const missing = matches.filter((match) => match === null).length;
        const body = {
          status: 'success',
          error_code: null,
          total_requested_enrichments: asked.length,
          unique_enriched_records: asked.length - missing,
          missing_records: missing,
          credits_consumed: entry.credits,
          matches,
        };
        return json(200, body, { ...limits, ...unlimited });
      },
    },
    'GET /api/v1/auth/health': {
      kind: 'free',
      answer: () => json(200, { healthy: true, is_logged_in: true }),
    },
  },
};
