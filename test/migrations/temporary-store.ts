// A separate engine.db for each test, with data that most tests need.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import {
  type AccountRow,
  insertAccount,
  updateAccount,
} from '../../engine/accounts/account.table.ts';
import { insertKey, type KeyLimits } from '../../engine/accounts/api-key.table.ts';
import { type CreditUnits, creditUnits } from '../../engine/contract/credits.ts';
import { insertJob, type JobRow, type NewJob } from '../../engine/jobs/job.table.ts';
import type { Permit } from '../../engine/ledger/key-guard.ts';
import { charge, grant, hold, verifyLedger } from '../../engine/ledger/ledger.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';

/** A statement on the store that schema.test.ts fills, and the text of its refusal. */
export type Refusal = readonly [sql: string, message: string];

/** The default time, if the time does not matter. */
export const at = '2026-11-20T10:00:00.000Z';

/** The subject of a hold and of a charge, if only the units matter. */
export const someJob = { kind: 'job', id: '90000000-0000-4000-8000-000000000000' } as const;
export const someCharge = { kind: 'monitor_job', id: '999' } as const;

/** Spends credits by a hold or a charge, if only the units matter. */
export const spendSome = (
  verb: 'hold' | 'charge',
  database: WritableDatabase,
  accountId: number,
  units: CreditUnits,
  ...rest: [at: string, keyId?: string | null, permit?: Permit]
): number | null =>
  verb === 'hold'
    ? hold(database, accountId, units, someJob, ...rest)
    : charge(database, accountId, units, someCharge, ...rest);

/** A folder that is removed after the test. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'desk-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

let newFile: Buffer | null = null;

/** Opens a new store. Its migrations take 8 ms, and run once per process of tests. */
export function openNewStore(folder: string): WritableDatabase {
  const path = join(folder, 'engine.db');
  if (newFile === null) {
    openStore(folder).close();
    newFile = readFileSync(path);
  } else writeFileSync(path, newFile, { mode: 0o600 });
  return openStore(folder);
}

/** An empty store. Its ledger is verified at the end of the test, unless `isSpoilt` is set. */
export function openTemporaryStore(options: { isSpoilt?: boolean } = {}): WritableDatabase {
  const database = openNewStore(makeTemporaryFolder());
  onTestFinished(() => {
    const violations = options.isSpoilt ? [] : verifyLedger(database);
    database.close();
    expect(violations).toEqual([]);
  });
  return database;
}

let accountNumber = 0;

/** An account with a budget: its wallet of `units`. */
export function addAccount(database: WritableDatabase, units = 0): AccountRow {
  accountNumber += 1;
  const uuid = `00000000-0000-4000-8000-${String(accountNumber).padStart(12, '0')}`;
  const account = insertAccount(database, { uuid, name: 'Acme', matchThreshold: 0.9, at });
  updateAccount(database, account.id, { hasBudget: true });
  if (units)
    grant(database, account.id, creditUnits(units), { kind: 'grant', id: 'first grant' }, at);
  return { ...account, hasBudget: 1 };
}

export const noCaps: KeyLimits = {
  requestsPerMinute: 60,
  capDayUnits: null,
  capMonthUnits: null,
  capCallUnits: null,
  askAboveUnits: null,
  selfApproval: false,
  providerCap: null,
};

let keyNumber = 0;
const unitsOf = (units?: number) => (units === undefined ? null : creditUnits(units));

/** Creates a key of an account and returns its id. Caps in units, none by default. */
export function addKey(
  database: WritableDatabase,
  accountId: number,
  caps: { day?: number; month?: number; call?: number; askAbove?: number } = {},
): string {
  keyNumber += 1;
  const id = `20000000-0000-4000-8000-${String(keyNumber).padStart(12, '0')}`;
  insertKey(database, {
    id,
    accountId,
    label: `Key ${keyNumber}`,
    prefix: 'sk_live_ab',
    at,
    hash: String(keyNumber).padStart(64, '0'),
    ...noCaps,
    capDayUnits: unitsOf(caps.day),
    capMonthUnits: unitsOf(caps.month),
    capCallUnits: unitsOf(caps.call),
    askAboveUnits: unitsOf(caps.askAbove),
  });
  return id;
}

let jobNumber = 0;

/** A queued job of ten rows at 100 units each, with its hold; `changes` replace fields. */
export function addJob(
  database: WritableDatabase,
  accountId: number,
  changes: Partial<NewJob> = {},
): JobRow {
  jobNumber += 1;
  const totalRows = changes.totalRows ?? 10;
  const heldUnits = creditUnits(totalRows * 100);
  const uuid = `10000000-0000-4000-8000-${String(jobNumber).padStart(12, '0')}`;
  return insertJob(database, {
    uuid,
    accountId,
    title: 'List',
    codes: ['L1'],
    prices: { L1: creditUnits(100) },
    pricePerRowUnits: creditUnits(100),
    chargePolicy: 'row',
    matchThreshold: 0.9,
    totalRows,
    holdId:
      'holdId' in changes
        ? null
        : hold(database, accountId, heldUnits, { kind: 'job', id: uuid }, at),
    heldUnits,
    headers: ['Name', 'E-mail'],
    mapping: { email: 1 },
    fileName: 'list.csv',
    retryOf: null,
    at,
    ...changes,
  });
}
