/** Routes /app/v1/templates: the columns and layers of lists, by name and account. */
import { z } from 'zod';
import {
  NewTemplateSchema,
  TemplateRenameSchema,
  TemplateSchema,
  TemplatesSchema,
} from '../../contract/reading/template.ts';
import { wholeNumberText } from '../../contract/whole-number.ts';
import { callerOf } from '../../http/credentials.ts';
import { answersOf, success } from '../../http/responses.ts';
import type { ApiServer, RouteDepsWith } from '../../http/route-deps.ts';
import { listTemplates } from './list-template.table.ts';
import type { TemplateCalls } from './templates.commands.ts';

const ParamsSchema = z.object({ id: wholeNumberText(1) });

/** Adds the routes. The server must have the session hook. */
export function addTemplateRoutes(
  server: ApiServer,
  { environment }: RouteDepsWith<TemplateCalls>,
): void {
  const find = (accountId: number, id: number) => {
    const found = listTemplates(environment.database, accountId).find((one) => one.id === id);
    if (!found) throw new Error(`no template ${id}`);
    return found;
  };
  server.get('/templates', { schema: { response: answersOf(TemplatesSchema) } }, async (request) =>
    success(listTemplates(environment.database, callerOf(request).account.id)),
  );
  server.post(
    '/templates',
    { schema: { body: NewTemplateSchema, response: answersOf(TemplateSchema) } },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const id = await environment.writer.saveTemplate({ accountId, template: request.body });
      return success(find(accountId, id));
    },
  );
  server.patch(
    '/templates/:id',
    {
      schema: {
        params: ParamsSchema,
        body: TemplateRenameSchema,
        response: answersOf(TemplateSchema),
      },
    },
    async (request) => {
      const accountId = callerOf(request).account.id;
      const { id } = request.params;
      await environment.writer.renameTemplate({ accountId, id, name: request.body.name });
      return success(find(accountId, id));
    },
  );
  server.delete(
    '/templates/:id',
    { schema: { params: ParamsSchema, response: answersOf(z.object({ id: z.int() })) } },
    async (request) => {
      const { id } = request.params;
      await environment.writer.deleteTemplate({ accountId: callerOf(request).account.id, id });
      return success({ id });
    },
  );
}
