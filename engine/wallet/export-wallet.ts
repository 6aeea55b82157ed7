// The lines of the wallet as a file, in the order of the ledger.
import type { AuditDetails } from '../contract/audit/audit.ts';
import type { ExportFormat } from '../contract/exports/export-formats.ts';
import type { WalletFilter, WalletLine } from '../contract/wallet/wallet-lines.ts';
import { nameWalletLine } from '../contract/wallet/wallet-words.ts';
import { openDirectoryReadable } from '../directory/open-directory.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import {
  type ExportRow,
  listColumns,
  nothingChanged,
  type TableOpening,
} from '../spreadsheet/export/export-table.ts';
import { writeTable } from '../spreadsheet/export/write-table.ts';
import { checkSheetRows } from '../spreadsheet/export/write-workbook.ts';
import type { ExportSources, OpenedExport } from '../spreadsheet/export-calls.ts';
import type { ExportOptions } from '../spreadsheet/export-options.ts';
import { type LineRow, readLinesAfter } from './line.table.ts';
import { presentLine } from './present-line.ts';
import { hasName } from './search-lines.ts';

export interface WalletExport extends ExportOptions {
  readonly kind: 'wallet';
  readonly wallet: WalletFilter;
}

const columns: Readonly<Record<string, (line: WalletLine) => string | null>> = {
  Time: ({ at }) => at,
  What: ({ kind }) => nameWalletLine(kind),
  Name: ({ name }) => name,
  Client: ({ client }) => client.name ?? 'app',
  Added: ({ added }) => added,
  Held: ({ held }) => held,
  Charged: ({ charged }) => charged,
  Returned: ({ returned }) => returned,
  Net: ({ net }) => net,
  Balance: ({ balance }) => balance,
  Id: ({ work_id }) => work_id,
};

function isWanted(line: LineRow, { kind, client, since, until, name }: WalletFilter): boolean {
  const day = line.at.slice(0, 10);
  return (
    (kind === undefined || line.kind === kind) &&
    (client === undefined || (line.keyId ?? 'app') === client) &&
    (since === undefined || day >= since) &&
    (until === undefined || day <= until) &&
    hasName(line, name)
  );
}

/** Every line that matches, with its balance, in batches. */
function* readLines(
  database: ReadableDatabase,
  accountId: number,
  wallet: WalletFilter,
): Generator<{ line: LineRow; balance: number }[]> {
  let balance = 0;
  for (let after = 0; ; ) {
    const lines = readLinesAfter(database, accountId, after);
    const wanted: { line: LineRow; balance: number }[] = [];
    for (const line of lines) {
      balance += line.netUnits;
      if (isWanted(line, wallet)) wanted.push({ line, balance });
    }
    yield wanted;
    const end = lines.at(-1);
    if (!end) return;
    after = end.id;
  }
}

const numbers: ReadonlySet<string> = new Set([
  'Added',
  'Held',
  'Charged',
  'Returned',
  'Net',
  'Balance',
]);

export const nameWalletExport = (format: ExportFormat): string => `Wallet.${format}`;

export function countWalletRows(
  database: ReadableDatabase,
  accountId: number,
  wallet: WalletFilter,
): number {
  let rows = 0;
  for (const batch of readLines(database, accountId, wallet)) rows += batch.length;
  return rows;
}

function* readRows(
  database: ReadableDatabase,
  folder: string,
  { accountId, wallet }: WalletExport,
): Generator<readonly ExportRow[]> {
  const cells = Object.values(columns);
  const directoryDatabase = openDirectoryReadable(folder);
  try {
    for (const batch of readLines(database, accountId, wallet))
      yield batch.map(({ line, balance }) => {
        const shown = presentLine({ database, directoryDatabase }, line, balance);
        return { cells: cells.map((read) => read(shown) ?? ''), changed: nothingChanged };
      });
  } finally {
    directoryDatabase.close();
  }
}

/** The filter as the audit log has it: without a name, which may be that of a person. */
const describeFilter = ({ name, kind, client, since, until }: WalletFilter): AuditDetails => ({
  ...(kind !== undefined && { kind }),
  ...(client !== undefined && { client }),
  ...(since !== undefined && { since }),
  ...(until !== undefined && { until }),
  ...(name !== undefined && { by_name: true }),
});

/** Opens the export. The directory has the names of people who were looked up. */
export function exportWallet(
  { database, folder }: ExportSources,
  command: WalletExport,
): OpenedExport {
  const { accountId, wallet } = command;
  const rows = countWalletRows(database, accountId, wallet);
  if (command.format === 'xlsx') checkSheetRows(rows);
  const added = Object.keys(columns).map(
    (name) => ({ name, type: numbers.has(name) ? 'number' : 'text' }) as const,
  );
  const opening = function* (): TableOpening {
    const read = () => readRows(database, folder, command);
    return { columns: listColumns([], added), rows: read, changes: null };
  };
  return {
    fileName: nameWalletExport(command.format),
    rows,
    pieces: writeTable(opening(), command),
    note: { action: 'wallet_exported', accountId, details: describeFilter(wallet) },
  };
}
