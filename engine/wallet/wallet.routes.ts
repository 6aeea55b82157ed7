/** Answers the calls about lines of the wallet, the report of spending and exports. */

import { presentEntry } from '../accounts/present-entry.ts';
import { EngineError } from '../contract/errors.ts';
import { walletClientsMax, walletEntriesMax } from '../contract/limits/wallet.ts';
import { walletLines } from '../contract/wallet/wallet-lines.ts';
import { walletSpend } from '../contract/wallet/wallet-spend.ts';
import type { ApiServer, ExportTickets, RouteDepsWith } from '../http/route-deps.ts';
import { answerExport } from '../http/send-export.ts';
import { serve } from '../http/serve.ts';
import { getEntries } from '../ledger/ledger.ts';
import type { ExportCalls } from '../spreadsheet/export.commands.ts';
import { countWalletRows, nameWalletExport, type WalletExport } from './export-wallet.ts';
import { getLine, listClients, listLineEntries, readBalanceAt } from './line.table.ts';
import { presentClient, presentLine } from './present-line.ts';
import { reportSpend } from './report-spend.ts';
import { findLines } from './search-lines.ts';

interface WalletRouteDeps extends RouteDepsWith<unknown, ExportCalls<WalletExport>> {
  readonly tickets: ExportTickets<WalletExport>;
}

export function addWalletRoutes(server: ApiServer, context: WalletRouteDeps): void {
  const { environment } = context;
  serve(server, context, walletLines, {
    list(query, { accountId }) {
      const { database } = environment;
      const { lines, next } = findLines(database, accountId, query);
      return {
        lines: lines.map((line) =>
          presentLine(environment, line, readBalanceAt(database, accountId, line.id)),
        ),
        next: next?.id ?? null,
        searched_to: next?.at ?? null,
        clients: listClients(database, accountId, walletClientsMax).map(presentClient),
      };
    },
    entries({ id }, { accountId }) {
      const { database } = environment;
      const line = getLine(database, accountId, id);
      if (!line) throw new EngineError('not_found', 'The wallet has no line with this id.');
      const ids = listLineEntries(database, accountId, line, walletEntriesMax + 1);
      const entries = getEntries(database, ids.slice(0, walletEntriesMax));
      return {
        entries: entries.map((entry) => presentEntry(environment, entry)),
        has_more: ids.length > walletEntriesMax,
      };
    },
    exportLines(given, { accountId, request }) {
      const { path, format, for_excel: forExcel, protect_all: protectAll, ...wallet } = given;
      const command = { accountId, wallet, format, forExcel, protectAll };
      const fileName = nameWalletExport(format);
      const countRows = () => countWalletRows(environment.database, accountId, wallet);
      return answerExport(context, command, { path, fileName, countRows }, request);
    },
  });
  serve(server, context, walletSpend, {
    read: (query, { accountId }) => reportSpend(environment.database, accountId, query),
  });
}
