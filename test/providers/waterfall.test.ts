// The rules of the waterfall: order, rules of a step, caps, stored answers, refusals.
import { expect, onTestFinished, test } from 'vitest';
import { ProviderError, type ProviderTerms } from '../../engine/contract/provider.ts';
import type { StepRule } from '../../engine/contract/providers.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { noteClock } from '../../engine/platform/trusted-clock.ts';
import { askContact, readAnsweredContact } from '../../engine/providers/ask-contact.ts';
import {
  createWaterfalls,
  type Waterfalls,
} from '../../engine/providers/waterfall/create-waterfalls.ts';
import {
  insertIntent,
  markSent,
  sumUnitsIn,
} from '../../engine/providers/waterfall/provider-request.table.ts';
import { writeSteps } from '../../engine/providers/waterfall/provider-setting.table.ts';
import { toCredits, toUnits } from '../../engine/providers/waterfall/provider-units.ts';
import { openTemporaryStore } from '../migrations/temporary-store.ts';
import {
  byId,
  changeSetting,
  fails,
  found,
  nothing,
  openTestWaterfalls,
  playProvider,
  type Say,
} from './play-provider.ts';

const wanted = ['work_email', 'employment', 'phone'] as const;
const ada = { first_name: 'Ada', last_name: 'Byron', company_name: 'Engines' };
const email = (name: string, more = {}) => found({ email: `${name}@engines.example` }, more);

/** Providers by id, each with the same terms. */
function play(says: Record<string, Say>, change: Partial<ProviderTerms> = {}) {
  return Object.entries(says).map(([id, say]) => playProvider(say, { id, title: id, ...change }));
}

function openScene(says: Record<string, Say>, change: Partial<ProviderTerms> = {}) {
  const database = openTemporaryStore();
  const played = play(says, change);
  const providers = played.map(({ provider }) => provider);
  const waterfalls = openTestWaterfalls(database, providers);
  return { database, played, providers, waterfalls };
}

async function askRows(waterfalls: Waterfalls, ...rows: object[]) {
  const waterfall = waterfalls.open({ jobId: null, wanted });
  const outcome = await waterfall?.ask(rows);
  waterfall?.stop();
  if (outcome?.kind !== 'answered') throw new Error(`the outcome is ${outcome?.kind}`);
  return outcome.answers.map((answer) =>
    answer.kind === 'found'
      ? Object.fromEntries(
          Object.entries(answer.contact.values).map(([name, { value, source }]) => [
            name,
            `${value} of ${source}`,
          ]),
        )
      : answer.kind === 'failed'
        ? answer.detail
        : null,
  );
}

const setRule = ({ database }: ReturnType<typeof openScene>, rules: Record<string, StepRule>) =>
  writeSteps(
    database,
    'work_email',
    Object.entries(rules).map(([provider, rule]) => ({ provider, rule })),
  );

test('providers are asked in the order of each field, and only for what is open', async () => {
  const { waterfalls, played } = openScene({
    first: () => found({ mobile_phone: '+41 1' }),
    second: () => email('ada'),
    third: () => found({ email: 'never@asked.example', title: 'Countess' }),
  });
  expect(await askRows(waterfalls, ada)).toEqual([
    expect.objectContaining({
      'Mobile phone': '+41 1 of first',
      Email: 'ada@engines.example of second',
      'Current title': 'Countess of third',
    }),
  ]);
  const asked = played.map(({ requests }) => requests.flatMap(({ rows }) => rows[0]?.fields ?? []));
  expect(asked).toEqual([[...wanted], ['work_email', 'employment'], ['employment']]);
});

test('a provider that charges for the row is asked once for all fields that may come to it', async () => {
  const { database, waterfalls, played } = openScene(
    { mail: () => nothing, phone: () => found({ email: 'ada@b.example', mobile_phone: '+41 1' }) },
    { rowCostMaxCredits: 1 },
  );
  const order = (...ids: string[]) => ids.map((provider) => ({ provider, rule: {} }));
  writeSteps(database, 'work_email', order('mail', 'phone'));
  writeSteps(database, 'phone', order('phone', 'mail'));
  writeSteps(database, 'employment', order('mail'));
  await askRows(waterfalls, ada);
  const asked = played.map(({ requests }) => requests.map(({ rows }) => rows[0]?.fields));
  expect(asked).toEqual([[['work_email', 'employment']], [['work_email', 'phone']]]);
});

