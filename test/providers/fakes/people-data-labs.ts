// Plays People Data Labs: a status for each item of a batch, and costs in headers.
import {
  type Account,
  type Call,
  type FakeApi,
  type JsonRecord,
  json,
  type Reply,
  readRecord,
  readRecords,
} from './fake-api.ts';
import { type Asked, facts, type Person, readAsked } from './people.ts';

const params = {
  firstName: 'first_name',
  lastName: 'last_name',
  fullName: 'name',
  companyName: 'company',
  email: 'email',
  profileUrl: 'profile',
} as const;

const refuse = (status: number, type: string, message: string) => (): Reply =>
  json(status, { status, error: { type, message } });

/** A plan without licence for a value returns true in its place. */
const describe = (person: Person): object => ({
  first_name: person.firstName,
  last_name: person.lastName,
  linkedin_url: person.profileUrl,
  job_title: person.title,
  job_company_name: person.company,
  job_company_website: person.domain,
  job_start_date: '2025-03',
  work_email: person.isUnlicensed || person.email,
  mobile_phone: person.isUnlicensed || person.phone,
  job_company_location_street_address: facts.address,
  job_company_location_locality: facts.city,
  job_company_location_region: facts.state,
  job_company_location_country: facts.country,
  job_company_location_postal_code: facts.postalCode,
  job_last_verified: facts.observedOn,
});

/** `required: work_email` turns a match without a work email into a free miss. */
function answerItem(
  account: Account,
  charge: (asked: Asked) => void,
  record: JsonRecord,
): { readonly status: number; readonly [key: string]: unknown } {
  const asked = readAsked(record, params);
  const person = account.find(asked);
  if (!person || person === 'legal')
    return { status: 404, error: { type: 'not_found', message: 'No records were found' } };
  charge(asked);
  return { status: 200, likelihood: 9, data: describe(person) };
}

export const peopleDataLabs: FakeApi = {
  id: 'people-data-labs',
  readKey: ({ headers }: Call) => headers['x-api-key'],
  refusals: {
    bad_key: refuse(401, 'authentication_error', 'Request contained a missing or invalid key'),
    slow_down: refuse(429, 'rate_limit_error', 'An error occurred due to requests hitting a limit'),
    quota: refuse(402, 'payment_required', 'You have reached your account maximum'),
    bad_input: refuse(400, 'invalid_request_error', 'Request is missing parameters'),
  },
  routes: {
    'POST /v5/person/bulk': {
      kind: 'ask',
      answer(call, account) {
        const requests = readRecords(call.body.requests);
        const asked = requests.map((item) => readAsked(readRecord(item, 'params'), params));
        const isSandbox = asked.every(({ email }) => email.endsWith('@example.org'));
        const entry = isSandbox ? null : account.accept(call, asked);
        const charge = (one: Asked) => void (entry && account.charge(entry, one, 1));
        const items = requests.map((item) => ({
          ...answerItem(account, charge, readRecord(item, 'params')),
          metadata: item.metadata,
        }));
        return json(200, items, {
          'x-call-credits-spent': String(entry?.credits ?? 0),
          'x-totallimit-remaining': String(account.balance()),
          'x-ratelimit-remaining': "{'minute': 99}",
          'x-ratelimit-reset': '2026-11-23T00:00:00Z',
        });
      },
    },
    // The sandbox, which is free. The real one is on a host of its own, with people of its own.
    'GET /v5/person/enrich': {
      kind: 'free',
      answer: (call, account) =>
        json(
          200,
          answerItem(account, () => undefined, call.query),
          { 'x-call-credits-spent': '0' },
        ),
    },
  },
};
