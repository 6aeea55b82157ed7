// Plays BetterContact: 202 while a job runs; custom fields come back as names and values.
import {
  type Account,
  type Call,
  type FakeApi,
  type JsonRecord,
  json,
  type PendingJob,
  readRecord,
  readRecords,
} from './fake-api.ts';
import { type Asked, facts, type Person, readAsked } from './people.ts';

const data = {
  firstName: 'first_name',
  lastName: 'last_name',
  companyName: 'company',
  domain: 'company_domain',
  profileUrl: 'linkedin_url',
} as const;

const echo = (item: JsonRecord): object[] =>
  Object.entries(readRecord(item, 'custom_fields')).map(([name, value]) => ({ name, value }));

const describe = (person: Person, body: JsonRecord): object => ({
  enriched: true,
  contact_first_name: person.firstName,
  contact_last_name: person.lastName,
  contact_job_title: person.title,
  contact_linkedin_profile_url: person.profileUrl,
  company_name: person.company,
  company_domain: person.domain,
  company_address: facts.address,
  ...(body.enrich_email_address === true && {
    contact_email_address: person.email,
    contact_email_address_status: person.isCatchAll ? 'catch_all_not_safe' : 'deliverable',
  }),
  ...(body.enrich_phone_number === true && { contact_phone_number: person.phone }),
});

function answerItem(account: Account, job: PendingJob, item: JsonRecord, asked: Asked): object {
  const person = account.find(asked);
  const custom_fields = echo(item);
  if (!person || person === 'legal')
    return { enriched: false, contact_email_address_status: 'not_found', custom_fields };
  if (job.body.enrich_email_address === true) account.charge(job.entry, asked, 1);
  if (job.body.enrich_phone_number === true) account.charge(job.entry, asked, 10);
  return { ...describe(person, job.body), custom_fields };
}

export const betterContact: FakeApi = {
  id: 'bettercontact',
  readKey: ({ headers }: Call) => headers['x-api-key'],
  refusals: {
    bad_key: () => json(401, { error: 'Your are not authorized. Please check your api_key.' }),
    slow_down: () => ({ status: 429, body: 'Retry later' }),
    quota: () => json(402, { success: false, message: 'You ran out of credits' }),
    bad_input: () =>
      json(400, { success: false, error: 'Bad request. Please check documentation' }),
  },
  routes: {
    'POST /api/v2/async': {
      kind: 'ask',
      answer(call, account) {
        const asked = readRecords(call.body.data).map((item) => readAsked(item, data));
        const job = account.open(account.accept(call, asked), call.body);
        return json(201, { success: true, id: job.id, message: 'Enriching' });
      },
    },
    'GET /api/v2/async/:id': {
      kind: 'poll',
      answer(call, account) {
        const polled = account.poll(call.params.id ?? '');
        if (!polled) return json(406, { error: 'Unvalid request_id.' });
        const { job, isReady } = polled;
        const credits_left = account.balance();
        if (!isReady) return json(202, { id: job.id, status: 'processing', credits_left });
        // It waits for credits, and continues by itself.
        if (credits_left <= 0 && job.entry.credits === 0)
          return json(200, { id: job.id, status: 'on_hold', credits_left });
        const paying = job.entry.credits === 0 ? account : { ...account, charge: () => 0 };
        const results = readRecords(job.body.data).map((item, at) => {
          const asked = job.asked[at];
          return asked ? answerItem(paying, job, item, asked) : {};
        });
        return json(200, {
          id: job.id,
          status: 'terminated',
          credits_consumed: job.entry.credits,
          credits_left: account.balance(),
          summary: { total: results.length },
          data: results,
        });
      },
    },
    'GET /api/v2/account': {
      kind: 'free',
      answer: (_call, account) =>
        json(200, { success: true, credits_left: account.balance(), email: 'user@desk.example' }),
    },
  },
};
