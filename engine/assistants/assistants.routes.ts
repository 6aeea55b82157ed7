/**
 * Routes /app/v1/assistants: limits and activity of tool-server clients, folders of lists, and
 * approvals for any client. Keys of assistants have no access.
 */

import { z } from 'zod';
import { readKeyLimits } from '../accounts/accounts.routes.ts';
import { KeySchema } from '../contract/accounts.ts';
import {
  type Approval,
  ApprovalAnswerSchema,
  AssistantCallSchema,
  AssistantCallsQuerySchema,
  AssistantChangeSchema,
  AssistantsSchema,
  ListFolderSchema,
  NewListFolderSchema,
} from '../contract/assistants/assistants.ts';
import { EngineError } from '../contract/errors.ts';
import { UuidSchema } from '../contract/ids.ts';
import { wholeNumberText } from '../contract/whole-number.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { listApprovals } from '../ledger/approve-spending.ts';
import {
  readSuppressionList,
  type SuppressionList,
  withheldArguments,
} from '../suppression/suppression-list.ts';
import { describeToolCall, listAssistants } from './assistants.ts';
import { describeListFolders, findFolder } from './list-folders.ts';
import type { AssistantRouteDeps } from './route-deps.ts';
import { listToolCalls } from './tool-call.table.ts';

const IdParamsSchema = z.object({ id: UuidSchema.toLowerCase() });
const FolderParamsSchema = z.object({ id: wholeNumberText(1) });

/** Folders by id. The answer is the list, or the added folder. */
function addFolderRoutes(server: ApiServer, { environment }: AssistantRouteDeps): void {
  const path = '/assistants/folders';
  const folders = answersOf(z.array(ListFolderSchema));
  server.get(path, { schema: { response: folders } }, async (request) =>
    success(describeListFolders(environment.database, callerOf(request).account.id)),
  );
  server.post(
    path,
    { schema: { body: NewListFolderSchema, response: answersOf(ListFolderSchema, 201) } },
    async (request, reply) => {
      const place = await findFolder(environment, request.body.path);
      const accountId = callerOf(request).account.id;
      const allowed = await environment.writer.allowListFolder({ accountId, ...place });
      return reply.code(201).send(success(allowed));
    },
  );
  server.delete(
    `${path}/:id`,
    { schema: { params: FolderParamsSchema, response: folders } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      await environment.writer.removeListFolder({ accountId, id: request.params.id });
      return success(describeListFolders(environment.database, accountId));
    },
  );
}

const listOf = ({ database, directoryDatabase }: AssistantRouteDeps['environment']) =>
  readSuppressionList(database, directoryDatabase);

/** A request as it may be shown: without arguments that name anything suppressed. */
const withhold = (approval: Approval, list: SuppressionList): Approval =>
  list.namesJson(approval.arguments) ? { ...approval, arguments: withheldArguments } : approval;

function addCallsRoute(server: ApiServer, { environment }: AssistantRouteDeps): void {
  server.get(
    '/assistants/calls',
    {
      schema: {
        querystring: AssistantCallsQuerySchema,
        response: answersOf(z.array(AssistantCallSchema)),
      },
    },
    async (request) => {
      const { limit, before } = request.query;
      const { id } = callerOf(request).account;
      return success(
        listToolCalls(environment.database, id, { limit, before }).map((call) =>
          describeToolCall(call, listOf(environment)),
        ),
      );
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addAssistantRoutes(server: ApiServer, context: AssistantRouteDeps): void {
  const { environment, waitingCalls, now } = context;
  addFolderRoutes(server, context);
  addCallsRoute(server, context);
  server.get(
    '/assistants',
    { schema: { response: answersOf(AssistantsSchema) } },
    async (request) => {
      const { id } = callerOf(request).account;
      const at = new Date(now());
      const assistants = listAssistants(environment.database, id, at);
      const approvals = listApprovals(environment.database, id, at);
      const list = listOf(environment);
      return success({ assistants, approvals: approvals.map((one) => withhold(one, list)) });
    },
  );
  server.patch(
    '/assistants/:id',
    {
      schema: {
        params: IdParamsSchema,
        body: AssistantChangeSchema,
        response: answersOf(KeySchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { id } = request.params;
      const limits = readKeyLimits(request.body);
      return success(await environment.writer.changeKey({ accountId, id, ...limits }));
    },
  );
  server.post(
    '/assistants/approvals/:id',
    {
      schema: {
        params: IdParamsSchema,
        body: ApprovalAnswerSchema,
        response: answersOf(z.object({})),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { id } = request.params;
      const { allow: isAllowed } = request.body;
      const answer = { accountId, id, isAllowed, by: 'app' } as const;
      if (!(await environment.writer.answerApproval(answer)))
        throw new EngineError(
          'not_found',
          'This request was already answered or has expired. The client may send it again.',
        );
      waitingCalls.resolveCall(id, isAllowed);
      return success({});
    },
  );
}
