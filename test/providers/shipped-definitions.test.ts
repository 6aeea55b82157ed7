// Every shipped definition reads every outcome of the contract that its service documents, buys
// nothing that is not wanted, and reports what it cost (docs/providers.md).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type ProviderFailure,
  type ProviderField,
  type ProviderRow,
  providerFailures,
  type RequestedRow,
  type RowAnswer,
} from '../../engine/contract/provider.ts';
import { checkDefinition } from '../../engine/providers/definitions/check-definition.ts';
import { failureOf, openAsked, readShipped, want } from './fakes/ask-fake.ts';
import { exampleFinder } from './fakes/example-finder.ts';
import type { FakeApi } from './fakes/fake-api.ts';
import { fakeApis } from './fakes/fake-apis.ts';
import type { Fault } from './fakes/open-fake.ts';
import { ada, hits, otherHits } from './shipped-hits.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/providers.md'), 'utf8');
const services = fakeApis.map((service) => [service.id, service] as const);
const signal = new AbortController().signal;
const serviceOf = (id: string) => fakeApis.find((one) => one.id === id) as FakeApi;

const fieldsOf = (id: string) => Object.keys(hits[id]?.fields ?? {}) as ProviderField[];
const withEmail = { ...ada, email: 'ada.byron@acme.example' };
/** The row of Ada, with her address for services that verify addresses. */
const rowFor = (field: ProviderField): ProviderRow => (field === 'email_status' ? withEmail : ada);
const adaAt = (id: string): RequestedRow => {
  const fields = fieldsOf(id);
  return want(rowFor(fields[0] ?? 'work_email'), ...fields);
};
/** A person; the last name says what the fake knows about them. */
const personNamed = (id: string, word: string): RequestedRow => {
  const { row, fields } = adaAt(id);
  const email = row.email && { email: `ada.${word}@acme.example` };
  const profile_url = `https://www.linkedin.com/in/ada-${word}`;
  return want({ ...row, last_name: word, profile_url, ...email }, ...fields);
};

test('every shipped definition is valid, has a fake, and has a section in the documentation', () => {
  const shipped = readdirSync(join(root, 'resources/providers')).map((file) => file.slice(0, -5));
  expect(shipped.toSorted()).toEqual(services.map(([id]) => id).toSorted());
  for (const id of shipped) {
    const { definition, faults } = checkDefinition(readShipped(id), id, true);
    expect(faults).toEqual([]);
    expect(page).toContain(`\n### ${definition?.title}\n`);
    expect(page).toContain(`| \`${id}\` |`);
  }
  expect(page.match(/\*\*Not verified:\*\*/g)).toHaveLength(shipped.length);
});

test('the example of the documentation is a definition that works', async () => {
  const text = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  await using asked = await openAsked(exampleFinder, { text });
  const miss = want({ ...ada, last_name: 'Miss' }, 'work_email');
  const answer = await asked.ask([want(ada, 'work_email', 'employment'), miss]);
  const found = { observedOn: '2026-05-04', confidence: 0.9 };
  expect(answer).toEqual({
    kind: 'answered',
    costCredits: 1,
    rows: [
      {
        work_email: {
          kind: 'hit',
          values: { email: 'ada.byron@acme.example' },
          status: 'valid',
          ...found,
        },
        employment: {
          kind: 'hit',
          values: { title: 'Chief Financial Officer', company_name: 'Acme' },
          ...found,
        },
      },
      {},
    ],
  });
  expect(await asked.provider.readBalance?.(signal)).toBe(999);
});

test('the example of a service that answers later is part of a valid definition', () => {
  const [first = '', later = ''] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
    ([, text]) => text,
  );
  const definition = JSON.parse(first);
  Object.assign(definition.ops[0], JSON.parse(`{${later}}`));
  expect(checkDefinition(JSON.stringify(definition), null).faults).toEqual([]);
});

test.each(services)('%s: a hit has its values, and its cost', async (id, service) => {
  const expected = hits[id];
  await using asked = await openAsked(service);
  const answer = await asked.ask([adaAt(id)]);
  expect(answer.rows).toEqual([expected?.fields]);
  expect(asked.fake.spent()).toBe(expected?.credits);
  expect(answer.costCredits).toBe(expected?.isReported ? expected.credits : null);
});

