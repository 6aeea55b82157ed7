// Plays FullEnrich: 400 means that a job still runs, and 402 comes with the result of the job.
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
import { type Asked, facts, type Person, readAsked } from './people.ts';

const data = {
  firstName: 'first_name',
  lastName: 'last_name',
  companyName: 'company_name',
  domain: 'domain',
  profileUrl: 'linkedin_url',
} as const;

const refuse = (status: number, code: string) => (): Reply =>
  json(status, { code, message: `It failed: ${code}` });

const describeProfile = (person: Person): object => ({
  employment: {
    current: {
      title: person.title,
      start_at: `${facts.startedOn}T00:00:00Z`,
      company: {
        name: person.company,
        domain: person.domain,
        headcount: 120,
        locations: {
          headquarters: {
            line1: facts.address,
            city: facts.city,
            region: facts.state,
            country: facts.country,
            country_code: facts.countryCode,
          },
        },
      },
    },
  },
});

function answerItem(account: Account, job: PendingJob, item: JsonRecord, asked: Asked): object {
  const person = account.find(asked);
  const base = { input: item, custom: item.custom, contact_info: {} };
  if (!person || person === 'legal') return base;
  const wanted = Array.isArray(item.enrich_fields) ? item.enrich_fields : [];
  const info: Record<string, unknown> = {};
  if (wanted.includes('contact.work_emails')) {
    account.charge(job.entry, asked, 1);
    const status = person.isCatchAll ? 'CATCH_ALL' : 'DELIVERABLE';
    info.most_probable_work_email = { email: person.email, status };
  }
  if (wanted.includes('contact.phones')) {
    account.charge(job.entry, { ...asked, email: 'phone' }, 10);
    info.most_probable_phone = { number: person.phone, region: facts.countryCode };
  }
  const profile = asked.profileUrl ? { profile: describeProfile(person) } : {};
  return { ...base, contact_info: info, ...profile };
}

export const fullEnrich: FakeApi = {
  id: 'fullenrich',
  readKey: ({ headers }: Call) => headers.authorization?.replace('Bearer ', ''),
  areRepeatsFree: true,
  isQuotaOfPoll: true,
  refusals: {
    bad_key: refuse(401, 'error.api.key'),
    slow_down: refuse(429, 'error.rate.limit'),
    bad_input: refuse(400, 'error.enrichment.data.empty'),
  },
  routes: {
    'POST /api/v2/contact/enrich/bulk': {
      kind: 'ask',
      answer(call, account) {
        const items = readRecords(call.body.data);
        if (items.some(({ enrich_fields: wanted }) => !Array.isArray(wanted) || !wanted.length))
          return refuse(400, 'error.enrichment.enrich_fields.empty')();
        const asked = items.map((item) => readAsked(item, data));
        const job = account.open(account.accept(call, asked), call.body);
        return json(200, { enrichment_id: job.id });
      },
    },
    'GET /api/v2/contact/enrich/bulk/:id': {
      kind: 'poll',
      answer(call, account) {
        const polled = account.poll(call.params.id ?? '');
        if (!polled) return refuse(404, 'error.enrichment.not_found')();
        const { job, isReady } = polled;
        if (!isReady) return refuse(400, 'error.enrichment.in_progress')();
        const items = readRecords(job.body.data);
        const isFirst = job.entry.credits === 0;
        const none = { contact_info: {} };
        const results = items.map((item, at) => {
          const asked = job.asked[at];
          if (isFirst && account.balance() <= 0) job.entry.unpaidFrom ??= at;
          if (!asked || at >= (job.entry.unpaidFrom ?? items.length))
            return { input: item, custom: item.custom, ...none };
          return answerItem(isFirst ? account : { ...account, charge: () => 0 }, job, item, asked);
        });
        const isUnpaid = job.entry.unpaidFrom !== null;
        const status = isUnpaid ? 'CREDITS_INSUFFICIENT' : 'FINISHED';
        const cost = { credits: job.entry.credits };
        const body = { id: job.id, name: job.body.name, status, cost, data: results };
        return json(isUnpaid ? 402 : 200, body);
      },
    },
    'GET /api/v2/account/credits': {
      kind: 'free',
      answer: (_call, account) => json(200, { balance: account.balance() }),
    },
  },
};
