// Which emails and phones of people an account has: those that it paid for as single values, and
// those that its jobs returned. They are shown without being unlocked.
import { setImmediate as yieldThread } from 'node:timers/promises';
import type { DisplayName } from '../../contract/jobs/layers.ts';
import type { UnlockedKinds } from '../../directory/records/read-person-record.ts';
import { isOwned } from '../../ledger/owned-values.ts';
import { queueWork } from '../../platform/queue-work.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { findSystemRefusal } from '../../platform/sqlite/system-refusal.ts';
import { readSome } from '../results/result-fields.ts';
import { indexPeople } from './index-people.ts';
import { findReturned } from './job-person.table.ts';

const returnedNames = [
  'Email',
  'New email',
  'Mobile phone',
  'Direct phone',
] as const satisfies readonly DisplayName[];

/** The values of a person. Jobs whose people are not in `job_person` do not count. */
function findHadOf(
  database: ReadableDatabase,
  accountId: number,
  personUuid: string,
): UnlockedKinds {
  const returned = { email: false, phone: false };
  for (const fields of findReturned(database, accountId, personUuid)) {
    const [email, newEmail, mobile, direct] = readSome({ fields }, returnedNames);
    if (email || newEmail) returned.email = true;
    if (mobile || direct) returned.phone = true;
    if (returned.email && returned.phone) break;
  }
  const has = (kind: keyof UnlockedKinds) =>
    returned[kind] || isOwned(database, accountId, { personUuid, kind });
  return { email: has('email'), phone: has('phone') };
}

export function createHadValues(database: WritableDatabase) {
  // Searches while somebody types must not index the same jobs several times.
  const enqueue = queueWork();
  const indexJobs = async (accountId: number) => {
    try {
      const sources = { accountId, since: '', jobIds: [] };
      for (const _transaction of indexPeople(database, sources)) await yieldThread();
    } catch (error) {
      // On a full disk, searches go on without the newest jobs.
      if (!findSystemRefusal(error)) throw error;
    }
  };
  return {
    async findHad({ accountId, people }: { accountId: number; people: readonly string[] }) {
      await enqueue(() => indexJobs(accountId));
      return new Map(people.map((uuid) => [uuid, findHadOf(database, accountId, uuid)]));
    },
  };
}
