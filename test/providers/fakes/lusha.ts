// Plays Lusha: every request costs at least one credit, and each item has its own refusal.
import {
  type Account,
  type Call,
  type FakeApi,
  type JsonRecord,
  json,
  type LedgerEntry,
  type Reply,
  readRecords,
} from './fake-api.ts';
import { type Asked, facts, readAsked } from './people.ts';

const contacts = {
  firstName: 'firstName',
  lastName: 'lastName',
  companyName: 'companyName',
  domain: 'companyDomain',
  email: 'email',
  profileUrl: 'linkedinUrl',
} as const;

const refuse = (statusCode: number, message: string) => (): Reply =>
  json(statusCode, { statusCode, message });

const limits = {
  'x-rate-limit-minute': '300',
  'x-minute-requests-left': '299',
  'x-rate-limit-hourly': '5000',
  'x-hourly-requests-left': '4999',
  'x-rate-limit-daily': '50000',
  'x-daily-requests-left': '49999',
};

function answerItem(
  account: Account,
  entry: LedgerEntry,
  item: JsonRecord,
  asked: Asked,
  reveal: readonly unknown[],
): object {
  const { clientReferenceId } = item;
  const person = account.find(asked);
  if (person === 'legal')
    return { clientReferenceId, error: { code: 'COMPLIANCE_RESTRICTED', message: 'Restricted' } };
  if (!person)
    return { clientReferenceId, error: { code: 'NOT_FOUND', message: 'Contact not found' } };
  const updateDate = facts.observedOn;
  const email = { email: person.email, type: 'work', confidence: 'A+', updateDate };
  const phone = { number: person.phone, type: 'mobile', doNotCall: false, updateDate };
  if (reveal.includes('emails')) account.charge(entry, asked, 1);
  if (reveal.includes('phones')) account.charge(entry, asked, 5);
  return {
    clientReferenceId,
    id: '4389064704',
    firstName: person.firstName,
    lastName: person.lastName,
    jobTitle: { title: person.title, departments: [], seniority: 'C-Level' },
    company: { name: person.company, domain: `www.${person.domain}` },
    emails: reveal.includes('emails') ? [email] : [],
    phones: reveal.includes('phones') ? [phone] : [],
    socialLinks: { linkedin: person.profileUrl },
    updateDate,
  };
}

export const lusha: FakeApi = {
  id: 'lusha',
  readKey: ({ headers }: Call) => headers.api_key,
  refusals: {
    bad_key: refuse(401, 'Invalid API key'),
    slow_down: () => json(429, { statusCode: 429, message: 'Too many requests.' }, limits),
    quota: refuse(402, 'Insufficient credits for this operation'),
    bad_input: refuse(400, 'Invalid request parameters'),
    legal: refuse(451, 'Unavailable for legal reasons'),
  },
  routes: {
    'POST /v3/contacts/search-and-enrich': {
      kind: 'ask',
      answer(call, account) {
        const items = readRecords(call.body.contacts);
        const reveal = Array.isArray(call.body.reveal) ? call.body.reveal : ['emails', 'phones'];
        const asked = items.map((item) => readAsked(item, contacts));
        const entry = account.accept(call, asked);
        const results = items.map((item, at) => {
          const one = asked[at];
          return one ? answerItem(account, entry, item, one, reveal) : {};
        });
        // One credit for the search itself.
        const [first] = asked;
        if (first) account.charge(entry, first, 1);
        const billing = { creditsCharged: entry.credits, resultsReturned: results.length };
        return json(200, { requestId: '211ee5da', results, billing }, limits);
      },
    },
    'GET /v3/account/usage': {
      kind: 'free',
      answer: (_call, account) =>
        json(200, { credits: { total: 1_000, used: 0, remaining: account.balance() } }, limits),
    },
  },
};
