// Answers the calls about email validations: start one, follow it, read its verdicts.
import { validations } from '../contract/validations.ts';
import { idempotencyOf } from '../http/approval-origin.ts';
import { linkPages } from '../http/page-links.ts';
import type { ApiServer, RouteDepsWith } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
import { presentValidation, readValidation, requireValidation } from './present-validation.ts';
import { estimateValidation, type ValidationCalls } from './validate-emails.ts';
import { listValidations } from './validation.table.ts';

type ValidationRouteDeps = RouteDepsWith<ValidationCalls>;

export function addValidationRoutes(server: ApiServer, context: ValidationRouteDeps): void {
  const { environment } = context;
  serve(server, context, validations, {
    estimate: ({ emails }, { accountId }) =>
      estimateValidation(environment.database, { accountId, keyId: null }, emails),
    async start({ emails, idempotency_key: key }, { accountId, caller, reply, request }) {
      const idempotency =
        key === undefined ? idempotencyOf(request) : { keyScope: caller.keyScope, key };
      const order = { accountId, keyId: null, emails, idempotency };
      const { validation, replayed } = await environment.writer.validateEmails(order);
      if (replayed) reply.code(200);
      return validation;
    },
    list(page, { accountId, request }) {
      const { count, validations: rows } = listValidations(environment.database, accountId, page);
      return { count, ...linkPages(request, page, count), results: rows.map(presentValidation) };
    },
    read: ({ job_id: id }, { accountId }) =>
      presentValidation(requireValidation(environment.database, accountId, id)),
    verdicts({ job_id: id, ...page }, { accountId, request }) {
      const read = readValidation(environment.database, accountId, id, page);
      const { results, ...validation } = read;
      const count = validation.status === 'failed' ? 0 : validation.done_emails;
      return { count, ...linkPages(request, page, count), validation, results };
    },
  });
}