test.each(otherHits)('%s: %s has its own operation', async (id, field, hit, credits) => {
  await using asked = await openAsked(serviceOf(id));
  expect((await asked.ask([want(rowFor(field), field)])).rows).toEqual([{ [field]: hit }]);
  expect(asked.fake.spent()).toBe(credits);
});

const kindsOf = (row: RowAnswer = {}) =>
  Object.values(row).map((field) => (field.kind === 'hit' ? field.status : field.kind));

test.each(services)("%s: a miss in the service's own form is a miss", async (id, service) => {
  await using asked = await openAsked(service);
  const { rows } = await asked.ask([personNamed(id, 'miss')]);
  // A verifier answers every address.
  const other = fieldsOf(id).includes('email_status') ? 'unknown' : 'miss';
  expect(kindsOf(rows[0]).filter((kind) => kind !== other)).toEqual([]);
  expect(asked.fake.spent()).toBe({ lusha: 1, zerobounce: 1 }[id] ?? 0);
});

const isBatch = ([id]: readonly [string, FakeApi]) =>
  (checkDefinition(readShipped(id), id).definition?.ops[0]?.batch.max ?? 1) > 1;

test.each(services.filter(isBatch))('%s: each row of a batch has its own answer', async (id) => {
  await using asked = await openAsked(serviceOf(id));
  const people = ['Zero', 'Miss', 'Two', 'Three', 'Miss-too'];
  const { rows } = await asked.ask(people.map((name) => personNamed(id, name)));
  const emails = rows.map(({ work_email: found }) => found?.kind === 'hit' && found.values.email);
  const [zero, two, three] = ['zero', 'two', 'three'].map((name) => `ada.${name}@acme.example`);
  expect(emails).toEqual([zero, false, two, three, false]);
  expect(asked.sent()).toBe(1);
  expect(asked.fake.ledger).toHaveLength(1);
});

/** The service that cannot tell a refused key from an exhausted account. */
const failuresOf = (id: string): Readonly<Record<string, ProviderFailure>> => ({
  slow_down: 'slow_down',
  quota: 'quota',
  bad_key: id === 'zerobounce' ? 'quota' : 'bad_key',
  bad_input: 'bad_input',
  legal: 'legal_refusal',
  text_error: 'uncertain',
  truncated: 'uncertain',
  reset: 'uncertain',
});
const faults = Object.keys(failuresOf('')) as Fault[];
const faultsOfServices = fakeApis.flatMap((service) =>
  faults.map((fault) => [service.id, fault, service] as const),
);

test.each(faultsOfServices)('%s: %s has its own failure', async (id, fault, service) => {
  await using asked = await openAsked(service);
  asked.fake.fail(fault);
  const { failure } = await failureOf(asked.ask([adaAt(id)]));
  expect(failure).toBe(failuresOf(id)[fault]);
  // Nothing is sent a second time, and only a broken answer can have been charged.
  expect(asked.sent()).toBe(1);
  const isAccepted = fault === 'truncated' || fault === 'reset' || asked.fake.ledger.length > 0;
  expect(asked.fake.ledger).toHaveLength(isAccepted ? 1 : 0);
  if (!['truncated', 'reset'].includes(fault)) expect(asked.fake.spent()).toBe(0);
});

test.each([
  ['apollo', 7_000],
  ['leadmagic', 7_000],
  ['findymail', 7_000],
  ['hunter', 60_000],
  ['prospeo', 60_000],
])('%s: says after how many milliseconds it may be asked again', async (id, ms) => {
  await using asked = await openAsked(serviceOf(id));
  asked.fake.fail('slow_down');
  expect(await failureOf(asked.submit([adaAt(id)]))).toMatchObject({ retryAfterMs: ms });
});

test.each(services)('%s: a key that the service does not know is refused', async (id, service) => {
  await using asked = await openAsked(service, { key: 'another-key' });
  const error = await failureOf(asked.ask([adaAt(id)]));
  expect(error.failure).toBe(failuresOf(id).bad_key);
  expect(error.message).not.toContain('another-key');
  expect(asked.fake.ledger).toEqual([]);
  await expect(failureOf(asked.provider.checkHealth(signal))).resolves.toMatchObject({
    failure: 'bad_key',
  });
});

