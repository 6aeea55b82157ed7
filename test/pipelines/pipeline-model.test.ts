// Any sequence of pipelines, tools, jobs, grants, cancels and bugs: after every step the ledger
// balances, held credits equal open holds, and no value is paid for twice.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { grantCredits } from '../../engine/accounts/accounts.ts';
import { type CreditUnits, creditUnits } from '../../engine/contract/credits.ts';
import { EngineError } from '../../engine/contract/errors.ts';
import type { OwnedKind } from '../../engine/contract/lookup.ts';
import { hold, readBalances, resolveHold, verifyLedger } from '../../engine/ledger/ledger.ts';
import { unlock } from '../../engine/ledger/unlock.ts';
import { cancelPipeline, failPipeline } from '../../engine/pipelines/end-pipeline.ts';
import type { PipelineRow } from '../../engine/pipelines/pipeline.table.ts';
import { stepPipeline } from '../../engine/pipelines/run-pipeline.ts';
import { now } from '../jobs/job-fixture.ts';
import { someJob } from '../migrations/temporary-store.ts';
import { runsOf } from '../property-runs.ts';
import { credits, openPipelines, type Pipelines, someTool } from './open-pipelines.ts';

/** The operands of a step: numbers that select existing items. */
interface Picks {
  readonly which: number;
  readonly units: number;
  readonly kind: Extract<OwnedKind, 'email' | 'phone'>;
}

interface Desk {
  readonly pipelines: Pipelines;
  readonly accountId: number;
  readonly started: PipelineRow[];
  readonly jobs: { readonly id: number; readonly units: CreditUnits }[];
}

const pick = <Value>(values: readonly Value[], which: number): Value | undefined =>
  values[which % Math.max(1, values.length)];

/** A pipeline's subjects: some of the people, or rows of which several mean the same person. */
function chooseSubject(pipelines: Pipelines, { which, units }: Picks) {
  const people = pipelines.people.slice(which % 6, (which % 6) + 1 + (units % 7));
  if (which % 2) return { source: 'uuids' as const, uuids: people.map(({ uuid }) => uuid) };
  const rows = Array.from({ length: 1 + (units % 560) }, (_, nth) =>
    nth % 3 ? (people[nth % people.length]?.email ?? '') : `up${nth}@far.example`,
  );
  return pipelines.table(rows);
}

const verbs: Readonly<Record<string, (desk: Desk, picks: Picks) => unknown>> = {
  start({ pipelines, accountId, started }, picks) {
    const kinds = picks.units % 3 ? (['email', 'phone'] as const) : [picks.kind];
    const verifyEmails = picks.which % 3 === 0 && kinds.includes('email');
    const subject = chooseSubject(pipelines, picks);
    started.push(pipelines.start(accountId, { subject, kinds, verifyEmails }));
  },
  async step({ pipelines, started }, { which }) {
    const one = pick(started, which);
    if (one) await stepPipeline(pipelines.createDeps('knows'), one.id);
  },
  cancel({ pipelines: { database }, accountId, started }, { which }) {
    const one = pick(started, which);
    if (one) cancelPipeline(database, { accountId, pipelineId: one.uuid }, now());
  },
  fail({ pipelines: { database }, started }, { which }) {
    const one = pick(started, which);
    if (one) failPipeline(database, one.id, { code: 'internal_error', detail: 'A bug.' }, now());
  },
  tool({ pipelines: { database, people }, accountId }, { which, kind }) {
    const person = people.filter((one) => one[kind] !== null)[which % 6];
    const values = [{ personUuid: person?.uuid ?? '', kind }];
    const order = { accountId, keyId: null, values, subject: someTool };
    unlock(database, { ...order, whenShort: 'refuse' }, now());
  },
  submit({ pipelines: { database }, accountId, jobs }, { units: count }) {
    const units = credits(count % 20);
    jobs.push({ id: hold(database, accountId, units, someJob, now().toISOString()), units });
  },
  end({ pipelines: { database }, jobs }, { which, units }) {
    const job = pick(jobs, which);
    if (!job) return;
    jobs.splice(jobs.indexOf(job), 1);
    const settled = creditUnits(units % (job.units + 1));
    resolveHold(database, job.id, settled, now().toISOString());
  },
  grant({ pipelines: { database }, accountId }, { units }) {
    grantCredits(
      database,
      { accountId, units: credits(1 + (units % 30)), subject: { kind: 'grant', id: 'x' } },
      now(),
    );
  },
};

/** The verbs, weighted so that pipelines make progress. */
const often = ['step', 'step', 'step', 'step', 'start', ...Object.keys(verbs)];

const stepArbitrary = fc.record({
  verb: fc.constantFrom(...often),
  picks: fc.record({
    which: fc.nat(40),
    units: fc.nat(2000),
    kind: fc.constantFrom<'email' | 'phone'>('email', 'phone'),
  }),
});

function check({ pipelines, accountId, started, jobs }: Desk): void {
  const { database } = pipelines;
  expect(verifyLedger(database)).toEqual([]);
  const open = started.map(pipelines.read).filter(({ completedAt }) => completedAt === null);
  const held = [...jobs.map(({ units }) => units), ...open.map(({ heldUnits }) => heldUnits)];
  expect(readBalances(database, accountId).heldUnits).toBe(held.reduce((sum, one) => sum + one, 0));
  for (const { heldUnits, chargedUnits } of open)
    expect(chargedUnits).toBeLessThanOrEqual(heldUnits);
  const paid = `SELECT count(*) FROM (
      SELECT c.person_uuid FROM pipeline_contact c JOIN pipeline p ON p.id = c.pipeline_id
      WHERE p.account_id = ? AND c.email_state = 'charged'
      GROUP BY c.person_uuid HAVING count(*) > 1)`;
  expect(database.prepare(paid).pluck().get(accountId)).toBe(0);
}

test('any order of pipelines, tools, jobs, grants, cancels and bugs keeps the ledger balanced', async () => {
  const pipelines = await openPipelines();
  await fc.assert(
    fc.asyncProperty(
      fc.nat(60),
      fc.array(stepArbitrary, { minLength: 1, maxLength: 40, size: 'max' }),
      async (balance, steps) => {
        const accountId = pipelines.openAccount(balance);
        const desk: Desk = { pipelines, accountId, started: [], jobs: [] };
        for (const { verb, picks } of steps) {
          try {
            await verbs[verb]?.(desk, picks);
          } catch (error) {
            // A short wallet and an ended pipeline are refused, and nothing else.
            if (!(error instanceof EngineError)) throw error;
          }
          check(desk);
        }
        // Open work does not wait for the next run.
        for (const { uuid } of desk.started.map(pipelines.read).filter((one) => !one.completedAt))
          cancelPipeline(pipelines.database, { accountId, pipelineId: uuid }, now());
        check(desk);
      },
    ),
    { numRuns: runsOf(40) },
  );
});
