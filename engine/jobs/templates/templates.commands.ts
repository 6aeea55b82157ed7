/** Commands about templates, served by the writer. */
import { EngineError } from '../../contract/errors.ts';
import { templatesMax } from '../../contract/limits/jobs.ts';
import type { NewTemplate } from '../../contract/reading/template.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import {
  countOthers,
  deleteTemplate,
  isNameTaken,
  putTemplate,
  renameTemplate,
} from './list-template.table.ts';

/** Commands of templates. */
export interface TemplateCalls {
  /** Returns the id. Rejects with `validation_error` if the account has too many. */
  saveTemplate(command: { accountId: number; template: NewTemplate }): Promise<number>;
  /** Rejects with `not_found`, and `validation_error` for a name that is taken. */
  renameTemplate(command: { accountId: number; id: number; name: string }): Promise<void>;
  /** Rejects with `not_found`. */
  deleteTemplate(command: { accountId: number; id: number }): Promise<void>;
}

const unknownTemplate = () => new EngineError('not_found', 'This template does not exist.');

/** Creates the commands. */
export function createTemplateCommands(database: WritableDatabase, now: () => Date): TemplateCalls {
  return {
    async saveTemplate({ accountId, template }) {
      if (countOthers(database, accountId, template.name) >= templatesMax)
        throw new EngineError(
          'validation_error',
          `There are ${templatesMax} templates. Delete one that you no longer use.`,
        );
      return putTemplate(database, accountId, template, now().toISOString());
    },
    async renameTemplate(command) {
      if (isNameTaken(database, command))
        throw new EngineError(
          'validation_error',
          `name: another template is called ${JSON.stringify(command.name)}.`,
        );
      if (!renameTemplate(database, command)) throw unknownTemplate();
    },
    async deleteTemplate(command) {
      if (!deleteTemplate(database, command)) throw unknownTemplate();
    },
  };
}
