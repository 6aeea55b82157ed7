// Plays Icypeas: rows are arrays, refused searches have status 200, and results are read by POST.
import {
  type Account,
  type Call,
  type FakeApi,
  json,
  type PendingJob,
  readText,
} from './fake-api.ts';
import { type Asked, readAsked } from './people.ts';

const refuse = (field: string, humanReadableMessage: string) => () =>
  json(200, { success: false, validationErrors: [{ field, humanReadableMessage }] });

const badData = refuse('data', 'Each row needs a first name, a last name and a domain.');

const isRow = (row: unknown): row is readonly string[] => Array.isArray(row) && row.length === 3;

const readRow = ([firstName, lastName, domain]: readonly string[]): Asked =>
  readAsked(
    { firstName, lastName, domain },
    { firstName: 'firstName', lastName: 'lastName', domain: 'domain' },
  );

function answerItem(
  account: Account,
  { asked: all, entry }: PendingJob,
  at: number,
  isReady: boolean,
): object {
  const asked = all[at];
  if (!asked) return {};
  const item = (status: string, emails: object[] = []) => ({
    status,
    userData: {},
    results: { firstname: asked.firstName, lastname: asked.lastName, emails },
  });
  if (!isReady) return item('IN_PROGRESS');
  if (at >= (entry.unpaidFrom ?? all.length)) return item('INSUFFICIENT_FUNDS');
  const person = account.find(asked);
  if (!person || person === 'legal') return item('DEBITED_NOT_FOUND');
  account.charge(entry, asked, 1);
  const certainty = person.isCatchAll ? 'probable' : 'ultra_sure';
  return item('DEBITED', [{ email: person.email, certainty }]);
}

export const icypeas: FakeApi = {
  id: 'icypeas',
  readKey: ({ headers }: Call) => headers.authorization,
  isQuotaOfPoll: true,
  refusals: {
    bad_key: () => json(401, { success: false, message: 'Invalid API key' }),
    slow_down: () => json(429, { success: false, message: 'Too many requests' }),
    bad_input: badData,
  },
  routes: {
    'POST /api/bulk-search': {
      kind: 'ask',
      answer(call, account) {
        const { data } = call.body;
        if (!Array.isArray(data) || !data.every(isRow)) return badData();
        const job = account.open(account.accept(call, data.map(readRow)), call.body);
        return json(200, { success: true, status: 'in_progress', file: job.id });
      },
    },
    'POST /api/bulk-single-searchs/read': {
      kind: 'poll',
      answer(call, account) {
        const polled = account.poll(readText(call.body, 'file'));
        if (!polled) return json(200, { success: true, items: [] });
        const { job, isReady } = polled;
        const isFirst = job.entry.credits === 0;
        const paying = isFirst ? account : { ...account, charge: () => 0 };
        const items = job.asked.map((_asked, at) => {
          if (isFirst && isReady && account.balance() <= 0) job.entry.unpaidFrom ??= at;
          return answerItem(paying, job, at, isReady);
        });
        return json(200, { success: true, items });
      },
    },
  },
};
