// Plays Dropcontact: "not ready", an unknown id and an outage are the same answer with status 200.
import {
  type Account,
  type Call,
  type FakeApi,
  type JsonRecord,
  json,
  type PendingJob,
  type Reply,
  readRecords,
} from './fake-api.ts';
import { type Asked, facts, readAsked } from './people.ts';

const data = {
  firstName: 'first_name',
  lastName: 'last_name',
  fullName: 'full_name',
  companyName: 'company',
  domain: 'website',
  email: 'email',
  profileUrl: 'linkedin',
} as const;

const refuse = (status: number, reason: string) => (): Reply =>
  json(status, { success: false, error: true, reason });

const notReady = 'Request not ready yet, try again in 30 seconds';

function answerItem(account: Account, job: PendingJob, item: JsonRecord, asked: Asked): object {
  const echo = item.custom_fields === undefined ? {} : { custom_fields: item.custom_fields };
  const named = { first_name: asked.firstName, last_name: asked.lastName, ...echo };
  const person = account.find(asked);
  // Absent keys, not null, for what it does not know.
  if (!person || person === 'legal') return named;
  account.charge(job.entry, asked, 1);
  const qualification = person.isCatchAll ? 'catch_all@pro' : 'nominative@pro';
  return {
    ...named,
    email: [{ email: person.email, qualification }],
    job: person.title,
    company: person.company,
    website: `www.${person.domain}`,
    phone: facts.companyPhone,
    linkedin: person.profileUrl,
    country: facts.countryCode,
    nb_employees: '50-100',
    siren: '123456789',
    siret_address: facts.address,
    siret_zip: facts.postalCode,
    siret_city: facts.city,
  };
}

export const dropcontact: FakeApi = {
  id: 'dropcontact',
  readKey: ({ headers }: Call) => headers['x-access-token'],
  refusals: {
    bad_key: refuse(401, 'Invalid API key'),
    slow_down: refuse(429, 'Too many requests'),
    quota: refuse(403, 'Not enough credits for this batch'),
    bad_input: refuse(400, 'Bad data'),
  },
  routes: {
    'POST /v1/enrich/all': {
      kind: 'ask',
      answer(call, account) {
        const items = readRecords(call.body.data);
        if (items.length > account.balance())
          return refuse(403, 'Not enough credits for this batch')();
        const asked = items.map((item) => readAsked(item, data));
        const job = account.open(account.accept(call, asked), call.body);
        const credits_left = account.balance() - items.length;
        return json(200, { request_id: job.id, credits_left, error: false, success: true });
      },
    },
    'GET /v1/enrich/all/:id': {
      kind: 'poll',
      answer(call, account) {
        const polled = account.poll(call.params.id ?? '');
        if (!polled?.isReady) return json(200, { success: false, error: false, reason: notReady });
        const { job } = polled;
        const paying = job.entry.credits === 0 ? account : { ...account, charge: () => 0 };
        const results = readRecords(job.body.data).map((item, at) => {
          const asked = job.asked[at];
          return asked ? answerItem(paying, job, item, asked) : {};
        });
        const credits_left = account.balance();
        return json(200, { success: true, error: false, credits_left, data: results });
      },
    },
    'GET /v1/account/credits': {
      kind: 'free',
      answer: (_call, account) => json(200, { credits: account.balance() }),
    },
  },
};
