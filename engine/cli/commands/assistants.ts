// `desk assistants folders …`: the folders whose lists assistants may have enriched.
import { readAbsolutePath } from '../../assistants/list-folders.ts';
import { assistants, type ListFolder } from '../../contract/assistants/assistants.ts';
import { notFound } from '../../contract/errors.ts';
import type { Call, Command } from '../kit/command.ts';

const describeFolder = ({ path: named, real_path: real }: ListFolder): string =>
  named === real ? named : `${named} (${real})`;

/** The folder that a line names, also with a `~` that the shell did not expand. */
function readFolder(call: Call): string {
  const [named = ''] = call.positionals;
  return readAbsolutePath(named) ?? call.resolvePath(named);
}

const addCommand: Command = {
  name: 'assistants folders add',
  summary: 'Allow assistants to enrich the lists in a folder',
  args: '<DIR>',
  notes: ['This includes its subfolders. Links that lead out of the folder are not followed.'],
  async run(call) {
    const engine = await call.openEngine();
    const added = await engine.ask(assistants.allowFolder, { path: readFolder(call) });
    call.terminal.note('Assistants may now enrich the lists in this folder:');
    return { json: added, lines: [describeFolder(added)] };
  },
};

const removeCommand: Command = {
  name: 'assistants folders remove',
  summary: 'Stop allowing a folder; jobs that have started continue',
  args: '<DIR>',
  async run(call) {
    const engine = await call.openEngine();
    const named = readFolder(call);
    const folders = await engine.ask(assistants.folders);
    const found =
      folders.find((folder) => folder.path === named) ??
      folders.find((folder) => folder.real_path === named);
    if (!found)
      throw notFound(
        `${named} is not among the folders of this account. See "desk assistants folders list".`,
      );
    const left = await engine.ask(assistants.removeFolder, { id: found.id });
    return { json: left, lines: [`${found.path} is no longer allowed.`] };
  },
};

export const assistantCommands: readonly Command[] = [
  {
    name: 'assistants folders list',
    summary: 'List the folders whose lists assistants may enrich',
    async run(call) {
      const engine = await call.openEngine();
      const folders = await engine.ask(assistants.folders);
      const lines = folders.map(describeFolder);
      return { json: folders, lines: lines.length > 0 ? lines : ['No folder is allowed.'] };
    },
  },
  addCommand,
  removeCommand,
];
