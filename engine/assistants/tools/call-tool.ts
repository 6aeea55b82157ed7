/** The handlers of all tools, one group for each of contract/assistants/tools/. */

import type { importTools } from '../../contract/assistants/tools/import.ts';
import type { monitorTools } from '../../contract/assistants/tools/monitors.ts';
import type { searchTools } from '../../contract/assistants/tools/search.ts';
import type { walletTools } from '../../contract/assistants/tools/wallet.ts';
import type { ToolInput, ToolName, ToolOutput } from '../../contract/assistants/tools.ts';
import { describeImportCounts } from '../../contract/directory.ts';
import { presentWallet } from '../../ledger/present-wallet.ts';
import { listMonitors } from '../../monitors/monitor.table.ts';
import { presentMonitor } from '../../monitors/present-monitor.ts';
import {
  countFindings,
  readFindingsPage,
  requireOpenFindings,
} from '../../monitors/read-findings.ts';
import { listLatestBalances } from '../../providers/spend/provider-balance.table.ts';
import { openListFile } from '../open-list-file.ts';
import { listHandlers } from './enrich-list.ts';
import { enrichHandlers } from './enrich-person.ts';
import { finishHandlers } from './finish-list.ts';
import type { ToolCall } from './tool-call.ts';
import { countCredits, type ToolHandlers } from './tool-handler.ts';
import { unlockHandlers } from './unlock-contacts.ts';
import { validationHandlers } from './validate-list.ts';

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
const monitorHandlers: ToolHandlers<keyof typeof monitorTools> = {
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

const importHandlers: ToolHandlers<keyof typeof importTools> = {
  import_list: {
    handle: importList,
    summarize: (report) =>
      `${report.source}: ${describeImportCounts(report, count) || 'nothing changed'}. Free.`,
  },
};

interface Found {
  readonly total: number;
  readonly total_is_estimate?: true | undefined;
  readonly results: readonly unknown[];
}

const sayFound = ({ total, total_is_estimate: isEstimate, results }: Found, nouns: string) =>
  `${isEstimate ? 'About ' : ''}${total} ${nouns} match; ${results.length} of them follow. Free.`;

const searchHandlers: ToolHandlers<keyof typeof searchTools> = {
  search_contacts: {
    handle: ({ environment }, args) => environment.search.contacts(args),
    summarize: (found) => sayFound(found, 'contacts'),
  },
  search_companies: {
    async handle({ environment }, args) {
      const { results, ...found } = await environment.search.companies(args);
      // The raw employees and revenue are for the app.
      return { ...found, results: results.map(({ employees, revenue, ...company }) => company) };
    },
    summarize: (found) => sayFound(found, 'companies'),
  },
};

const walletHandlers: ToolHandlers<keyof typeof walletTools> = {
  check_wallet: {
    async handle({ environment: { database }, caller }) {
      const balances = listLatestBalances(database).map(({ at, ...balance }) => ({
        ...balance,
        read_at: at,
      }));
      const wallet = presentWallet(database, caller.accountId);
      return { ...wallet, ...(balances.length > 0 && { data_services: balances }) };
    },
    summarize: ({ available, held, spent, data_services: services = [] }) =>
      [
        `${countCredits(available)} available, ${Number(held)} held, ${Number(spent)} spent.`,
        ...services.map(
          ({ provider, credits, read_at: at }) => `${provider}: ${credits} at ${at}.`,
        ),
      ].join(' '),
  },
};

export const toolHandlers: ToolHandlers<ToolName> = {
  ...searchHandlers,
  ...unlockHandlers,
  ...enrichHandlers,
  ...walletHandlers,
  ...validationHandlers,
  ...listHandlers,
  ...finishHandlers,
  ...importHandlers,
  ...monitorHandlers,
};