const isAsync = ([, service]: readonly [string, FakeApi]) =>
  Object.values(service.routes).some(({ kind }) => kind === 'poll');
const asyncServices = services.filter(isAsync);

test.each(asyncServices)(
  '%s: is polled until it is ready, and charged once',
  async (id, service) => {
    await using asked = await openAsked(service);
    asked.fake.pendingPolls = 3;
    const { rows } = await asked.ask([adaAt(id)]);
    expect(rows).toEqual([hits[id]?.fields]);
    expect(asked.fake.arrivals).toHaveLength(5);
    expect(asked.fake.ledger).toHaveLength(1);
    expect(asked.fake.spent()).toBe(hits[id]?.credits);
  },
);

const pollFaults = ['slow_down', 'text_error', 'truncated', 'reset'] as const;
test.each(asyncServices.flatMap(([id]) => pollFaults.map((fault) => [id, fault] as const)))(
  '%s: a poll that fails by %s can be repeated',
  async (id, fault) => {
    await using asked = await openAsked(serviceOf(id));
    const request = { id: 'request', rows: [adaAt(id)] };
    const answer = await asked.provider.answer(request, { signal, onSend: () => undefined });
    if (answer.kind !== 'pending' || !asked.provider.poll) throw new Error('It is not pending.');
    asked.fake.failPolls(fault);
    const { failure } = await failureOf(asked.provider.poll(answer.ticket, request, signal));
    expect(providerFailures[failure].isRepeatable).toBe(true);
    asked.waitMs(120_000);
    const later = await asked.provider.poll(answer.ticket, request, signal);
    expect(later).toMatchObject({ kind: 'answered', rows: [hits[id]?.fields] });
    expect(asked.fake.spent()).toBe(hits[id]?.credits);
  },
);

test.each(services.filter(([id]) => id !== 'icypeas' && id !== 'apollo'))(
  '%s: the balance is what the fake has left',
  async (id, service) => {
    await using asked = await openAsked(service);
    await asked.ask([adaAt(id)]);
    const balance = await asked.provider.readBalance?.(signal);
    expect([null, asked.fake.balance()]).toContain(balance);
    if (!hits[id]?.isReported) expect(balance).toBe(asked.fake.balance());
  },
);

test('Hunter: an answer that is not ready is asked for again by the same request', async () => {
  await using asked = await openAsked(serviceOf('hunter'));
  asked.fake.pendingPolls = 1;
  const first = await failureOf(asked.submit([adaAt('hunter')]));
  expect(providerFailures[first.failure].isRepeatable).toBe(true);
  asked.waitMs(first.retryAfterMs ?? 0);
  expect((await asked.ask([adaAt('hunter')])).rows).toEqual([hits.hunter?.fields]);
  expect(asked.fake.spent()).toBe(1);
});

test('Lusha and Hunter: a person who must not be processed is a legal refusal', async () => {
  await using lusha = await openAsked(serviceOf('lusha'));
  const { rows } = await lusha.ask([adaAt('lusha'), personNamed('lusha', 'Legal')]);
  expect(rows[1]).toMatchObject({ work_email: { kind: 'failed', failure: 'legal_refusal' } });
  expect(rows[0]).toEqual(hits.lusha?.fields);
  await using hunter = await openAsked(serviceOf('hunter'));
  const refused = await failureOf(hunter.ask([personNamed('hunter', 'Legal')]));
  expect(refused.failure).toBe('legal_refusal');
});

test.each(['people-data-labs', 'apollo', 'prospeo'])(
  '%s: a placeholder for an email that the plan does not include is a miss',
  async (id) => {
    await using asked = await openAsked(serviceOf(id));
    const { rows } = await asked.ask([personNamed(id, 'Unlicensed')]);
    expect(rows[0]).toMatchObject({ work_email: { kind: 'miss' }, employment: { kind: 'hit' } });
    expect(rows[0]?.phone?.kind).not.toBe('hit');
  },
);

