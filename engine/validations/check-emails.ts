// The validator as other capabilities use it: only reasons, and what to store with their rows.
import type { ValidationReason } from '../contract/validations.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import type { EmailValidator } from './email-validator.ts';
import { keepDomainFindings } from './mail-domain.table.ts';

/** Charges nothing. `keep` stores findings about domains; call it in a transaction. */
export const createEmailCheck =
  (validator: EmailValidator, database: WritableDatabase) =>
  async (
    emails: readonly string[],
  ): Promise<{ reasons: readonly ValidationReason[]; keep(): void }> => {
    const { verdicts, findings } = await validator.validateEmails(emails);
    const reasons = verdicts.map(({ reason }) => reason);
    return { reasons, keep: () => keepDomainFindings(database, findings) };
  };
