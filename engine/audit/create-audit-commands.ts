/** The command that records actions outside of a transaction, on the writing connection. */
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import type { AuditCalls } from './audit.commands.ts';
import { recordAudit } from './record-audit.ts';

export const createAuditCommands = (database: WritableDatabase, now: () => Date): AuditCalls => ({
  noteAudit: async (note) =>
    inTransaction(database, () => recordAudit(database, { ...note, at: now().toISOString() })),
});
