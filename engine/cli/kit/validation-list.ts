// Reads the addresses of a spreadsheet's column, and writes the rows with their verdicts.
import { basename } from 'node:path';
import { validationEmailCharactersMax } from '../../contract/limits/validations.ts';
import type { Reading } from '../../contract/reading/reading.ts';
import type { EmailVerdict } from '../../contract/validations.ts';
import { readEmails, unwrapCell } from '../../directory/normalize/read-cell.ts';
import { formatRecord } from '../../spreadsheet/format-record.ts';
import { nameColumns } from '../../spreadsheet/name-columns.ts';
import { type PreparedTable, prepareTable } from '../../spreadsheet/prepare-table.ts';
import { listColumns } from '../../spreadsheet/recognize-columns.ts';
import { rowInputColumns } from '../../spreadsheet/row-input-columns.ts';
import { addressKey } from '../../validations/parse-address.ts';
import { badUsage } from './refusal.ts';
import { writeWhole } from './write-whole.ts';

const addedHeaders = ['Email validation status', 'Email validation reason'];

/** Addresses by the key that their spellings share. The value is the first spelling. */
export type AddressList = ReadonlyMap<string, string>;

/** The columns of the addresses: the named one, else the recognised ones, the best first. */
function findColumns(headers: readonly string[], name: string | undefined): readonly number[] {
  const wanted = name?.trim().toLowerCase();
  const found =
    wanted === undefined
      ? (listColumns(headers, { email: rowInputColumns.email }).email ?? [])
      : [headers.findIndex((header) => header.trim().toLowerCase() === wanted)];
  if (found.length > 0 && !found.includes(-1)) return found;
  const known = headers.map((header) => JSON.stringify(header)).join(', ');
  throw badUsage(
    name === undefined
      ? `No column was recognised as that of the addresses. Name it with --column: ${known}.`
      : `--column: there is no column ${JSON.stringify(name)}. There are ${known}.`,
  );
}

export interface ListToValidate {
  readonly inPath: string;
  /** The header of the addresses; a recognised one if undefined. */
  readonly column: string | undefined;
  readonly reading: Partial<Reading>;
}

/** How a list was read, and the names of its columns without addresses. */
interface ReadList {
  readonly table: PreparedTable;
  readonly unread: readonly string[];
}

async function readRows(
  { inPath, column: columnName, reading }: ListToValidate,
  onRow: (cells: readonly string[], email: string, headers: readonly string[]) => void,
): Promise<ReadList> {
  let columns: readonly number[] | null = null;
  const table = await prepareTable({
    sourcePath: inPath,
    fileName: basename(inPath),
    targetDir: null,
    reading,
    onRow(_line, cells, headers) {
      columns ??= findColumns(headers, columnName);
      const filled = columns.map((at) => unwrapCell(cells[at] ?? '')).filter(Boolean);
      const email = filled.flatMap((cell) => readEmails(cell))[0] ?? filled[0];
      onRow(cells, email ?? '', headers);
    },
  });
  return { table, unread: table.labels.filter((_label, at) => !columns?.includes(at)) };
}

/** Different addresses in their order, and how they were read. Throws bad usage without any. */
export async function readAddresses(
  list: ListToValidate,
): Promise<ReadList & { readonly addresses: AddressList }> {
  const addresses = new Map<string, string>();
  const read = await readRows(list, (_cells, email) => {
    // Longer texts are invalid without asking the engine.
    if (email === '' || email.length > validationEmailCharactersMax) return;
    const key = addressKey(email);
    if (!addresses.has(key)) addresses.set(key, email);
  });
  if (addresses.size === 0) throw badUsage('The column has no addresses.');
  return { ...read, addresses };
}

/** The added cells of a row; empty without an address. */
function describeVerdict(email: string, verdicts: ReadonlyMap<string, EmailVerdict>): string[] {
  if (email === '') return ['', ''];
  if (email.length > validationEmailCharactersMax) return ['invalid', 'address_too_long'];
  const verdict = verdicts.get(addressKey(email));
  return [verdict?.status ?? '', verdict?.reason ?? ''];
}

export async function writeVerdicts(
  list: ListToValidate,
  outPath: string,
  verdicts: ReadonlyMap<string, EmailVerdict>,
): Promise<void> {
  await writeWhole(outPath, async (write) => {
    let isFirst = true;
    await readRows(list, (cells, email, headers) => {
      if (isFirst) write(formatRecord(nameColumns(headers, addedHeaders)));
      isFirst = false;
      const padded = headers.map((_header, at) => cells[at] ?? '');
      write(formatRecord([...padded, ...describeVerdict(email, verdicts)]));
    });
  });
}
