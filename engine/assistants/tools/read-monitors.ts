/** list_monitors and list_job_changes: monitors, and what their runs found. */
import type { monitorTools } from '../../contract/assistants/tools/monitors.ts';
import type { ToolInput, ToolOutput } from '../../contract/assistants/tools.ts';
import { listMonitors } from '../../monitors/monitor.table.ts';
import { presentMonitor } from '../../monitors/present-monitor.ts';
import {
  countFindings,
  readFindingsPage,
  requireOpenFindings,
} from '../../monitors/read-findings.ts';
import type { ToolCall } from './tool-call.ts';
import type { ToolHandlers } from './tool-handler.ts';

function readMonitors({
  environment: { database },
  caller,
}: ToolCall): ToolOutput<'list_monitors'> {
  const monitors = listMonitors(database, caller.accountId).map((row) => {
    const { last_job: last_run, ...monitor } = presentMonitor(database, row);
    return { ...monitor, last_run };
  });
  return { monitors };
}

function readJobChanges(
  { environment, caller }: ToolCall,
  { job_id: id, ...page }: ToolInput<'list_job_changes'>,
): ToolOutput<'list_job_changes'> {
  const open = requireOpenFindings(environment.database, caller.accountId, id);
  return {
    total: countFindings(open.monitorJob, page.status),
    results: readFindingsPage(environment, open, page),
  };
}

/** list_monitors and list_job_changes. */
export const monitorHandlers: ToolHandlers<keyof typeof monitorTools> = {
  list_monitors: {
    handle: async (call) => readMonitors(call),
    summarize: ({ monitors }) => `${monitors.length} monitors follow. Free.`,
  },
  list_job_changes: {
    handle: async (call, args) => readJobChanges(call, args),
    summarize: ({ total, results }) =>
      `${total} people match; ${results.length} of them follow. Free.`,
  },
};
