// Templates: the columns and layers of lists, by name and account.
import type { CommandsOf } from '../../contract/endpoints.ts';
import { invalid, notFound } from '../../contract/errors.ts';
import { templatesMax } from '../../contract/limits/jobs.ts';
import { templates } from '../../contract/reading/template.ts';
import type { ApiServer, RouteDepsWith } from '../../http/route-deps.ts';
import { serve } from '../../http/serve.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import {
  countOthers,
  deleteTemplate,
  isNameTaken,
  listTemplates,
  putTemplate,
  renameTemplate,
} from './list-template.table.ts';

export type TemplateCommands = ReturnType<typeof createTemplateCommands>;

const unknownTemplate = () => notFound('This template does not exist.');

export function createTemplateCommands(database: WritableDatabase, now: () => Date) {
  const find = (accountId: number, id: number) => {
    const found = listTemplates(database, accountId).find((one) => one.id === id);
    if (!found) throw new Error(`no template ${id}`);
    return found;
  };
  return {
    async 'templates.save'({ accountId, ...template }) {
      if (countOthers(database, accountId, template.name) >= templatesMax)
        throw invalid(`There are ${templatesMax} templates. Delete one that you no longer use.`);
      return find(accountId, putTemplate(database, accountId, template, now().toISOString()));
    },
    async 'templates.rename'(command) {
      if (isNameTaken(database, command))
        throw invalid(`name: another template is called ${JSON.stringify(command.name)}.`);
      if (!renameTemplate(database, command)) throw unknownTemplate();
      return find(command.accountId, command.id);
    },
    async 'templates.remove'(command) {
      if (!deleteTemplate(database, command)) throw unknownTemplate();
      return { id: command.id };
    },
  } satisfies CommandsOf<typeof templates>;
}

export const addTemplateRoutes = (
  server: ApiServer,
  context: RouteDepsWith<TemplateCommands>,
): void =>
  serve(server, context, templates, {
    list: (_input, { accountId }) => listTemplates(context.environment.database, accountId),
  });
