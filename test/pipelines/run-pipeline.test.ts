// Pipelines and money: nothing is held before everything is looked up, each value is paid for once
// and owned, nothing exceeds the balance, and a crash at any time changes none of it.
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { lookupPrices } from '../../engine/contract/lookup.ts';
import { type PipelineKind, pipelineKinds } from '../../engine/contract/pipelines/pipeline.ts';
import {
  listSuppressed,
  readPeopleByIds,
  readPeopleByUuids,
} from '../../engine/directory/read/read-people.ts';
import { readBalances, verifyLedger } from '../../engine/ledger/ledger.ts';
import { unlock } from '../../engine/ledger/unlock.ts';
import {
  countOtherOpen,
  nextOpenPipeline,
  type PipelineRow,
} from '../../engine/pipelines/pipeline.table.ts';
import type { PipelineContactRow } from '../../engine/pipelines/pipeline-contact.table.ts';
import { readPipelinePage } from '../../engine/pipelines/results/read-pipeline.ts';
import { stepPipeline } from '../../engine/pipelines/run-pipeline.ts';
import { now } from '../jobs/job-fixture.ts';
import { runsOf } from '../property-runs.ts';
import {
  addWebhook,
  credits,
  hidden,
  openPipelines,
  type Pipelines,
  runToEnd,
  someTool,
  type UpstreamMood,
} from './open-pipelines.ts';

const stateOf = { email: 'emailState', phone: 'phoneState' } as const;
const verifyPriceUnits = 1000;

test('of each contact the email is paid for first, 1 credit, then the phone, 5', async () => {
  const pipelines = await openPipelines();
  const pipeline = pipelines.start(pipelines.openAccount(100), {});
  expect(await runToEnd(pipelines, pipeline)).toMatchObject({
    status: 'completed',
    total: 12,
    matched: 12,
    unlocked: 9,
    locked: 0,
    verified: 0,
    chargedUnits: credits(6 * 1 + 6 * 5),
  });
  expect(pipelines.contacts(pipeline).slice(0, 4)).toMatchObject([
    { emailState: 'charged', phoneState: 'charged', chargedUnits: credits(6), reason: '' },
    { emailState: 'charged', phoneState: null, chargedUnits: credits(1) },
    { emailState: null, phoneState: 'charged', chargedUnits: credits(5) },
    { emailState: null, phoneState: null, chargedUnits: 0, reason: 'no_value' },
  ]);
});

test('values beyond the balance stay locked and are counted', async () => {
  const pipelines = await openPipelines();
  const accountId = pipelines.openAccount(8);
  const pipeline = pipelines.start(accountId, {});
  expect(await runToEnd(pipelines, pipeline)).toMatchObject({
    unlocked: 3,
    locked: 7,
    chargedUnits: credits(8),
  });
  expect(readBalances(pipelines.database, accountId).availableUnits).toBe(0);
  expect(pipelines.contacts(pipeline)[4]).toMatchObject({
    emailState: 'charged',
    phoneState: 'locked',
    reason: 'insufficient_credits',
  });
});

test('unlocked emails are verified at the price of its start, and only decided ones are charged', async () => {
  const pipelines = await openPipelines();
  const pipeline = pipelines.start(pipelines.openAccount(100), {
    kinds: ['email'],
    verifyEmails: true,
  });
  // Of person0, 1, 4, 5, 8 and 9 every even one has a verdict.
  expect(await runToEnd(pipelines, pipeline)).toMatchObject({
    unlocked: 6,
    verified: 3,
    chargedUnits: credits(6) + 3 * verifyPriceUnits,
  });
  expect(pipelines.contacts(pipeline).slice(0, 2)).toMatchObject([
    { verdict: 'verified_by_source', chargedUnits: credits(1) + verifyPriceUnits },
    { verdict: 'domain_accepts_mail', chargedUnits: credits(1) },
  ]);
});

test('an address of several rows is validated and charged once', async () => {
  const pipelines = await openPipelines();
  const emails = Array.from({ length: 300 }, () => 'person0@listed.example');
  const subject = pipelines.table(emails);
  const order = { subject, kinds: ['email'] as const, verifyEmails: true };
  const pipeline = pipelines.start(pipelines.openAccount(100), order);
  expect(await runToEnd(pipelines, pipeline)).toMatchObject({
    total: 300,
    matched: 300,
    unlocked: 300,
    verified: 300,
    chargedUnits: credits(1) + verifyPriceUnits,
  });
  expect(pipelines.takeJudged()).toEqual(['person0@listed.example']);
});

