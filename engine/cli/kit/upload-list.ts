// Uploads a spreadsheet to the engine while a command needs it.
import { basename } from 'node:path';
import { EngineError, invalid } from '../../contract/errors.ts';
import type { ColumnMapping, Mapping } from '../../contract/jobs/row-input.ts';
import type { Reading } from '../../contract/reading/reading.ts';
import { type Upload, uploads } from '../../contract/uploads.ts';
import { resolveMapping } from '../../spreadsheet/recognize-input.ts';
import type { Call } from './command.ts';
import type { EngineClient } from './engine-client.ts';
import { formatCount, formatNumber } from './format-text.ts';
import { readingHints } from './reading-options.ts';
import { badUsage } from './refusal.ts';
import { stopOnInterrupt } from './stop-on-interrupt.ts';
import { showTasks } from './task-progress.ts';

/** The columns of --mapping, else the recognised ones. Throws bad usage. */
export function chooseColumns(upload: Upload, mapping: Mapping | undefined): ColumnMapping {
  if (mapping === undefined) return upload.mapping;
  try {
    return resolveMapping(upload.headers, mapping);
  } catch (error) {
    if (error instanceof EngineError) throw badUsage(`--mapping: ${error.detail}`);
    throw error;
  }
}

const linesShownMax = 20;

/** Refuses lines with extra cells, all named, unless they may be skipped. */
export function refuseWideLines(call: Call, { reading }: Upload): void {
  if (reading.wide_count === 0 || 'skip-bad-lines' in call.values) return;
  const shown = reading.wide_lines.slice(0, linesShownMax);
  const more = reading.wide_count - shown.length;
  const lines = shown.map(({ line, cells, text }) => `  line ${line}, ${cells} cells: ${text}`);
  throw invalid(
    [
      `${formatNumber(reading.wide_count, 'line')} with more cells than columns:`,
      ...lines,
      ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
      'Nothing was submitted. Put values that contain the delimiter in quotes. ' +
        readingHints.extraCells,
    ].join('\n'),
  );
}

/**
 * Uploads a spreadsheet, uses it, and removes the upload. Ctrl+C stops the reading. Throws the
 * errors of reading and of `use`.
 * @param reading how the list is read; by default the first line is the header
 */
export async function withUpload<Result>(
  call: Call,
  engine: EngineClient,
  path: string,
  use: (upload: Upload) => Promise<Result>,
  reading: Partial<Reading> = {},
): Promise<Result> {
  const labels = { upload: `Reading ${basename(path)}` };
  const upload = await stopOnInterrupt(call, 'Nothing was submitted.', (signal) =>
    showTasks(call.terminal, engine, labels, () =>
      engine.ask(uploads.add, { ...reading, path }, signal),
    ),
  );
  try {
    return await use(upload);
  } finally {
    // A job or pipeline has its own copy of the rows.
    await engine.ask(uploads.remove, { upload_id: upload.upload_id }).catch(() => {});
  }
}
