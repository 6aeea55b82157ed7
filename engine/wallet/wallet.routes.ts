// Answers the calls about lines of the wallet, the report of spending and exports.
import { presentEntry } from '../accounts/present-entry.ts';
import { creditUnits, formatCredits } from '../contract/credits.ts';
import { invalid, notFound } from '../contract/errors.ts';
import { spendPeriodsMax, walletClientsMax, walletEntriesMax } from '../contract/limits/wallet.ts';
import { walletLines } from '../contract/wallet/wallet-lines.ts';
import {
  type SpendReport,
  type SpendStep,
  spendParts,
  walletSpend,
} from '../contract/wallet/wallet-spend.ts';
import type { ApiServer, ExportTickets, RouteDepsWith } from '../http/route-deps.ts';
import { answerExport } from '../http/send-export.ts';
import { serve } from '../http/serve.ts';
import { getEntries } from '../ledger/ledger.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { toCredits } from '../providers/waterfall/provider-units.ts';
import type { ExportCalls } from '../spreadsheet/export-calls.ts';
import { countWalletRows, nameWalletExport, type WalletExport } from './export-wallet.ts';
import { getLine, listClients, listLineEntries, readBalanceAt } from './line.table.ts';
import { presentClient, presentLine } from './present-line.ts';
import { findLines } from './search-lines.ts';
import { listProviderSpend, listSpend } from './spend.table.ts';

const dayMs = 86_400_000;

export function startOf(day: string, step: SpendStep): string {
  if (step === 'day') return day;
  if (step === 'month') return `${day.slice(0, 8)}01`;
  const at = Date.parse(day);
  // getUTCDay: 0 is Sunday.
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7;
  return new Date(at - sinceMonday * dayMs).toISOString().slice(0, 10);
}

function nextOf(start: string, step: SpendStep): string {
  const [year = 0, month = 0] = start.split('-').map(Number);
  const at = step === 'month' ? Date.UTC(year, month) : Date.parse(start);
  const days = { day: 1, week: 7, month: 0 }[step];
  return new Date(at + days * dayMs).toISOString().slice(0, 10);
}

/** The first days of all periods. Throws `validation_error` if there are too many. */
function listPeriods(since: string, until: string, step: SpendStep): string[] {
  const periods: string[] = [];
  for (let start = startOf(since, step); start <= until; start = nextOf(start, step)) {
    periods.push(start);
    if (periods.length > spendPeriodsMax)
      throw invalid(
        `since: ${since} to ${until} are more than ${spendPeriodsMax} periods. Choose weeks or ` +
          'months, or a shorter time.',
      );
  }
  return periods;
}

function createSeries(periods: readonly string[]) {
  const places = new Map(periods.map((start, at) => [start, at]));
  const byName = new Map<string, number[]>();
  return {
    names: () => [...byName.keys()],
    add(name: string, start: string, units: number): void {
      const amounts = byName.get(name) ?? periods.map(() => 0);
      const at = places.get(start) ?? 0;
      amounts[at] = (amounts[at] ?? 0) + units;
      byName.set(name, amounts);
    },
    read(name: string) {
      const amounts = byName.get(name) ?? periods.map(() => 0);
      return { units: amounts.reduce((sum, one) => sum + one, 0), amounts };
    },
  };
}
type Series = ReturnType<typeof createSeries>;

const show = (units: number): string => formatCredits(creditUnits(units));
const presentSeries = ({ units, amounts }: ReturnType<Series['read']>) => ({
  total: show(units),
  by_period: amounts.map(show),
});

/** The report of an account. Throws `validation_error` if it has too many periods. */
export function reportSpend(
  database: ReadableDatabase,
  accountId: number,
  range: { readonly step: SpendStep; readonly since: string; readonly until: string },
): SpendReport {
  const { step } = range;
  const periods = listPeriods(range.since, range.until, step);
  const all = createSeries(periods);
  const parts = createSeries(periods);
  const clients = createSeries(periods);
  const providers = createSeries(periods);
  for (const { day, client, part, units } of listSpend(database, accountId, range)) {
    const start = startOf(day, step);
    all.add('', start, units);
    parts.add(part, start, units);
    clients.add(client, start, units);
  }
  for (const { day, provider, units } of listProviderSpend(database, accountId, range))
    providers.add(provider, startOf(day, step), units);
  const known = new Map(
    listClients(database, accountId, walletClientsMax).map((row) => [row.keyId ?? '', row]),
  );
  const { total, by_period } = presentSeries(all.read(''));
  return {
    step,
    periods,
    total,
    by_period,
    parts: spendParts
      .filter((part) => parts.names().includes(part))
      .map((part) => ({ part, ...presentSeries(parts.read(part)) })),
    clients: clients.names().map((client) => {
      const row = known.get(client);
      const { id, name } = row ? presentClient(row) : { id: client, name: client };
      return { id, name, ...presentSeries(clients.read(client)) };
    }),
    providers: providers.names().map((provider) => {
      const { units, amounts } = providers.read(provider);
      return { provider, total: toCredits(units), by_period: amounts.map(toCredits) };
    }),
  };
}

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
      if (!line) throw notFound('The wallet has no line with this id.');
      const ids = listLineEntries(database, accountId, line, walletEntriesMax + 1);
      const entries = getEntries(database, ids.slice(0, walletEntriesMax));
      return {
        entries: entries.map((entry) => presentEntry(environment, entry)),
        has_more: ids.length > walletEntriesMax,
      };
    },
    exportLines(given, { accountId, request }) {
      const { path, format, for_excel: forExcel, protect_all: protectAll, ...wallet } = given;
      const command: WalletExport = {
        kind: 'wallet',
        accountId,
        wallet,
        format,
        forExcel,
        protectAll,
      };
      const fileName = nameWalletExport(format);
      const countRows = () => countWalletRows(environment.database, accountId, wallet);
      return answerExport(context, command, { path, fileName, countRows }, request);
    },
  });
  serve(server, context, walletSpend, {
    read: (query, { accountId }) => reportSpend(environment.database, accountId, query),
  });
}