test('if no verdict could be paid for, no address is validated', async () => {
  const pipelines = await openPipelines();
  const order = { kinds: ['email'] as const, verifyEmails: true };
  const pipeline = pipelines.start(pipelines.openAccount(6), order);
  expect(await runToEnd(pipelines, pipeline)).toMatchObject({ status: 'completed', verified: 0 });
  expect(pipelines.takeJudged()).toEqual([]);
});

test.each([
  [
    'refuses',
    'upstream_insufficient_credits',
    'Double: No credits upstream. The job did not ask it again. Add credits at the service, then ' +
      'run the rows again.',
  ],
  ['is down', 'upstream_error', 'Double: Nobody answers. Run the rows again later.'],
] as const)(
  'an upstream that %s fails it as a whole, and nothing is charged',
  async (mood, error, errorDetail) => {
    const pipelines = await openPipelines();
    const accountId = pipelines.openAccount(100);
    // The row for the upstream is in the second batch.
    const emails = Array.from({ length: 200 }, (_, at) =>
      at < 180 ? 'person0@listed.example' : 'nobody@listed.example',
    );
    const pipeline = pipelines.start(accountId, { subject: pipelines.table(emails) });
    expect(await runToEnd(pipelines, pipeline, mood)).toMatchObject({
      status: 'failed',
      error,
      errorDetail,
      matched: 150,
      unlocked: 0,
      chargedUnits: 0,
    });
    expect(readBalances(pipelines.database, accountId).availableUnits).toBe(credits(100));
  },
);

test('a suppressed person is neither shown nor sold, also if suppressed between two steps', async () => {
  const pipelines = await openPipelines();
  const [first] = pipelines.people;
  const uuids = [hidden, first?.uuid ?? ''];
  const pipeline = pipelines.start(pipelines.openAccount(9), {
    subject: { source: 'uuids', uuids },
  });
  const deps = pipelines.createDeps();
  await stepPipeline(deps, pipeline.id);
  pipelines.directory.exec(`UPDATE person SET opted_out = 1 WHERE uuid = '${first?.uuid}'`);
  expect(await runToEnd(pipelines, pipeline)).toMatchObject({
    matched: 1,
    unlocked: 0,
    locked: 0,
    chargedUnits: 0,
  });
  expect(pipelines.contacts(pipeline)).toMatchObject([
    { personUuid: null, reason: 'no_match', facts: null, email: null, phone: null },
    { reason: 'suppressed', emailState: null, phoneState: null },
  ]);
});

test('values of a person who is suppressed later are withheld, even if paid for', async () => {
  const pipelines = await openPipelines();
  const { database, directory, folder } = pipelines;
  const pipeline = pipelines.start(pipelines.openAccount(99), {});
  const ended = await runToEnd(pipelines, pipeline);
  const readFirst = () =>
    readPipelinePage(database, directory, folder, ended, { limit: 1, offset: 0 });
  expect(readFirst()).toMatchObject([{ status: 'unlocked', email: 'person0@listed.example' }]);
  // As an import would.
  directory.exec(`UPDATE person SET opted_out = 1 WHERE uuid = '${pipelines.people[0]?.uuid}'`);
  directory.exec('UPDATE generation SET number = number + 1');
  expect(readFirst()).toMatchObject([
    {
      uuid: '',
      status: 'not_found',
      reason: 'suppressed',
      first_name: '',
      title: null,
      email: null,
      phone: null,
      locked: [],
      credits_charged: '6.0000',
    },
  ]);
});

test('people are found by id and by UUID through an index', async () => {
  const { database } = await openPipelines();
  const prepared = vi.spyOn(database, 'prepare');
  readPeopleByIds(database, [1]);
  readPeopleByUuids(database, [hidden]);
  listSuppressed(database, [hidden]);
  const plans = prepared.mock.calls.map(([sql]) =>
    (database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all('[]') as { detail: string }[])
      .map(({ detail }) => detail)
      .filter((step) => !step.startsWith('SCAN j VIRTUAL TABLE')),
  );
  expect(plans.map(([first]) => first)).toEqual([
    'SEARCH p USING INTEGER PRIMARY KEY (rowid=?)',
    expect.stringMatching(/^SEARCH p USING INDEX \w+ \(uuid=\?\)$/),
    expect.stringMatching(/^SEARCH p USING INDEX \w+ \(uuid=\?\)$/),
  ]);
  expect(plans.flat().filter((step) => step.startsWith('SCAN'))).toEqual([]);
});

