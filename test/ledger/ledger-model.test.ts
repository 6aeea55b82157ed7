// Any sequence of transfers, refusals and crashes, compared with a model of four numbers.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { creditUnits } from '../../engine/contract/credits.ts';
import { endJob } from '../../engine/jobs/job.table.ts';
import {
  charge,
  grant,
  hold,
  readBalances,
  refund,
  resolveHold,
  verifyLedger,
} from '../../engine/ledger/ledger.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { inTransaction } from '../../engine/platform/sqlite/transaction.ts';
import {
  addAccount,
  addJob,
  at,
  makeTemporaryFolder,
  someCharge,
  someJob,
} from '../migrations/temporary-store.ts';
import { runsOf } from '../property-runs.ts';

interface OpenHold {
  id: number;
  units: number;
  /** The job of the hold, if it has one. */
  jobId: number | null;
}
interface Model {
  /** Without a budget, missing credits are added to the wallet. */
  hasBudget: boolean;
  wallet: number;
  held: number;
  spent: number;
  open: OpenHold[];
}
interface Step {
  verb: 'grant' | 'hold' | 'settle' | 'release' | 'charge' | 'refund' | 'submit' | 'cancel';
  units: number;
  /** Picks an open hold that the verb can resolve. */
  pick: number;
  /** The process dies after the writes of this step and before its commit. */
  isCrash: boolean;
}

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom(
    'grant',
    'hold',
    'settle',
    'release',
    'charge',
    'refund',
    'submit',
    'cancel',
  ),
  units: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1500 })),
  pick: fc.nat(),
  isCrash: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
});

const stepsArbitrary = fc.array(stepArbitrary, { minLength: 1, maxLength: 40, size: 'max' });

/** The hold of a step: of a job for a cancel, of no job for a settle or release. */
function chooseHold(model: Model, step: Step): OpenHold | undefined {
  const fitting = model.open.filter(({ jobId }) => (jobId !== null) === (step.verb === 'cancel'));
  return fitting[step.pick % Math.max(1, fitting.length)];
}

/** The model's result of a step; null if it is refused. */
function applyToModel(model: Model, step: Step): Model | null {
  const { units } = step;
  switch (step.verb) {
    case 'grant':
      return units > 0 ? { ...model, wallet: model.wallet + units } : null;
    case 'charge':
      if (units > model.wallet && model.hasBudget) return null;
      return {
        ...model,
        wallet: Math.max(0, model.wallet - units),
        spent: model.spent + units,
      };
    case 'refund':
      if (units === 0 || units > model.spent) return null;
      return { ...model, wallet: model.wallet + units, spent: model.spent - units };
    case 'hold':
    case 'submit': {
      const amount = step.verb === 'hold' ? units : 1000;
      if (amount > model.wallet && model.hasBudget) return null;
      return {
        ...model,
        wallet: Math.max(0, model.wallet - amount),
        held: model.held + amount,
      };
    }
    default: {
      const chosen = chooseHold(model, step);
      const settled = step.verb === 'settle' ? units : 0;
      if (!chosen || settled > chosen.units) return null;
      return {
        ...model,
        wallet: model.wallet + chosen.units - settled,
        held: model.held - chosen.units,
        spent: model.spent + settled,
        open: model.open.filter((other) => other !== chosen),
      };
    }
  }
}

/** Runs a step; returns the opened hold, if any. */
function applyToStore(database: WritableDatabase, accountId: number, model: Model, step: Step) {
  const units = creditUnits(step.units);
  switch (step.verb) {
    case 'grant':
      grant(database, accountId, units, { kind: 'grant', id: 'model' }, at);
      return null;
    case 'charge':
      charge(database, accountId, units, someCharge, at);
      return null;
    case 'refund':
      refund(database, accountId, units, { kind: 'review', id: someJob.id }, at, null);
      return null;
    case 'hold':
      return { id: hold(database, accountId, units, someJob, at), units, jobId: null };
    case 'submit': {
      const job = addJob(database, accountId);
      return { id: job.holdId ?? 0, units: job.heldUnits, jobId: job.id };
    }
    default: {
      const chosen = chooseHold(model, step);
      if (!chosen) throw new Error('no such hold');
      const settle = step.verb === 'settle' ? units : creditUnits(0);
      const { settledUnits, releasedUnits } = resolveHold(database, chosen.id, settle, at);
      if (chosen.jobId !== null)
        endJob(database, chosen.jobId, {
          status: 'cancelled',
          chargedUnits: settledUnits,
          releasedUnits,
          at,
        });
      return null;
    }
  }
}

/** Runs one step in store and model, crashes if it says so; returns the resulting state. */
function takeStep(
  store: { database: WritableDatabase; folder: string },
  accountId: number,
  model: Model,
  step: Step,
): { database: WritableDatabase; model: Model } {
  const { database } = store;
  const next = applyToModel(model, step);
  if (!next) {
    const work = () => applyToStore(database, accountId, model, step);
    expect(() => inTransaction(database, work)).toThrow();
    return { database, model };
  }
  if (step.isCrash) {
    database.exec('BEGIN');
    applyToStore(database, accountId, model, step);
    database.close();
    return { database: openStore(store.folder), model };
  }
  const opened = inTransaction(database, () => applyToStore(database, accountId, model, step));
  return { database, model: { ...next, open: opened ? [...next.open, opened] : next.open } };
}

test('any sequence of transfers, refusals and crashes keeps every rule after every step', () => {
  const template = makeTemporaryFolder();
  const first = openStore(template);
  const account = addAccount(first, 5000);
  first.close();
  let run = 0;
  fc.assert(
    fc.property(fc.boolean(), stepsArbitrary, (hasBudget, steps) => {
      run += 1;
      const folder = join(template, `run-${run}`);
      mkdirSync(folder);
      cpSync(join(template, 'engine.db'), join(folder, 'engine.db'));
      let database = openStore(folder);
      updateAccount(database, account.id, { hasBudget });
      let model: Model = { hasBudget, wallet: 5000, held: 0, spent: 0, open: [] };
      try {
        for (const step of steps) {
          ({ database, model } = takeStep({ database, folder }, account.id, model, step));
          expect(readBalances(database, account.id)).toEqual({
            availableUnits: model.wallet,
            heldUnits: model.held,
            spentUnits: model.spent,
          });
          expect(verifyLedger(database)).toEqual([]);
        }
      } finally {
        database.close();
      }
    }),
    { numRuns: runsOf(100) },
  );
});
