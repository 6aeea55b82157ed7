// The hold of a pipeline: the exact price of what is known and not owned, never beyond what can be
// spent, settled and released once, whatever happens in parallel.
import { expect, test } from 'vitest';
import { grantCredits } from '../../engine/accounts/accounts.ts';
import { createKey } from '../../engine/accounts/api-keys.ts';
import { creditUnits } from '../../engine/contract/credits.ts';
import { readKeySpending } from '../../engine/ledger/key-guard.ts';
import {
  charge,
  hold,
  listEntries,
  readBalances,
  resolveHold,
  verifyLedger,
} from '../../engine/ledger/ledger.ts';
import { unlock } from '../../engine/ledger/unlock.ts';
import { failPipeline } from '../../engine/pipelines/end-pipeline.ts';
import type { PipelineRow } from '../../engine/pipelines/pipeline.table.ts';
import type { ValueState } from '../../engine/pipelines/pipeline-contact.table.ts';
import { stepPipeline } from '../../engine/pipelines/run-pipeline.ts';
import { now } from '../jobs/job-fixture.ts';
import { someCharge, someJob } from '../migrations/temporary-store.ts';
import { credits, openPipelines, type Pipelines, runToEnd, someTool } from './open-pipelines.ts';

const at = now().toISOString();
const verifyPriceUnits = 1000;

/** Two contacts with an email and a phone each. */
const pair = ({ people }: Pipelines) => ({
  source: 'uuids' as const,
  uuids: [people[0]?.uuid ?? '', people[4]?.uuid ?? ''],
});

const letters: Readonly<Record<ValueState, string>> = { owned: 'o', charged: 'c', locked: '-' };
/** The outcome of each contact's email and phone: owned, charged or locked. */
const readStates = (pipelines: Pipelines, pipeline: PipelineRow): string =>
  pipelines
    .contacts(pipeline)
    .flatMap(({ emailState, phoneState }) => [emailState, phoneState])
    .map((state) => (state ? letters[state] : ' '))
    .join('');

/** Looks up and holds; returns the pipeline at that time. */
async function runToHold(pipelines: Pipelines, pipeline: PipelineRow): Promise<PipelineRow> {
  const deps = pipelines.createDeps();
  while (pipelines.read(pipeline).heldAt === null) await stepPipeline(deps, pipeline.id);
  return pipelines.read(pipeline);
}

const kindsOf = (pipelines: Pipelines, accountId: number) =>
  listEntries(pipelines.database, accountId, { limit: 100, offset: 0 })
    .entries.map(({ kind, amountUnits }) => [kind, amountUnits] as const)
    .toReversed()
    .slice(1);

test.each([
  // balance, email and phone of the first contact and of the second, cost
  [0, '----', 0],
  [1, 'c---', 1],
  [2, 'c-c-', 2],
  [3, 'c-c-', 2],
  [4, 'c-c-', 2],
  [5, 'c-c-', 2],
  [6, 'cc--', 6],
  [7, 'ccc-', 7],
  [8, 'ccc-', 7],
  [9, 'ccc-', 7],
  [10, 'ccc-', 7],
  [11, 'ccc-', 7],
  [12, 'cccc', 12],
  [13, 'cccc', 12],
])('a balance of %i credits: %s for %i', async (balance, states, cost) => {
  const pipelines = await openPipelines();
  const accountId = pipelines.openAccount(balance);
  const started = pipelines.start(accountId, { subject: pair(pipelines) });
  const heldUnits = credits(Math.min(balance, 12));
  expect(await runToHold(pipelines, started)).toMatchObject({ heldUnits, chargedUnits: 0 });
  expect(await runToEnd(pipelines, started)).toMatchObject({
    heldUnits,
    chargedUnits: credits(cost),
    releasedUnits: heldUnits - credits(cost),
  });
  expect(readStates(pipelines, started)).toBe(states);
  expect(readBalances(pipelines.database, accountId)).toEqual({
    availableUnits: credits(balance - cost),
    heldUnits: 0,
    spentUnits: credits(cost),
  });
});

