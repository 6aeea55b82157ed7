/** validate_emails and check_email_validation_status, for the validations of the account. */

import type { validationTools } from '../../contract/assistants/tools/validation.ts';
import type { ToolInput, ToolOutput } from '../../contract/assistants/tools.ts';
import { creditUnits, formatCredits } from '../../contract/credits.ts';
import { readValidation } from '../../validations/present-validation.ts';
import { estimateValidation } from '../../validations/validate-emails.ts';
import type { ToolCall } from './tool-call.ts';
import { countCredits, sayAtMost, type ToolHandlers } from './tool-handler.ts';

/**
 * Starts a validation. Throws `insufficient_credits`, `spending_cap_reached`, `approval_required`,
 * `validation_error` if it is switched off, and `idempotency_conflict`.
 */
async function validateList(
  call: ToolCall,
  args: ToolInput<'validate_emails'>,
): Promise<ToolOutput<'validate_emails'>> {
  const { environment, caller } = call;
  const estimate = estimateValidation(environment.database, caller, args.emails);
  const nothing = formatCredits(creditUnits(0));
  if (args.dry_run)
    return {
      status: 'not_started',
      total_emails: estimate.total_emails,
      price_per_email: estimate.price_per_email,
      credits_held: nothing,
      credits_charged: nothing,
      credits_at_most: estimate.credits_needed,
      dry_run: true,
    };
  const key = args.idempotency_key;
  const { validation } = await call.spendAllowed((asking) =>
    environment.writer.validateEmails({
      accountId: caller.accountId,
      keyId: caller.keyId,
      asking,
      emails: args.emails,
      idempotency: key === undefined ? null : { keyScope: caller.keyScope, key },
    }),
  );
  return {
    job_id: validation.job_id,
    status: validation.status,
    total_emails: validation.total_emails,
    price_per_email: validation.price_per_email,
    credits_held: validation.credits_held,
    credits_charged: validation.credits_charged,
  };
}

/** The progress of a validation, with a page of its verdicts. Throws `not_found`. */
function checkValidation(
  { environment, caller }: ToolCall,
  args: ToolInput<'check_email_validation_status'>,
): ToolOutput<'check_email_validation_status'> {
  const { results, ...validation } = readValidation(
    environment.database,
    caller.accountId,
    args.job_id,
    args,
  );
  const next = args.offset + results.length;
  const hasMore = results.length > 0 && next < validation.done_emails;
  return {
    job_id: validation.job_id,
    status: validation.status,
    ready: validation.ready,
    total_emails: validation.total_emails,
    done_emails: validation.done_emails,
    counts: validation.counts,
    credits_charged: validation.credits_charged,
    error_detail: validation.error_detail,
    results,
    next_offset: hasMore ? next : null,
  };
}

const summarizeStarted = (answer: ToolOutput<'validate_emails'>): string =>
  answer.dry_run
    ? `Validating ${answer.total_emails} addresses would cost ${sayAtMost(answer)}.`
    : `Validation ${answer.job_id} of ${answer.total_emails} addresses has started, ` +
      `${countCredits(answer.credits_held)} held. Call check_email_validation_status.`;

export const validationHandlers: ToolHandlers<keyof typeof validationTools> = {
  validate_emails: { handle: validateList, summarize: summarizeStarted },
  check_email_validation_status: {
    handle: async (call, args) => checkValidation(call, args),
    summarize: ({ status, done_emails: done, total_emails: total, results }) =>
      `The validation is ${status}: ${done} of ${total} addresses done, ${results.length} follow.`,
  },
};