test('BetterContact: a job that waits for credits stays pending until its deadline', async () => {
  await using asked = await openAsked(serviceOf('bettercontact'), { credits: 1 });
  const request = { id: 'request', rows: [want(ada, 'work_email')] };
  const answers = await Promise.all(
    [1, 2].map(() => asked.provider.answer(request, { signal, onSend: () => undefined })),
  );
  const tickets = answers.map((answer) => (answer.kind === 'pending' ? answer.ticket : ''));
  const poll = async (at: number) => asked.provider.poll?.(tickets[at] ?? '', request, signal);
  expect(await poll(0)).toMatchObject({ kind: 'answered', costCredits: 1 });
  expect(await poll(1)).toMatchObject({ kind: 'pending' });
  asked.waitMs(86_400_000);
  expect((await failureOf(poll(1))).failure).toBe('uncertain');
});

test.each(services)(
  '%s: its test with a key is free, and every check passes',
  async (id, service) => {
    await using asked = await openAsked(service);
    const checks = await asked.test();
    expect(checks.filter(({ isOk }) => !isOk)).toEqual([]);
    expect(checks).not.toHaveLength(0);
    expect(asked.fake.spent()).toBe(0);
    expect(asked.fake.strays).toEqual([]);
    await using refused = await openAsked(service, { key: 'another-key' });
    const [first] = await refused.test();
    expect([id, first?.isOk]).toEqual([id, false]);
  },
);

test.each(services)('%s: an exhausted account is a quota', async (id, service) => {
  await using asked = await openAsked(service, { credits: 0 });
  expect((await failureOf(asked.ask([adaAt(id)]))).failure).toBe('quota');
  expect(asked.fake.spent()).toBe(0);
});

test.each(['fullenrich', 'icypeas'])(
  '%s: a job that runs out of credits keeps what it found; its other rows are no misses',
  async (id) => {
    await using asked = await openAsked(serviceOf(id), { credits: 1 });
    const other = personNamed(id, 'Other').row;
    const answer = await asked.ask([want(ada, 'work_email'), want(other, 'work_email')]);
    const { rows } = answer;
    expect(rows[0]?.work_email).toMatchObject({ kind: 'hit' });
    expect(answer.costCredits).toBe(id === 'fullenrich' ? 1 : null);
    expect(rows[1]?.work_email).toMatchObject({ kind: 'failed', failure: 'quota' });
    expect(asked.fake.spent()).toBe(1);
  },
);

const selective = ['prospeo', 'fullenrich', 'bettercontact', 'lusha'];
test.each(selective)('%s: a row is charged only for the fields that it wants', async (id) => {
  await using asked = await openAsked(serviceOf(id));
  const other = personNamed(id, 'Other').row;
  const { rows } = await asked.ask([want(ada, 'work_email'), want(other, 'phone')]);
  expect(Object.keys(rows[0] ?? {})).toEqual(['work_email']);
  expect(Object.keys(rows[1] ?? {})).toEqual(['phone']);
  const alone = { prospeo: 11, fullenrich: 11, bettercontact: 11, lusha: 8 }[id];
  expect(asked.fake.spent()).toBeLessThanOrEqual(alone ?? 0);
});

test('BetterContact: a part with several people that is refused for one of them marks no one', async () => {
  await using asked = await openAsked(serviceOf('bettercontact'));
  asked.fake.fail('legal');
  const [two, other] = ['Two', 'Other'].map((name) => personNamed('bettercontact', name).row);
  const emails = [ada, two ?? {}].map((row) => want(row, 'work_email'));
  const { rows } = await asked.ask([...emails, want(other ?? {}, 'phone')]);
  const detail = expect.stringMatching(/unknown which/);
  const expected = { kind: 'failed', failure: 'source_error', detail };
  expect(rows.slice(0, 2)).toEqual([{ work_email: expected }, { work_email: expected }]);
  expect(rows[2]?.phone).toEqual(hits.bettercontact?.fields.phone);
});

test('BetterContact: what one part of a request found is kept if the other is refused', async () => {
  await using asked = await openAsked(serviceOf('bettercontact'));
  asked.fake.fail('bad_input');
  asked.fake.pendingPolls = 1;
  const other = personNamed('bettercontact', 'Other').row;
  const { rows } = await asked.ask([want(ada, 'work_email'), want(other, 'phone')]);
  expect(rows[0]?.work_email).toMatchObject({ kind: 'failed', failure: 'bad_input' });
  expect(rows[1]?.phone).toEqual(hits.bettercontact?.fields.phone);
  expect(asked.fake.spent()).toBe(10);
});
