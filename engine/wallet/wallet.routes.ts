/** Routes /app/v1/wallet/lines, /spend and /exports. */
import { z } from 'zod';
import { presentEntry } from '../accounts/present-entry.ts';
import { EngineError } from '../contract/errors.ts';
import { ExportAnswerSchema } from '../contract/jobs/app-jobs.ts';
import { walletClientsMax, walletEntriesMax } from '../contract/limits/wallet.ts';
import {
  WalletEntriesSchema,
  WalletExportRequestSchema,
  WalletPageSchema,
  WalletQuerySchema,
} from '../contract/wallet/wallet-lines.ts';
import { SpendQuerySchema, SpendReportSchema } from '../contract/wallet/wallet-spend.ts';
import { wholeNumberText } from '../contract/whole-number.ts';
import { callerOf } from '../http/credentials.ts';
import { answersOf, success } from '../http/responses.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { answerExport } from '../http/send-export.ts';
import { getEntries } from '../ledger/ledger.ts';
import { countWalletRows, nameWalletExport } from './export-wallet.ts';
import { getLine, listClients, listLineEntries, readBalanceAt } from './line.table.ts';
import { presentClient, presentLine } from './present-line.ts';
import { reportSpend } from './report-spend.ts';
import type { WalletRouteDeps } from './route-deps.ts';
import { findLines } from './search-lines.ts';

const LineParamsSchema = z.object({ id: wholeNumberText(1) });

function addLineRoutes(server: ApiServer, { environment }: WalletRouteDeps): void {
  server.get(
    '/wallet/lines',
    { schema: { querystring: WalletQuerySchema, response: answersOf(WalletPageSchema) } },
    async (request) => {
      const { database } = environment;
      const accountId = callerOf(request).account.id;
      const { lines, next } = findLines(database, accountId, request.query);
      return success({
        lines: lines.map((line) =>
          presentLine(environment, line, readBalanceAt(database, accountId, line.id)),
        ),
        next: next?.id ?? null,
        searched_to: next?.at ?? null,
        clients: listClients(database, accountId, walletClientsMax).map(presentClient),
      });
    },
  );
  server.get(
    '/wallet/lines/:id/entries',
    { schema: { params: LineParamsSchema, response: answersOf(WalletEntriesSchema) } },
    async (request) => {
      const { database } = environment;
      const accountId = callerOf(request).account.id;
      const line = getLine(database, accountId, request.params.id);
      if (!line) throw new EngineError('not_found', 'The wallet has no line with this id.');
      const ids = listLineEntries(database, accountId, line, walletEntriesMax + 1);
      const entries = getEntries(database, ids.slice(0, walletEntriesMax));
      return success({
        entries: entries.map((entry) => presentEntry(environment, entry)),
        has_more: ids.length > walletEntriesMax,
      });
    },
  );
}

function addSpendRoute(server: ApiServer, { environment }: WalletRouteDeps): void {
  server.get(
    '/wallet/spend',
    { schema: { querystring: SpendQuerySchema, response: answersOf(SpendReportSchema) } },
    async (request) =>
      success(reportSpend(environment.database, callerOf(request).account.id, request.query)),
  );
}

function addExportRoute(server: ApiServer, deps: WalletRouteDeps): void {
  const { environment } = deps;
  server.post(
    '/wallet/exports',
    { schema: { body: WalletExportRequestSchema, response: answersOf(ExportAnswerSchema) } },
    async (request) => {
      const {
        path,
        format,
        for_excel: forExcel,
        protect_all: protectAll,
        ...wallet
      } = request.body;
      const accountId = callerOf(request).account.id;
      const command = { accountId, wallet, format, forExcel, protectAll };
      const fileName = nameWalletExport(format);
      const countRows = () => countWalletRows(environment.database, accountId, wallet);
      const target = { path, fileName, countRows };
      return success(await answerExport(deps, command, target, request));
    },
  );
}

/** Adds the routes. The server must have the session hook. */
export function addWalletRoutes(server: ApiServer, context: WalletRouteDeps): void {
  addLineRoutes(server, context);
  addSpendRoute(server, context);
  addExportRoute(server, context);
}