test('a UUID that is named twice is one contact', async () => {
  const pipelines = await openPipelines();
  const uuid = pipelines.people[0]?.uuid ?? '';
  const subject = { source: 'uuids' as const, uuids: [uuid, uuid] };
  const pipeline = pipelines.start(pipelines.openAccount(9), { subject });
  expect(await runToEnd(pipelines, pipeline)).toMatchObject({ total: 1, matched: 1, unlocked: 1 });
});

test('a pipeline without contacts completes at once', async () => {
  const pipelines = await openPipelines();
  const subject = { source: 'people' as const, personIds: [] };
  const pipeline = pipelines.start(pipelines.openAccount(0), { subject });
  expect(await runToEnd(pipelines, pipeline)).toMatchObject({ status: 'completed', total: 0 });
});

test.each([
  ['completed', 'none'],
  ['failed', 'refuses'],
] as const)(
  'the event pipeline.%s is recorded with the end, in one transaction',
  async (status, mood) => {
    const pipelines = await openPipelines();
    const { database } = pipelines;
    const accountId = pipelines.openAccount(9);
    addWebhook(database, accountId);
    const subject = pipelines.table(['nobody@listed.example']);
    const pipeline = pipelines.start(accountId, { subject });
    expect(await runToEnd(pipelines, pipeline, mood)).toMatchObject({ status });
    const events = database.prepare('SELECT kind, body FROM webhook_event').all() as {
      kind: string;
      body: string;
    }[];
    expect(events.map(({ kind }) => kind)).toEqual([`pipeline.${status}`]);
    expect(JSON.parse(events[0]?.body ?? '')).toMatchObject({
      event: `pipeline.${status}`,
      data: { pipeline_id: pipeline.uuid, status, matched: 0, credits_charged: '0.0000' },
    });
  },
);

interface Story {
  readonly balance: number;
  readonly kinds: readonly PipelineKind[];
  readonly verifyEmails: boolean;
  readonly owned: readonly number[];
  /** null: by UUID; otherwise the number of rows, alternating between the people and strangers. */
  readonly rows: number | null;
  readonly mood: UpstreamMood;
  /** The process dies after this number of clock reads, repeatedly. */
  readonly deaths: readonly number[];
}

const storyArbitrary: fc.Arbitrary<Story> = fc.record({
  balance: fc.nat(45),
  kinds: fc.constantFrom(
    ...[['email'], ['phone'], pipelineKinds].map((one) => one as PipelineKind[]),
  ),
  verifyEmails: fc.boolean(),
  owned: fc.uniqueArray(fc.nat(11), { maxLength: 4 }),
  rows: fc.option(fc.integer({ min: 1, max: 560 })),
  mood: fc.constantFrom<UpstreamMood>('none', 'knows', 'refuses', 'is down'),
  deaths: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 8 }),
});

class Died extends Error {}

/** Steps to the end; the process dies as specified, and committed data stay. */
async function runThroughDeaths(
  pipelines: Pipelines,
  pipeline: PipelineRow,
  story: Story,
  check: () => void,
): Promise<PipelineRow> {
  const deaths = [...story.deaths];
  for (;;) {
    let looks = deaths.shift() ?? Number.POSITIVE_INFINITY;
    const deps = pipelines.createDeps(story.mood, () => {
      looks -= 1;
      if (looks < 0) throw new Died();
      return now();
    });
    try {
      while ((await stepPipeline(deps, pipeline.id)) === 'open') check();
      return pipelines.read(pipeline);
    } catch (error) {
      if (!(error instanceof Died)) throw error;
    }
    check();
  }
}

/** The sum of a contact's charges according to its states. */
const priceOf = (contact: PipelineContactRow): number =>
  pipelineKinds.reduce(
    (sum, kind) => sum + (contact[stateOf[kind]] === 'charged' ? lookupPrices[kind] : 0),
    0,
  );

const rowsOf = (pipelines: Pipelines, count: number): string[] =>
  Array.from({ length: count }, (_, at) => {
    const known = pipelines.people[at % 16]?.email;
    return known ?? (at % 5 === 0 ? `up${at % 40}@far.example` : `nobody${at}@far.example`);
  });

