/** Routes /app/v1/email-validations: start a validation, follow it, read its verdicts. */
import { z } from 'zod';
import { UuidSchema } from '../contract/ids.ts';
import {
  ValidateEmailsSchema,
  ValidationEstimateSchema,
  ValidationPageSchema,
  ValidationSchema,
  VerdictPageSchema,
} from '../contract/validations.ts';
import { PageQuerySchema } from '../contract/whole-number.ts';
import { callerOf } from '../http/credentials.ts';
import { linkPages } from '../http/page-links.ts';
import { answersOf, longAnswersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { presentValidation, readValidation, requireValidation } from './present-validation.ts';
import type { ValidationRouteDeps } from './route-deps.ts';
import { estimateValidation } from './validate-emails.ts';
import { listValidations } from './validation.table.ts';

const mayBeLong = { config: { bodyPlan: 'validation' } } as const;
const IdParamsSchema = z.object({ job_id: UuidSchema.toLowerCase() });

function addStartRoutes(server: ApiServer, { environment }: ValidationRouteDeps): void {
  server.post(
    '/email-validations/estimate',
    {
      ...mayBeLong,
      schema: { body: ValidateEmailsSchema, response: answersOf(ValidationEstimateSchema) },
    },
    async (request) => {
      const { account } = callerOf(request);
      return success(estimateValidation(environment.database, account.id, request.body.emails));
    },
  );
  server.post(
    '/email-validations',
    {
      ...mayBeLong,
      schema: { body: ValidateEmailsSchema, response: answersOf(ValidationSchema, 200, 202) },
    },
    async (request, reply) => {
      const { account, keyScope } = callerOf(request);
      const { emails, idempotency_key: key } = request.body;
      const { validation, replayed } = await environment.writer.validateEmails({
        accountId: account.id,
        keyId: null,
        emails,
        idempotency: key === undefined ? null : { keyScope, key },
      });
      return reply.code(replayed ? 200 : 202).send(success(validation));
    },
  );
}

function addReadRoutes(server: ApiServer, { environment }: ValidationRouteDeps): void {
  server.get(
    '/email-validations',
    { schema: { querystring: PageQuerySchema, response: longAnswersOf(ValidationPageSchema) } },
    async (request) => {
      const { account } = callerOf(request);
      const { count, validations } = listValidations(
        environment.database,
        account.id,
        request.query,
      );
      const results = validations.map(presentValidation);
      return success({ count, ...linkPages(request, request.query, count), results });
    },
  );
  server.get(
    '/email-validations/:job_id',
    { schema: { params: IdParamsSchema, response: answersOf(ValidationSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const row = requireValidation(environment.database, accountId, request.params.job_id);
      return success(presentValidation(row));
    },
  );
  server.get(
    '/email-validations/:job_id/results',
    {
      schema: {
        params: IdParamsSchema,
        querystring: PageQuerySchema,
        response: longAnswersOf(VerdictPageSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { params, query } = request;
      const read = readValidation(environment.database, accountId, params.job_id, query);
      const { results, ...validation } = read;
      const count = validation.status === 'failed' ? 0 : validation.done_emails;
      return success({ count, ...linkPages(request, query, count), validation, results });
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addValidationRoutes(server: ApiServer, context: ValidationRouteDeps): void {
  addStartRoutes(server, context);
  addReadRoutes(server, context);
}