test('what was answered is not asked again, also after a provider is switched off', async () => {
  const scene = openScene({ only: ({ last_name }) => (last_name ? email('ada') : nothing) });
  const first = await askRows(scene.waterfalls, ada, { first_name: 'Nemo', company_name: 'X' });
  expect(scene.played[0]?.asked).toHaveLength(2);
  changeSetting(scene.database, 'only', { isOn: false });
  // Spelling and case do not make another row.
  const again = { ...ada, first_name: ' ADA ' };
  expect(await askRows(scene.waterfalls, again)).toEqual(first.slice(0, 1));
  changeSetting(scene.database, 'only', { isOn: true });
  await askRows(scene.waterfalls, again, { first_name: 'Nemo', company_name: 'X' });
  expect(scene.played[0]?.asked).toHaveLength(2);
});

test('equal rows are sent once, and rows without what a field needs are not sent', async () => {
  const needs = { needs: [['profile_url'], ['last_name', 'company_domain']] as const };
  const { waterfalls, played } = openScene(
    { only: () => email('ada') },
    { fields: { work_email: { ...needs, costMaxCredits: 1 } } },
  );
  const known = { ...ada, company_domain: 'engines.example' };
  const answers = await askRows(waterfalls, known, ada, known);
  expect(answers.map((answer) => answer !== null)).toEqual([true, false, true]);
  expect(played[0]?.asked).toEqual([known]);
});

test('values of an earlier step complete the row of a later one', async () => {
  const { waterfalls, played } = openScene({
    first: () => found({ profile_url: 'https://people.example/ada' }),
    second: () => nothing,
  });
  await askRows(waterfalls, ada);
  expect(played[1]?.asked[0]).toMatchObject({ profile_url: 'https://people.example/ada' });
});

test.each<[what: string, rule: StepRule, accepted: boolean]>([
  ['a status that the rule names', { statuses: ['catch_all'] }, true],
  ['a status that the rule does not name', { statuses: ['valid'] }, false],
  ['enough confidence', { confidence_min: 0.5 }, true],
  ['too little confidence', { confidence_min: 0.95 }, false],
  ['a value that is young enough', { age_days_max: 60 }, true],
  ['a value that is too old', { age_days_max: 30 }, false],
])('a step with %s: the next step is asked only if it is not accepted', async (_what, rule, ok) => {
  const scene = openScene({
    first: () => email('first', { status: 'catch_all' }),
    second: () => email('second'),
  });
  setRule(scene, { first: rule, second: {} });
  const [answer] = await askRows(scene.waterfalls, ada);
  const by = ok ? 'first' : 'second';
  expect(answer).toMatchObject({ Email: `${by}@engines.example of ${by}` });
});

test.each<[what: string, rule: StepRule, row: object, isAsked: boolean]>([
  ['of the country', { only_countries: ['CH'] }, { ...ada, country: 'Switzerland' }, true],
  ['of another country', { only_countries: ['CH'] }, { ...ada, country: 'fr' }, false],
  ['without a country', { only_countries: ['CH'] }, ada, false],
  ['of the domain', { only_domains: ['fr'] }, { ...ada, company_domain: 'ada.fr' }, true],
  ['of another domain', { only_domains: ['fr'] }, { ...ada, company_domain: 'fr.org' }, false],
  ['whose phone is missing', { only_if_missing: ['phone'] }, ada, true],
  ['whose title is found', { only_if_missing: ['employment'] }, ada, false],
])('a step with a condition and a row %s', async (_what, rule, row, isAsked) => {
  const scene = openScene({ other: () => found({ title: 'Countess' }), only: () => email('ada') });
  setRule(scene, { only: rule });
  const [answer] = await askRows(scene.waterfalls, row);
  expect(typeof answer === 'object' && answer !== null && 'Email' in answer).toBe(isAsked);
});

test('the status of a found email without one is asked of a verifier, once per address', async () => {
  const database = openTemporaryStore();
  const costs = { needs: [['email' as const]], costMaxCredits: 1 };
  const finder = playProvider(() => email('ada', { status: 'unknown' }), { id: 'finder' });
  const verifier = playProvider(
    () => () => ({
      kind: 'hit',
      values: {},
      status: 'valid',
      observedOn: null,
      confidence: null,
    }),
    { id: 'verifier', title: 'verifier', fields: { email_status: costs } },
  );
  const waterfalls = openTestWaterfalls(database, [finder.provider, verifier.provider]);
  const scope = { jobId: null, wanted: ['work_email', 'email_status'] } as const;
  for (const row of [ada, { ...ada, country: 'GB' }]) {
    const outcome = await waterfalls.open(scope)?.ask([row]);
    // A service that names no day observed it today, with the trust of a list.
    expect(outcome).toMatchObject({
      answers: [
        {
          contact: {
            values: {
              'Email status': {
                value: 'valid',
                source: 'verifier',
                confidence: 0.8,
                observedOn: '2026-11-20',
              },
            },
          },
        },
      ],
    });
  }
  expect(verifier.asked.map((row) => row.email)).toEqual(['ada@engines.example']);
});

