/** Commands about the audit log: entries about work that is not a transaction, and checks. */
import type { AuditState } from '../contract/audit/audit.ts';
import type { AuditNote } from './record-audit.ts';

export interface AuditCalls {
  /** Records an action on files or on the directory, in a transaction of its own. */
  noteAudit(command: Omit<AuditNote, 'at'>): Promise<void>;
}

export interface AuditReads {
  /** Checks the chain, in batches. */
  verifyAudit(command: { anchor?: string | undefined }): Promise<AuditState>;
}
