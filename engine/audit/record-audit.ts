// Adds entries to the audit log, in the transaction of the action: both are there, or neither.
import { createHmac } from 'node:crypto';
import type { AuditAction } from '../contract/audit/actions.ts';
import type { AuditDetails } from '../contract/audit/audit.ts';
import type { CreditUnits } from '../contract/credits.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { liveSchema } from '../platform/sqlite/open-store.ts';
import { type CallOrigin, currentOrigin } from '../platform/workers/call-origin.ts';
import {
  type AuditActor,
  type AuditSchema,
  findAccountUuid,
  findKeyActor,
  findStarter,
  getAuditHead,
  insertAuditRow,
  readAuditKey,
} from './audit.table.ts';
import { firstHash, hashEntry } from './hash-entry.ts';

/** An action to record. It has no value of a person and no secret. */
export interface AuditNote {
  readonly action: AuditAction;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** The account that it concerns; by default that of the request. Null for none. */
  readonly accountId?: number | null;
  readonly subject?: string;
  /** Rows, people or values. */
  readonly rows?: number;
  readonly units?: CreditUnits;
  readonly details?: AuditDetails;
  /** The API key in whose name a scheduler works; by default the caller of the request. */
  readonly keyId?: string | null;
  /** The entry whose actor a scheduler works for, if no key does. */
  readonly startedBy?: { readonly action: AuditAction; readonly subject: string };
  /** By default that of the connection. */
  readonly environment?: EnvironmentName;
}

const channels: Readonly<Record<Exclude<CallOrigin['channel'], 'key'>, AuditActor>> = {
  app: { actorKind: 'app', actor: 'app', keyPrefix: null },
  command_line: { actorKind: 'command_line', actor: 'command line', keyPrefix: null },
};
const engine: AuditActor = { actorKind: 'engine', actor: 'engine', keyPrefix: null };

function findActor(
  database: ReadableDatabase,
  origin: CallOrigin | null,
  { keyId = null, startedBy }: AuditNote,
): AuditActor {
  const usedKeyId = keyId ?? origin?.keyId ?? null;
  const key = usedKeyId === null ? undefined : findKeyActor(database, usedKeyId);
  if (key) return key;
  if (origin && origin.channel !== 'key') return channels[origin.channel];
  const { action, subject } = startedBy ?? {};
  return (action && subject && findStarter(database, action, subject)) || engine;
}

/**
 * Adds an entry to the log. Throws 'audit_outside_transaction' unless the caller is in the
 * transaction of the action.
 * @param schema the log; that of the live environment for actions on the suppression list
 */
export function recordAudit(
  database: WritableDatabase,
  note: AuditNote,
  schema: AuditSchema = 'main',
): void {
  if (!database.inTransaction) throw new Error('audit_outside_transaction');
  const origin = currentOrigin();
  const accountId = note.accountId === undefined ? (origin?.accountId ?? null) : note.accountId;
  const actor = findActor(database, origin, note);
  const head = getAuditHead(database, schema);
  const row = {
    ...actor,
    id: (head?.id ?? 0) + 1,
    at: note.at,
    environment: note.environment ?? (liveSchema(database) === 'live' ? 'staging' : 'live'),
    // SQLite stores no lone surrogates, and the hash is over what is stored.
    actor: actor.actor.toWellFormed(),
    account: accountId === null ? null : (findAccountUuid(database, accountId) ?? null),
    action: note.action,
    subject: (note.subject ?? '').toWellFormed(),
    rowCount: note.rows ?? null,
    creditUnits: note.units ?? null,
    details: JSON.stringify(note.details ?? {}),
  };
  insertAuditRow(database, schema, { ...row, hash: hashEntry(head?.hash ?? firstHash, row) });
}

export const describeChange = (
  before: Readonly<Record<string, string | number | boolean | null>>,
  after: Readonly<Record<string, string | number | boolean | null>>,
): AuditDetails =>
  Object.fromEntries(
    Object.keys(after)
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, [before[name] ?? null, after[name] ?? null]]),
  );

/**
 * The keyed hash by which entries name a value, such as a suppressed address: equal values of one
 * data folder have equal hashes. 32 hexadecimal characters.
 */
export const hashAuditValue = (
  database: ReadableDatabase,
  value: string,
  schema: AuditSchema = 'main',
): string =>
  createHmac('sha256', readAuditKey(database, schema)).update(value).digest('hex').slice(0, 32);
