/** import_list: a file of an allowed folder into the directory. */
import type { importTools } from '../../contract/assistants/tools/import.ts';
import type { ToolInput, ToolOutput } from '../../contract/assistants/tools.ts';
import { describeImportCounts } from '../../contract/directory.ts';
import { openListFile } from '../open-list-file.ts';
import type { ToolCall } from './tool-call.ts';
import type { ToolHandlers } from './tool-handler.ts';

async function importList(
  call: ToolCall,
  { path: named, kind }: ToolInput<'import_list'>,
): Promise<ToolOutput<'import_list'>> {
  const { environment, caller, signal } = call;
  const file = await openListFile(environment, caller.accountId, named);
  return call.withCopy(file, (path) =>
    environment.reader.importDirectory(
      kind === 'people'
        ? { peoplePath: path, peopleName: file.fileName }
        : { companiesPath: path, companiesName: file.fileName },
      signal,
    ),
  );
}

const count = (number: number, one: string, many: string) =>
  `${number} ${number === 1 ? one : many}`;

export const importHandlers: ToolHandlers<keyof typeof importTools> = {
  import_list: {
    handle: importList,
    summarize: (report) =>
      `${report.source}: ${describeImportCounts(report, count) || 'nothing changed'}. Free.`,
  },
};
