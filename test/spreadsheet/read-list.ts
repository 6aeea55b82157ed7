// Reads a list as an upload does, into a folder of the test.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reading } from '../../engine/contract/reading/reading.ts';
import { prepareTable } from '../../engine/spreadsheet/prepare-table.ts';
import { openRows } from '../../engine/spreadsheet/read-rows.ts';

/** Its table, whose header and rows are `found`. */
export async function readList(
  content: string | Uint8Array,
  reading: Partial<Reading> = { header: 'auto' },
) {
  const dir = mkdtempSync(join(tmpdir(), 'desk-list-'));
  try {
    const [sourcePath, targetDir] = [join(dir, 'source'), join(dir, 'table')];
    writeFileSync(sourcePath, content);
    const table = await prepareTable({ sourcePath, targetDir, fileName: 'list.csv', reading });
    const rows = openRows(targetDir);
    const found = [rows.headers, ...rows.readRange(0, 1_000)];
    rows.close();
    return { ...table, found };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
