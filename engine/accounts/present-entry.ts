// Ledger entries in the format of the app and the command line.
import { formatCredits } from '../contract/credits.ts';
import type { LedgerEntry } from '../contract/ledger.ts';
import type { LedgerSubject } from '../contract/ledger-subject.ts';
import { findPersonName } from '../directory/read/find-contact.ts';
import type { EntryRow } from '../ledger/ledger.ts';
import { countPaidPeople } from '../ledger/owned-values.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';

/** The people whose values a charge paid for: their number, and the person if there is only one. */
interface PaidPeople {
  readonly count: number;
  readonly personUuid: string | null;
}

const describePeople = ({ count, personUuid }: PaidPeople): string =>
  personUuid === null ? ` of ${count} people` : ` of person ${personUuid}`;

const subjectWords: Readonly<
  Record<LedgerSubject['kind'], (id: string, people: PaidPeople) => string>
> = {
  grant: (origin) => origin,
  job: (uuid) => `job ${uuid}`,
  pipeline: (uuid) => `pipeline ${uuid}`,
  email_validation: (uuid) => `email validation ${uuid}`,
  monitor_job: (id) => `career monitor job ${id}`,
  email_lookup: (personUuid) => `email lookup of person ${personUuid}`,
  phone_lookup: (personUuid) => `phone lookup of person ${personUuid}`,
  tool: (name, people) => name + describePeople(people),
  review: (uuid) => `review of job ${uuid}`,
};

export function presentEntry(
  {
    database,
    directoryDatabase,
  }: {
    readonly database: ReadableDatabase;
    readonly directoryDatabase: ReadableDatabase;
  },
  { subject, ...entry }: EntryRow,
): LedgerEntry {
  const people =
    entry.kind === 'charge' ? countPaidPeople(database, entry.id) : { count: 0, personUuid: null };
  return {
    id: entry.id,
    kind: entry.kind,
    amount: formatCredits(entry.amountUnits),
    hold_id: entry.holdId,
    subject_kind: subject.kind,
    subject_id: subject.id,
    reference: subjectWords[subject.kind](subject.id, people),
    at: entry.at,
    key_id: entry.keyId,
    key_label: entry.keyLabel,
    person_name: people.personUuid && findPersonName(directoryDatabase, people.personUuid),
  };
}