test('any mix of owned, locked and unknown contacts, balances, refusals and crashes keeps the ledger balanced', async () => {
  const pipelines = await openPipelines();
  const { database } = pipelines;
  const ownedBy = database
    .prepare("SELECT kind || ' ' || person_uuid FROM owned WHERE account_id = ?")
    .pluck();
  await fc.assert(
    fc.asyncProperty(storyArbitrary, async (story) => {
      const accountId = pipelines.openAccount(story.balance + story.owned.length * 6);
      const values = story.owned.flatMap((at) => {
        const { uuid: personUuid, email, phone } = pipelines.people[at]!;
        return [
          ...(email ? [{ personUuid, kind: 'email' as const }] : []),
          ...(phone ? [{ personUuid, kind: 'phone' as const }] : []),
        ];
      });
      const bought = { accountId, keyId: null, values, subject: someTool };
      unlock(database, { ...bought, whenShort: 'refuse' }, now());
      const before = new Set(ownedBy.all(accountId));
      const spentBefore = readBalances(database, accountId).spentUnits;
      const pipeline = pipelines.start(accountId, {
        kinds: story.kinds,
        verifyEmails: story.verifyEmails && story.kinds.includes('email'),
        ...(story.rows !== null && { subject: pipelines.table(rowsOf(pipelines, story.rows)) }),
      });
      const check = () => {
        const { completedAt, heldUnits, chargedUnits } = pipelines.read(pipeline);
        const balances = readBalances(database, accountId);
        const isOpen = completedAt === null;
        expect(balances.heldUnits).toBe(isOpen ? heldUnits : 0);
        expect(balances.spentUnits - spentBefore).toBe(isOpen ? 0 : chargedUnits);
        expect(verifyLedger(database)).toEqual([]);
      };
      const ended = await runThroughDeaths(pipelines, pipeline, story, check);
      check();
      const contacts = pipelines.contacts(pipeline);
      const after = new Set(ownedBy.all(accountId));
      if (ended.status === 'failed') {
        expect(ended.chargedUnits).toBe(0);
        return void expect(after).toEqual(before);
      }
      // Every contact once, at its position.
      expect(contacts.map(({ position }) => position)).toEqual([...contacts.keys()]);
      expect(contacts).toHaveLength(ended.total);
      const { availableUnits } = readBalances(database, accountId);
      for (const contact of contacts)
        for (const kind of pipelineKinds) {
          const state = contact[stateOf[kind]];
          const name = `${kind} ${contact.personUuid}`;
          // Known values are owned, or credits were short; owned values stayed free.
          expect(state !== null).toBe(contact[kind] !== null);
          if (state === 'charged') expect(before.has(name)).toBe(false);
          if (state === 'charged' || state === 'owned') expect(after.has(name)).toBe(true);
          if (state === 'locked') expect(availableUnits).toBeLessThan(lookupPrices[kind]);
        }
      const verifiedUnits =
        ended.chargedUnits - contacts.reduce((sum, one) => sum + priceOf(one), 0);
      expect(verifiedUnits % verifyPriceUnits).toBe(0);
      expect(verifiedUnits).toBeGreaterThanOrEqual(0);
      const isOpen = (contact: PipelineContactRow) =>
        pipelineKinds.some((kind) => ['charged', 'owned'].includes(contact[stateOf[kind]] ?? ''));
      expect(contacts.filter(isOpen)).toHaveLength(ended.unlocked);
      expect(contacts.filter(({ personUuid }) => personUuid !== null)).toHaveLength(ended.matched);
    }),
    { numRuns: runsOf(60) },
  );
});

test('a pipeline whose stored columns are damaged fails with a remedy, and the next one has its turn', async () => {
  const pipelines = await openPipelines();
  const accountId = pipelines.openAccount(9);
  const subject = pipelines.table(['up1@x.example']);
  const [damaged, whole] = [1, 2].map(() => pipelines.start(accountId, { subject }));
  if (!damaged || !whole) throw new Error('two pipelines were started');
  const { database } = pipelines;
  database.prepare('UPDATE pipeline SET mapping = ? WHERE id = ?').run('{"email":"A"}', damaged.id);
  expect(nextOpenPipeline(database, 0)?.id).toBe(damaged.id);
  expect(countOtherOpen(database, damaged.id)).toBe(1);
  expect(await runToEnd(pipelines, damaged)).toMatchObject({
    status: 'failed',
    error: 'database_damaged',
    errorDetail: expect.stringMatching(/\(mapping\)\. Restore a backup/),
  });
  expect(nextOpenPipeline(database, damaged.id)?.id).toBe(whole.id);
  expect(await runToEnd(pipelines, whole, 'knows')).toMatchObject({ status: 'completed' });
});