test('a cap of a day stops a provider, and the next one is asked', async () => {
  const scene = openScene(
    { paid: ({ last_name = '' }) => email(last_name), spare: () => email('spare') },
    { rowsMax: 2, fields: { work_email: { needs: [[]], costMaxCredits: 2 } } },
  );
  changeSetting(scene.database, 'paid', { capDayUnits: toUnits(5) });
  const rows = [1, 2, 3, 4].map((at) => ({ last_name: `Row${at}`, company_name: 'X' }));
  const answers = await askRows(scene.waterfalls, ...rows);
  const sources = answers.map((answer) => (answer as { Email: string }).Email.split(' of ')[1]);
  expect(sources).toEqual(['paid', 'paid', 'spare', 'spare']);
  expect(toCredits(sumUnitsIn(scene.database, 'paid', '2026-11-20'))).toBe(4);
});

test('what was spent while the clock was ahead uses up no cap of an earlier day', async () => {
  let now = new Date('2036-11-20T10:00:00.000Z');
  const database = openTemporaryStore();
  const played = play(
    { paid: ({ last_name = '' }) => email(last_name), spare: () => email('spare') },
    { rowsMax: 1, fields: { work_email: { needs: [[]], costMaxCredits: 2 } } },
  );
  const providers = played.map(({ provider }) => provider);
  const waterfalls = openTestWaterfalls(database, providers, () => now);
  changeSetting(database, 'paid', { capDayUnits: toUnits(2), capMonthUnits: toUnits(2) });
  const ask = async (name: string) => {
    const [answer] = await askRows(waterfalls, { last_name: name, company_name: 'X' });
    return (answer as { Email: string }).Email.split(' of ')[1];
  };
  expect([await ask('A'), await ask('B')]).toEqual(['paid', 'spare']);
  now = new Date('2026-11-20T10:00:00.000Z');
  expect([await ask('C'), await ask('D')]).toEqual(['paid', 'spare']);
});

test('a clock that is far ahead, or back after that, makes no stored answer be paid for again', async () => {
  const right = new Date('2026-11-20T10:00:00.000Z');
  let now = right;
  const database = openTemporaryStore();
  const [played] = play({ paid: () => email('ada') }, { keepDays: 30 });
  const waterfalls = openTestWaterfalls(database, [played!.provider], () => now);
  writeSteps(database, 'work_email', [{ provider: 'paid', rule: { age_days_max: 90 } }]);
  noteClock(database, right);
  for (const years of [0, 10, 0, -10, 0]) {
    now = new Date(right.getTime() + years * 365 * 86_400_000);
    noteClock(database, now);
    expect(await askRows(waterfalls, ada)).toMatchObject([
      { Email: 'ada@engines.example of paid' },
    ]);
  }
  expect(played?.requests).toHaveLength(1);
});

test('an account without credits or with a bad key is skipped, and the others go on', async () => {
  const { waterfalls, played } = openScene(
    {
      poor: () => {
        throw new ProviderError('quota', 'No credits are left.');
      },
      locked: () => () => ({ kind: 'failed', failure: 'bad_key', detail: 'Wrong key.' }),
      open: ({ last_name = '' }) => email(last_name),
    },
    { rowsMax: 1 },
  );
  const rows = [1, 2, 3].map((at) => ({ last_name: `Row${at}`, company_name: 'X' }));
  const answers = await askRows(waterfalls, ...rows);
  expect(answers.every((answer) => JSON.stringify(answer).includes('of open'))).toBe(true);
  expect(played.map(({ requests }) => requests.length)).toEqual([1, 1, 3]);
});

test('a person who must not be processed is never asked about again, by any identifier', async () => {
  const { waterfalls, played } = openScene({
    lawful: () => () => ({ kind: 'failed', failure: 'legal_refusal', detail: 'Not this person.' }),
    other: () => email('ada'),
  });
  const row = { ...ada, profile_url: 'https://people.example/ada' };
  expect(await askRows(waterfalls, row)).toEqual([null]);
  expect(await askRows(waterfalls, { profile_url: 'people.example/ada/' })).toEqual([null]);
  expect(await askRows(waterfalls, { ...ada, email: 'ada@home.example' })).toEqual([null]);
  expect(played.map(({ asked }) => asked.length)).toEqual([1, 0]);
});

