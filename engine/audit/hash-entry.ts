// The hash of an entry: SHA-256 over the hash of the entry before, a line feed, and the entry as a
// JSON array of its columns in the order of the table. The first entry follows 64 zeros.
import { createHash } from 'node:crypto';
import type { AuditRow } from './audit.table.ts';

/** What the first entry follows. */
export const firstHash = '0'.repeat(64);

/** The hash of an entry, in lower-case hexadecimal. */
export const hashEntry = (previous: string, row: Omit<AuditRow, 'hash'>): string =>
  createHash('sha256')
    .update(
      `${previous}\n${JSON.stringify([
        row.id,
        row.at,
        row.environment,
        row.actorKind,
        row.actor,
        row.keyPrefix,
        row.account,
        row.action,
        row.subject,
        row.rowCount,
        row.creditUnits,
        row.details,
      ])}`,
    )
    .digest('hex');
