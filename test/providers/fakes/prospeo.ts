// Plays Prospeo: batches by the caller's identifier; refusals have a code, not a status.
import { type Call, type FakeApi, json, type Reply, readRecords, readText } from './fake-api.ts';
import { facts, type Person, readAsked } from './people.ts';

const data = {
  firstName: 'first_name',
  lastName: 'last_name',
  fullName: 'full_name',
  companyName: 'company_name',
  domain: 'company_website',
  email: 'email',
  profileUrl: 'linkedin_url',
} as const;

const refuse = (status: number, code: string) => (): Reply =>
  json(status, { error: true, error_code: code });

const describe = (person: Person, withMobile: boolean): object => ({
  person: {
    full_name: `${person.firstName} ${person.lastName}`,
    linkedin_url: person.profileUrl,
    current_job_title: person.title,
    last_job_change_detected_at: null,
    email: {
      status: person.isCatchAll ? 'UNVERIFIED' : 'VERIFIED',
      revealed: !person.isUnlicensed,
      email: person.isUnlicensed ? 'a***@acme.example' : person.email,
    },
    mobile: withMobile
      ? { status: 'VERIFIED', revealed: !person.isUnlicensed, mobile: person.phone }
      : null,
    job_history: [
      { current: true, title: person.title, start_year: 2025, start_month: 3 },
      { current: false, title: 'Controller', start_year: 2019, start_month: 1 },
    ],
  },
  company: {
    name: person.company,
    domain: person.domain,
    employee_range: '51-100',
    location: {
      raw_address: `${facts.address}, ${facts.city}`,
      city: facts.city,
      state: facts.state,
      country: facts.country,
    },
    phone_hq: { number: facts.companyPhone, country: facts.country },
  },
});

export const prospeo: FakeApi = {
  id: 'prospeo',
  readKey: ({ headers }: Call) => headers['x-key'],
  areRepeatsFree: true,
  refusals: {
    bad_key: refuse(401, 'INVALID_API_KEY'),
    slow_down: refuse(429, 'RATE_LIMITED'),
    quota: refuse(400, 'INSUFFICIENT_CREDITS'),
    bad_input: refuse(400, 'INVALID_DATAPOINTS'),
  },
  routes: {
    'POST /bulk-enrich-person': {
      kind: 'ask',
      answer(call, account) {
        const withMobile = call.body.enrich_mobile === true;
        const items = readRecords(call.body.data);
        const asked = items.map((item) => readAsked(item, data));
        const entry = account.accept(call, asked);
        const matched: object[] = [];
        const missed: string[] = [];
        for (const [at, item] of items.entries()) {
          const one = asked[at];
          const person = one && account.find(one);
          if (!one || !person || person === 'legal') missed.push(readText(item, 'identifier'));
          else {
            account.charge(entry, one, withMobile ? 10 : 1);
            matched.push({ identifier: item.identifier, ...describe(person, withMobile) });
          }
        }
        // The code of a single request without a match.
        if (matched.length === 0 && items.length === 1) return refuse(400, 'NO_MATCH')();
        return json(200, {
          error: false,
          total_cost: entry.credits,
          matched,
          not_matched: missed,
          invalid_datapoints: [],
        });
      },
    },
    'GET /account-information': {
      kind: 'free',
      answer: (_call, account) =>
        json(200, {
          error: false,
          response: {
            plan: 'STARTER',
            credits_remaining: account.balance(),
            credits_used: 1,
          },
        }),
    },
  },
};
