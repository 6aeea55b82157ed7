// Matches a list of companies. Id, name and confidence follow the list's own columns.
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { invalid } from '../../contract/errors.ts';
import { protectFormula } from '../../contract/exports/protect-formula.ts';
import type { MatchedCompanies } from '../../contract/imports.ts';
import { importSampleRows } from '../../contract/limits/directory.ts';
import { inputIndexStride } from '../../contract/limits/spreadsheet.ts';
import { quoteNames, type Reading } from '../../contract/reading/reading.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { syncFolder } from '../../platform/sync-folder.ts';
import { formatRecord } from '../../spreadsheet/format-record.ts';
import { prepareTable } from '../../spreadsheet/prepare-table.ts';
import { openRows } from '../../spreadsheet/read-rows.ts';
import { companyColumns } from '../import/decode/import-columns.ts';
import { checkChoices, mapColumns } from '../import/decode/map-columns.ts';
import { createCompanyMatcher } from './match-companies.ts';

const soughtFields: readonly (string | null)[] = [
  'name',
  'city',
  'state',
  'country',
  'domain',
  'website',
];
const foundColumns = ['Matched company id', 'Matched company name', 'Match confidence'];

export interface MatchListOrder {
  /** The data folder, for temporary files. */
  readonly folder: string;
  readonly path: string;
  readonly outPath: string;
  /** Field of a company → header, for unusual column names. */
  readonly mapping?: Readonly<Record<string, string>> | undefined;
  readonly reading?: Partial<Reading> | undefined;
  /** Stops the work with the signal's own reason. */
  readonly signal: AbortSignal;
}

/** Writes every row of a prepared list with its match, in order, and returns the counts. */
async function writeMatches(
  database: ReadableDatabase,
  dir: string,
  handle: number,
  { mapping, signal }: Pick<MatchListOrder, 'mapping' | 'signal'>,
) {
  const rows = openRows(dir);
  try {
    const sample = rows.readRange(0, Math.min(rows.rowCount, importSampleRows));
    checkChoices({ mapping }, [{ headers: rows.headers, dictionary: companyColumns }]);
    const columns = mapColumns(rows.headers, companyColumns, { mapping }, sample);
    if (!columns.has('name') && !columns.has('domain') && !columns.has('website'))
      throw invalid(
        'The file has no column of company names or domains. Name one "Company name" or ' +
          `"Domain". Its columns are ${quoteNames(rows.headers)}.`,
      );
    const matchCompany = createCompanyMatcher(database);
    const readGiven =
      database.prepare(`SELECT ifnull(given_id, (SELECT l.given_id FROM company_listing l
      WHERE l.company_id = company.id AND l.given_id <> '' ORDER BY l.id DESC LIMIT 1)) AS given_id,
      uuid, name FROM company WHERE id = ?`);
    let matched = 0;
    writeSync(handle, formatRecord([...rows.headers, ...foundColumns]));
    for (let first = 0; first < rows.rowCount; first += inputIndexStride) {
      await setImmediate();
      signal.throwIfAborted();
      const lines = rows.readRange(first, inputIndexStride).map((cells) => {
        const found = matchCompany({
          name: columns.read(cells, 'name'),
          city: columns.read(cells, 'city'),
          state: columns.read(cells, 'state'),
          country: columns.read(cells, 'country'),
          domain: columns.read(cells, 'domain') || columns.read(cells, 'website'),
        });
        if (!found) return formatRecord([...cells, '', '', '']);
        matched += 1;
        const company = readGiven.get(found.companyId) as {
          given_id: string | null;
          uuid: string;
          name: string;
        };
        const id = company.given_id ?? company.uuid;
        const confidence = found.confidence.toFixed(2);
        return formatRecord([
          ...cells,
          protectFormula(id),
          protectFormula(company.name),
          confidence,
        ]);
      });
      writeSync(handle, lines.join(''));
    }
    const unread = rows.headers.filter(
      (_header, at) => !soughtFields.includes(columns.fields[at] ?? null),
    );
    return { rows: rows.rowCount, matched, columns_not_read: unread.filter(Boolean) };
  } finally {
    rows.close();
  }
}

/** Matches a list in any format that imports read. Writes a temporary file, then renames it. */
export async function matchCompanyList(
  database: ReadableDatabase,
  { folder, path, outPath, reading, mapping, signal }: MatchListOrder,
): Promise<MatchedCompanies> {
  const dir = mkdtempSync(join(folder, 'match-'));
  const partial = `${outPath}.${randomUUID().slice(0, 8)}.partial`;
  try {
    const { otherLines, otherCount } = await prepareTable({
      sourcePath: path,
      targetDir: dir,
      fileName: path,
      reading,
      signal,
    });
    const handle = openSync(partial, 'wx');
    try {
      const counts = await writeMatches(database, dir, handle, { mapping, signal });
      fsyncSync(handle);
      closeSync(handle);
      renameSync(partial, outPath);
      syncFolder(dirname(outPath));
      return { ...counts, not_read: [...otherLines], not_read_count: otherCount };
    } catch (error) {
      rmSync(partial, { force: true });
      throw error;
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