test('it holds once everything is looked up, and settles and releases once, at its end', async () => {
  const pipelines = await openPipelines();
  const accountId = pipelines.openAccount(100);
  const pipeline = pipelines.start(accountId, { verifyEmails: true });
  const deps = pipelines.createDeps();
  await stepPipeline(deps, pipeline.id);
  expect(kindsOf(pipelines, accountId)).toEqual([]);
  await stepPipeline(deps, pipeline.id);
  // Six emails, six phones, and the verification of six addresses, of which three are undecided.
  const heldUnits = credits(6 * 1 + 6 * 5) + 6 * verifyPriceUnits;
  expect(kindsOf(pipelines, accountId)).toEqual([['hold', heldUnits]]);
  await stepPipeline(deps, pipeline.id);
  expect(kindsOf(pipelines, accountId)).toHaveLength(1);
  await runToEnd(pipelines, pipeline);
  expect(kindsOf(pipelines, accountId)).toEqual([
    ['hold', heldUnits],
    ['settle', heldUnits - 3 * verifyPriceUnits],
    ['release', 3 * verifyPriceUnits],
  ]);
});

test('owned values are not held for, and each person and address is held for once', async () => {
  const pipelines = await openPipelines();
  const accountId = pipelines.openAccount(100);
  const [first = '', second = ''] = pair(pipelines).uuids;
  const values = [
    { personUuid: first, kind: 'email' as const },
    { personUuid: second, kind: 'phone' as const },
  ];
  const order = { accountId, keyId: null, values, subject: someTool };
  unlock(pipelines.database, { ...order, whenShort: 'refuse' }, now());
  const rows = Array.from({ length: 600 }, (_, nth) => `person${nth % 2 ? 0 : 4}@listed.example`);
  const subject = pipelines.table(rows);
  const pipeline = pipelines.start(accountId, { subject, verifyEmails: true });
  expect(await runToHold(pipelines, pipeline)).toMatchObject({
    heldUnits: credits(5 + 1) + 2 * verifyPriceUnits,
  });
  expect(await runToEnd(pipelines, pipeline)).toMatchObject({ locked: 0, releasedUnits: 0 });
});

test('a free pipeline has no hold', async () => {
  const pipelines = await openPipelines();
  const accountId = pipelines.openAccount(12);
  await runToEnd(pipelines, pipelines.start(accountId, { subject: pair(pipelines) }));
  const again = pipelines.start(accountId, { subject: pair(pipelines) });
  expect(await runToEnd(pipelines, again)).toMatchObject({ holdId: null, unlocked: 2 });
  expect(kindsOf(pipelines, accountId)).toHaveLength(2);
});

test('values bought elsewhere meanwhile are free, and their part of the hold is released', async () => {
  const pipelines = await openPipelines();
  const accountId = pipelines.openAccount(18);
  const pipeline = pipelines.start(accountId, { subject: pair(pipelines) });
  await runToHold(pipelines, pipeline);
  const personUuid = pipelines.people[4]?.uuid ?? '';
  const values = [
    { personUuid, kind: 'email' as const },
    { personUuid, kind: 'phone' as const },
  ];
  const order = { accountId, keyId: null, values, subject: someTool };
  unlock(pipelines.database, { ...order, whenShort: 'refuse' }, now());
  expect(await runToEnd(pipelines, pipeline)).toMatchObject({
    chargedUnits: credits(6),
    releasedUnits: credits(6),
    unlocked: 2,
  });
  expect(readStates(pipelines, pipeline)).toBe('ccoo');
});

test('credits that a job held before are not available to it', async () => {
  const pipelines = await openPipelines();
  const { database } = pipelines;
  const accountId = pipelines.openAccount(12);
  const pipeline = pipelines.start(accountId, { subject: pair(pipelines) });
  const job = hold(database, accountId, credits(5), someJob, at);
  expect(await runToHold(pipelines, pipeline)).toMatchObject({ heldUnits: credits(7) });
  // Credits that are released or added afterwards are not used by it.
  resolveHold(database, job, creditUnits(0), at);
  grantCredits(
    database,
    { accountId, units: credits(50), subject: { kind: 'grant', id: 'more' } },
    now(),
  );
  expect(await runToEnd(pipelines, pipeline)).toMatchObject({ chargedUnits: credits(7) });
  expect(readStates(pipelines, pipeline)).toBe('ccc-');
  expect(pipelines.contacts(pipeline)[1]?.reason).toBe('insufficient_credits');
});

