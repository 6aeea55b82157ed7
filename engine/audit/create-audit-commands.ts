// The command that records actions outside of a transaction, on the writing connection.
import type { AuditState } from '../contract/audit/audit.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { type AuditNote, recordAudit } from './record-audit.ts';

export interface AuditReads {
  verifyAudit(command: { anchor?: string | undefined }): Promise<AuditState>;
}

export const createAuditCommands = (database: WritableDatabase, now: () => Date) => ({
  noteAudit: async (note: Omit<AuditNote, 'at'>) =>
    inTransaction(database, () => recordAudit(database, { ...note, at: now().toISOString() })),
});

export type AuditCalls = ReturnType<typeof createAuditCommands>;
