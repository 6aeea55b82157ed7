// The email validations of an environment as work for the scheduler: they take turns of one batch
// of addresses, in parallel with the jobs.
import type { WorkSource } from '../platform/scheduler/work-source.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import type { EmailValidator } from './email-validator.ts';
import { failValidation, validateNextEmails } from './validate-emails.ts';
import { nextOpenValidation, type ValidationRow } from './validation.table.ts';

interface ValidationSourceDeps {
  readonly database: WritableDatabase;
  readonly validator: EmailValidator;
  now(): Date;
  /** Called after the end of a validation with its account, whose balance has changed. */
  onEnd(accountId: number): void;
}

/** Creates the source. Wake its scheduler when a validation was started. */
export function createValidationSource(deps: ValidationSourceDeps): WorkSource<ValidationRow> {
  const { database, validator, now, onEnd } = deps;
  return {
    name: 'validation',
    inFlightMax: 1,
    next({ afterId }) {
      const item = nextOpenValidation(database, afterId ?? 0);
      return item && { item };
    },
    async run({ id, accountId }, { isStopping }) {
      const outcome = await validateNextEmails(database, validator, id, { now, isStopping });
      if (outcome === 'ended') onEnd(accountId);
    },
    fail({ id, accountId }, { detail }) {
      failValidation(database, id, `${detail} Nothing was charged; try again.`, now());
      onEnd(accountId);
    },
    abandon: validator.stop,
  };
}