test.each([
  ['day', { capDayUnits: credits(9) }],
  ['month', { capMonthUnits: credits(9) }],
])(
  'a hold counts against the cap a %s of its key, and released credits do not',
  async (_, caps) => {
    const pipelines = await openPipelines();
    const { database } = pipelines;
    const accountId = pipelines.openAccount(100);
    const { id: keyId } = createKey(database, 'live', { accountId, label: 'k', ...caps }, now());
    charge(database, accountId, credits(1), someCharge, at, keyId);
    const spent = () => readKeySpending(database, keyId, at).spentDayUnits;
    const pipeline = pipelines.start(accountId, { keyId, subject: pair(pipelines) });
    expect(await runToHold(pipelines, pipeline)).toMatchObject({
      heldUnits: credits(8),
      heldShortBy: 'spending_cap_reached',
    });
    expect(spent()).toBe(credits(9));
    expect(() => charge(database, accountId, credits(1), someCharge, at, keyId)).toThrow(
      /has 0 left/,
    );
    expect(await runToEnd(pipelines, pipeline)).toMatchObject({ chargedUnits: credits(7) });
    expect(spent()).toBe(credits(8));
    expect(pipelines.contacts(pipeline)[1]?.reason).toBe('spending_cap_reached');
  },
);

test('a bug during a pipeline settles the values unlocked so far and releases the rest', async () => {
  const pipelines = await openPipelines();
  const { database } = pipelines;
  const accountId = pipelines.openAccount(1000);
  const emails = Array.from({ length: 700 }, (_, nth) => `up${nth}@far.example`);
  const subject = pipelines.table(emails);
  const pipeline = pipelines.start(accountId, { subject, kinds: ['email'] });
  const deps = pipelines.createDeps('knows');
  while (pipelines.read(pipeline).unlocked === 0) await stepPipeline(deps, pipeline.id);
  const failure = { code: 'internal_error' as const, detail: 'A bug.' };
  failPipeline(database, pipeline.id, failure, now());
  expect(pipelines.read(pipeline)).toMatchObject({
    status: 'failed',
    unlocked: 500,
    heldUnits: credits(700),
    chargedUnits: credits(500),
    releasedUnits: credits(200),
  });
  expect(readBalances(database, accountId)).toMatchObject({
    availableUnits: credits(500),
    heldUnits: 0,
  });
  // Another pipeline pays only for the rest.
  const other = pipelines.start(accountId, { subject: pipelines.table(emails), kinds: ['email'] });
  const ended = await runToEnd(pipelines, other, 'knows');
  expect(ended).toMatchObject({ heldUnits: credits(200), unlocked: 700 });
});

test('an audit finds every kind of difference between a pipeline and its hold', async () => {
  const pipelines = await openPipelines();
  const { database } = pipelines;
  const accountId = pipelines.openAccount(100);
  const ended = pipelines.start(accountId, { subject: pair(pipelines), verifyEmails: true });
  await runToEnd(pipelines, ended);
  const open = pipelines.start(accountId, {});
  await runToHold(pipelines, open);
  const spoil = [
    ['its hold does not agree', `UPDATE pipeline SET completed_at = NULL WHERE id = ${ended.id}`],
    ['its hold does not agree', `UPDATE pipeline SET released_units = 9 WHERE id = ${ended.id}`],
    ['its hold does not agree', `UPDATE pipeline SET completed_at = 'x' WHERE id = ${open.id}`],
    ['not the sum of its contacts', 'UPDATE pipeline_contact SET charged_units = 1'],
    ['not the sum of its contacts', 'UPDATE pipeline SET charged_units = charged_units + 1'],
    ['not what it is held for', "UPDATE ledger_hold SET subject_kind = 'job'"],
    ['what is owned by its hold', 'UPDATE pipeline SET paid_verdicts = 7'],
    ['what is owned by its hold', "DELETE FROM owned WHERE kind = 'phone'"],
    ['its amount is not the prices', 'UPDATE pipeline SET hold_id = NULL, held_units = 0'],
  ] as const;
  const triggers = ['pipeline_ends_once', 'pipeline_holds_once', 'owned_never_goes'];
  triggers.push('pipeline_contact_is_paid_once', 'ledger_hold_never_changes');
  expect(verifyLedger(database)).toEqual([]);
  for (const [finding, sql] of spoil) {
    database.pragma('foreign_keys = OFF');
    database.pragma('ignore_check_constraints = ON');
    database.exec('BEGIN');
    for (const trigger of triggers) database.exec(`DROP TRIGGER ${trigger}`);
    database.exec(sql);
    expect(verifyLedger(database).join('\n')).toContain(finding);
    database.exec('ROLLBACK');
  }
  database.pragma('foreign_keys = ON');
  database.pragma('ignore_check_constraints = OFF');
});
