// The text of a ledger entry in the wallet and on the command line.
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { presentEntry } from '../../engine/accounts/present-entry.ts';
import { creditUnits } from '../../engine/contract/credits.ts';
import type { ChargeSubject } from '../../engine/contract/ledger-subject.ts';
import { charge, grant, hold, listEntries } from '../../engine/ledger/ledger.ts';
import { unlock } from '../../engine/ledger/unlock.ts';
import { migrationsDir } from '../../engine/platform/paths.ts';
import { migrate } from '../../engine/platform/sqlite/migrate.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import {
  addAccount,
  at,
  openTemporaryStore,
  someCharge,
  someJob,
} from '../migrations/temporary-store.ts';

const people = ['a', 'b'].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`);

/** An account with credits, and the text of its newest entry. */
function openWallet() {
  const database = openTemporaryStore();
  const directoryDatabase = new Database(':memory:');
  onTestFinished(() => void directoryDatabase.close());
  migrate(directoryDatabase, migrationsDir('directory'));
  const { id } = addAccount(database, 1_000_000);
  const newest = () => {
    const [entry] = listEntries(database, id, { limit: 1, offset: 0 }).entries;
    return entry && presentEntry({ database, directoryDatabase }, entry);
  };
  return { database, id, newest };
}

/** Unlocks the emails of the first people. */
const unlockEmails = (
  database: WritableDatabase,
  accountId: number,
  subject: ChargeSubject,
  count: number,
) =>
  unlock(
    database,
    {
      accountId,
      keyId: null,
      subject,
      whenShort: 'refuse',
      values: people.slice(0, count).map((personUuid) => ({ personUuid, kind: 'email' })),
    },
    new Date(at),
  );

test.each([
  ['job', `job ${someJob.id}`],
  ['pipeline', `pipeline ${someJob.id}`],
  ['email_validation', `email validation ${someJob.id}`],
] as const)('a hold for a %s names it', (kind, reference) => {
  const { database, id, newest } = openWallet();
  hold(database, id, creditUnits(5), { kind, id: someJob.id }, at);
  const subject = { subject_kind: kind, subject_id: someJob.id, reference };
  expect(newest()).toMatchObject({ kind: 'hold', ...subject, person_name: null });
});

test('a grant names its origin, and a charge its Career Monitor job', () => {
  const { database, id, newest } = openWallet();
  grant(database, id, creditUnits(5), { kind: 'grant', id: 'granted in the app' }, at);
  const granted = { subject_kind: 'grant', subject_id: 'granted in the app' };
  expect(newest()).toMatchObject({ ...granted, reference: 'granted in the app' });
  charge(database, id, creditUnits(5), someCharge, at);
  const job = { subject_kind: 'monitor_job', subject_id: '999' };
  expect(newest()).toMatchObject({ ...job, reference: 'career monitor job 999' });
});

test.each<[ChargeSubject, number, string]>([
  [{ kind: 'email_lookup', id: `${people[0]}` }, 1, `email lookup of person ${people[0]}`],
  [{ kind: 'phone_lookup', id: `${people[0]}` }, 1, `phone lookup of person ${people[0]}`],
  [{ kind: 'tool', id: 'enrich_email' }, 1, `enrich_email of person ${people[0]}`],
  [{ kind: 'tool', id: 'unlock_contacts' }, 2, 'unlock_contacts of 2 people'],
])('a charge for $kind $id names its person', (subject, count, reference) => {
  const { database, id, newest } = openWallet();
  unlockEmails(database, id, subject, count);
  expect(newest()).toMatchObject({ subject_kind: subject.kind, subject_id: subject.id, reference });
});