test('an unknown outcome is said on the row and is not repeated, unless the setting says so', async () => {
  let isLost = true;
  const scene = openScene({
    only: () => {
      if (isLost) throw new ProviderError('uncertain', 'The connection ended.');
      return email('ada');
    },
  });
  expect(await askRows(scene.waterfalls, ada)).toEqual([
    expect.stringMatching(/only: .*ended.*outcome is unknown.*may have been charged/),
  ]);
  isLost = false;
  expect(await askRows(scene.waterfalls, ada)).toEqual([expect.stringMatching(/unknown/)]);
  expect(scene.played[0]?.requests).toHaveLength(1);
  changeSetting(scene.database, 'only', { repeatsUncertain: true });
  expect(await askRows(scene.waterfalls, ada)).toEqual([
    expect.objectContaining({ Email: 'ada@engines.example of only' }),
  ]);
});

test('answers are kept as long as the terms of the service allow', async () => {
  const database = openTemporaryStore();
  const { provider, asked } = playProvider(() => email('ada'), { keepDays: 10 });
  let day = 1;
  const now = () => new Date(`2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`);
  const waterfalls = openTestWaterfalls(database, [provider], now);
  for (day of [1, 10, 12]) await askRows(waterfalls, ada);
  expect(asked).toHaveLength(2);
});

test('a service that asks for a longer wait than a run has is named with the time', async () => {
  const { waterfalls, played } = openScene({
    only: () => {
      throw new ProviderError('slow_down', 'Too many', 3_600_000);
    },
  });
  expect(await askRows(waterfalls, ada)).toEqual([
    'only: Too many. It can be asked again at 2026-11-20 11:00 UTC. Run the rows again later.',
  ]);
  expect(played[0]?.requests).toHaveLength(1);
});

test('a failure of a row is not stored: the row is asked again by the next job', async () => {
  const { waterfalls, played } = openScene({ only: () => fails('It stumbled.') });
  for (const _again of [1, 2])
    expect(await askRows(waterfalls, ada)).toEqual([
      'only: It stumbled. Run the rows again later.',
    ]);
  expect(played[0]?.asked).toHaveLength(2);
});

/** A request that an earlier run of the engine left. */
function leaveRequest(database: WritableDatabase, isSent: boolean): void {
  const { provider } = play({ only: () => email('ada') })[0]!;
  const rows = [{ row: ada, fields: ['work_email' as const], subject: 'other' }];
  const at = '2026-11-20T09:00:00.000Z';
  const intent = { uuid: 'left', provider: provider.describe().id, jobId: null, rows };
  const id = insertIntent(database, { ...intent, costMaxUnits: 10_000, at });
  if (isSent) markSent(database, id, at);
}

test.each([
  ['that was sent is uncertain', true, 'uncertain'],
  ['that was not sent has failed', false, 'failed'],
])('after a restart a request %s', (_what, isSent, state) => {
  const database = openTemporaryStore();
  leaveRequest(database, isSent);
  const { provider } = play({ only: () => nothing })[0]!;
  const now = () => new Date('2026-11-20T10:00:00.000Z');
  const waterfalls = createWaterfalls({
    database,
    now,
    providers: byId([provider]),
    wait: async () => undefined,
  });
  onTestFinished(waterfalls.stop);
  expect(database.prepare('SELECT state FROM provider_request').pluck().all()).toEqual([state]);
});

test('no provider is asked before it is switched on', () => {
  const { waterfalls, database } = openScene({ only: () => email('ada') });
  changeSetting(database, 'only', { isOn: false });
  expect(waterfalls.open({ jobId: null, wanted })).toBeNull();
});

test('a provider that is switched off during a run receives nothing more', async () => {
  const { database, waterfalls, played } = openScene({
    only: ({ last_name = '' }) => {
      changeSetting(database, 'only', { isOn: false });
      return email(last_name);
    },
  });
  const run = waterfalls.open({ jobId: null, wanted });
  await run?.ask([ada]);
  await run?.ask([{ ...ada, last_name: 'Later' }]);
  run?.stop();
  expect(played[0]?.asked.map((row) => row.last_name)).toEqual(['Byron']);
});

test('the work email of a person who left is not returned', async () => {
  const { database, waterfalls } = openScene({
    only: () => found({ employment_status: 'Left', email: 'ada@engines.example' }),
  });
  const contact = await askContact(database, waterfalls, { row: ada, wanted, providerCap: null });
  expect(contact && readAnsweredContact(contact)).toMatchObject({ email: null, emailStatus: null });
});
