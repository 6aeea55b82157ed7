/** `desk assistants folders …`: the folders from which assistants may have lists enriched. */
import { z } from 'zod';
import { readAbsolutePath } from '../../assistants/list-folders.ts';
import { type ListFolder, ListFolderSchema } from '../../contract/assistants/assistants.ts';
import { EngineError } from '../../contract/errors.ts';
import type { Call, Command } from '../kit/command.ts';

const path = 'assistants/folders';
const FoldersSchema = z.array(ListFolderSchema);

const describeFolder = ({ path: named, real_path: real }: ListFolder): string =>
  named === real ? named : `${named} (${real})`;

/** The folder that a line names, where the shell has left `~` as it is, too. */
function readFolder(call: Call): string {
  const [named = ''] = call.positionals;
  return readAbsolutePath(named) ?? call.resolvePath(named);
}

const addCommand: Command = {
  name: 'assistants folders add',
  summary: 'Let assistants have lists enriched that are in a folder',
  args: '<DIR>',
  notes: ['Folders in it are allowed with it. A link that leads out of it is not followed.'],
  async run(call) {
    const engine = await call.openEngine();
    const body = { path: readFolder(call) };
    const added = await engine.request(ListFolderSchema, 'POST', path, body);
    call.terminal.note('Assistants may have lists enriched from now on that are in');
    return { json: added, lines: [describeFolder(added)] };
  },
};

const removeCommand: Command = {
  name: 'assistants folders remove',
  summary: 'Allow a folder no longer; jobs that have begun go on',
  args: '<DIR>',
  async run(call) {
    const engine = await call.openEngine();
    const named = readFolder(call);
    const folders = await engine.request(FoldersSchema, 'GET', path);
    const found =
      folders.find((folder) => folder.path === named) ??
      folders.find((folder) => folder.real_path === named);
    if (!found)
      throw new EngineError(
        'not_found',
        `${named} is not among the folders of this account. See "desk assistants folders list".`,
      );
    const left = await engine.request(FoldersSchema, 'DELETE', `${path}/${found.id}`);
    return { json: left, lines: [`${found.path} is allowed no longer.`] };
  },
};

/** `desk assistants folders list`, `add` and `remove`. */
export const assistantCommands: readonly Command[] = [
  {
    name: 'assistants folders list',
    summary: 'List the folders from which assistants may have lists enriched',
    async run(call) {
      const engine = await call.openEngine();
      const folders = await engine.request(FoldersSchema, 'GET', path);
      const lines = folders.map(describeFolder);
      return { json: folders, lines: lines.length > 0 ? lines : ['No folder is allowed.'] };
    },
  },
  addCommand,
  removeCommand,
];
