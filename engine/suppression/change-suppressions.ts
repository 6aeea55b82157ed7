/** Adds and removes entries of the suppression list. */
import { hashAuditValue, recordAudit } from '../audit/record-audit.ts';
import { auditHashesMax } from '../contract/limits/privacy/audit.ts';
import { suppressionRemarksMax } from '../contract/limits/privacy/suppression.ts';
import type {
  GivenValue,
  SuppressionKind,
  SuppressionReport,
  SuppressionSource,
} from '../contract/suppression/suppression.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { liveSchema } from '../platform/sqlite/open-store.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { readSuppressionTable, type SuppressionTable } from './read-suppression-file.ts';
import { deleteEntries, deleteEntriesOfJob, insertEntry } from './suppression.table.ts';
import { readValueKey, recognizeKind } from './value-keys.ts';

/** Why values are added, and in whose name. */
interface Addition {
  readonly reason: string;
  readonly source: SuppressionSource;
  readonly author: string;
}

export type ListReport = Omit<SuppressionReport, 'people'>;

/** Why a value is not of a kind. The value itself is not repeated: the report may be logged. */
const expected: Readonly<Record<SuppressionKind, string>> = {
  person: 'a UUID of the directory, or a name and an employer such as "Ada Lovelace | Acme"',
  email: 'an email address',
  domain: 'a domain such as example.com, or *.example.com for only its subdomains',
  company: 'the name of a company',
  phone: 'a number with its country code such as +41 79 123 45 67',
  profile_url: 'the URL of a profile',
};

/** The kind and the key of a given value; a sentence if it cannot be read. */
export function readGiven({
  kind: given,
  value,
}: GivenValue): { kind: SuppressionKind; key: string } | string {
  const kind = given ?? recognizeKind(value);
  if (kind === null)
    return 'Its kind cannot be recognised. Say whether it is a company, a person, …';
  const key = readValueKey(kind, value);
  return key === '' ? `It is not ${expected[kind]}.` : { kind, key };
}

/** A value to add, with its place in the request or the file, from 1. */
interface PlacedValue extends GivenValue {
  readonly line: number;
  readonly reason: string;
}

/** The kind and the key of an entry. */
interface ListedKey {
  readonly kind: SuppressionKind;
  readonly key: string;
}

/**
 * Records a change in the log of the environment of the list, by counts of kinds. Few values are
 * named by their hashes, many only by their number. Call inside the transaction of the change.
 */
export function recordSuppressions(
  database: WritableDatabase,
  action: 'suppression_added' | 'suppression_removed',
  keys: readonly ListedKey[],
  {
    at,
    ...details
  }: { readonly at: string; readonly source?: SuppressionSource; readonly job?: string },
): void {
  if (keys.length === 0) return;
  const schema = liveSchema(database);
  const kinds: Record<string, number> = {};
  for (const { kind } of keys) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const hash = ({ kind, key }: ListedKey) => hashAuditValue(database, `${kind}:${key}`, schema);
  const hashes = keys.length > auditHashesMax ? null : keys.map(hash).join(' ');
  const note = { action, at, accountId: null, rows: keys.length } as const;
  const named = hashes === null ? {} : { hashes };
  recordAudit(database, { ...note, details: { ...details, ...kinds, ...named } }, schema);
}

function addValues(
  database: WritableDatabase,
  values: readonly PlacedValue[],
  added: { readonly source: SuppressionSource; readonly author: string; readonly at: string },
): ListReport {
  const counts = { added: 0, known: 0, unreadable: 0 };
  const remarks: ListReport['remarks'] = [];
  const entries = values.flatMap((given) => {
    const read = readGiven(given);
    if (typeof read !== 'string') return [{ ...read, given }];
    counts.unreadable += 1;
    if (remarks.length < suppressionRemarksMax) remarks.push({ line: given.line, what: read });
    return [];
  });
  inTransaction(database, () => {
    const fresh = entries.filter(({ kind, key, given: { value, reason } }) =>
      insertEntry(database, { kind, key, value: value.trim(), reason, ...added, job: null }),
    );
    counts.added = fresh.length;
    counts.known = entries.length - fresh.length;
    const { source, at } = added;
    recordSuppressions(database, 'suppression_added', fresh, { source, at });
  });
  return { ...counts, remarks };
}

export function createSuppressionCommands({
  database,
  now,
  onChange,
}: {
  readonly database: WritableDatabase;
  readonly now: () => Date;
  readonly onChange: () => void;
}) {
  const add: typeof addValues = (...args) => {
    const report = addValues(...args);
    if (report.added > 0) onChange();
    return report;
  };
  return {
    async suppress({
      values,
      reason,
      source,
      author,
    }: Addition & { readonly values: readonly GivenValue[] }) {
      const placed = values.map((value, at) => ({ ...value, line: at + 1, reason }));
      return add(database, placed, { source, author, at: now().toISOString() });
    },
    /** Adds the values of an uploaded list. Rejects with `validation_error` if it is too long. */
    async importSuppressions({
      table,
      kind,
      reason,
      source,
      author,
    }: Addition & {
      readonly table: SuppressionTable;
      readonly kind?: SuppressionKind | undefined;
    }) {
      const values = readSuppressionTable(table, kind);
      const placed = values.map((value) => ({ ...value, reason: value.reason || reason }));
      return add(database, placed, { source, author, at: now().toISOString() });
    },
    /** Removes entries by their ids, or those of a job's refusals. Returns their number. */
    async removeSuppressions(
      named: { readonly ids: readonly number[] } | { readonly job: string },
    ) {
      const removed = inTransaction(database, () => {
        const at = now().toISOString();
        const isOfJob = 'job' in named;
        const keys = isOfJob
          ? deleteEntriesOfJob(database, named.job)
          : deleteEntries(database, named.ids);
        const details = isOfJob ? { at, job: named.job } : { at };
        recordSuppressions(database, 'suppression_removed', keys, details);
        return keys.length;
      });
      if (removed > 0) onChange();
      return removed;
    },
  };
}

export type SuppressionCalls = ReturnType<typeof createSuppressionCommands>;
