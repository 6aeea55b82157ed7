// The file of a completed pipeline: the caller's columns first and unchanged, or the names of the
// contacts if they did not come from a spreadsheet; then the unlocked values, and why others are
// missing.
import type { ExportFormat } from '../../contract/exports/export-formats.ts';
import type { PipelineContact } from '../../contract/pipelines/pipeline.ts';
import { openDirectoryReadable } from '../../directory/open-directory.ts';
import { exportStretchRows, requireRows } from '../../jobs/results/result-table.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import {
  type ExportRow,
  listColumns,
  nothingChanged,
  type TableOpening,
} from '../../spreadsheet/export/export-table.ts';
import { type ExportPiece, writeTable } from '../../spreadsheet/export/write-table.ts';
import type { ExportSources, OpenedExport } from '../../spreadsheet/export-calls.ts';
import { openInput } from '../../spreadsheet/input-folders.ts';
import { readHiddenRows } from '../../suppression/hidden-rows.ts';
import type { PipelineRow } from '../pipeline.table.ts';
import type { PipelineExport } from './pipeline-export.ts';
import { readPipelinePage, requireCompletedPipeline, showCells } from './read-pipeline.ts';

type Column = readonly [
  name: string,
  read: (contact: PipelineContact) => string | null,
  type?: 'number',
];

const columns: readonly Column[] = [
  ['First name', (contact) => contact.first_name],
  ['Last name', (contact) => contact.last_name],
  ['Title', (contact) => contact.title],
  ['Company', (contact) => contact.company_name],
  ['Email', (contact) => contact.email],
  ['Email status', (contact) => contact.email_status],
  ['Phone', (contact) => contact.phone],
  ['Locked', (contact) => contact.locked.join(', ')],
  ['Email verification', (contact) => contact.verification?.status ?? ''],
  ['Email verification reason', (contact) => contact.verification?.reason ?? ''],
  ['Lookup status', (contact) => contact.status],
  ['Lookup reason', (contact) => contact.reason],
  ['Lookup error', (contact) => contact.error_message],
  ['Contact UUID', (contact) => contact.uuid],
  ['Credits charged', (contact) => contact.credits_charged, 'number'],
];

/** The caller's table; without columns if the contacts did not come from a spreadsheet. */
function openOwn(folder: string, { source, uuid, total }: PipelineRow) {
  if (source === 'contacts') return openInput(folder, uuid, total);
  return { headers: [], readRange: () => [], close: () => undefined };
}

function* readStretches(
  database: ReadableDatabase,
  directory: ReadableDatabase,
  folder: string,
  pipeline: PipelineRow,
  own: ReturnType<typeof openOwn>,
): Generator<readonly ExportRow[]> {
  for (let offset = 0; offset < pipeline.total; offset += exportStretchRows) {
    const page = { offset, limit: exportStretchRows };
    const inputs = own.readRange(offset, exportStretchRows);
    const contacts = readPipelinePage(database, directory, folder, pipeline, page);
    requireRows(contacts.length, Math.min(exportStretchRows, pipeline.total - offset));
    const hidden = readHiddenRows(database, directory);
    yield contacts.map((contact) => {
      const given = inputs[contact.row_index - offset] ?? [];
      const cells = showCells(hidden, pipeline, contact, given);
      const inputCells = own.headers.map((_header, at) => cells[at] ?? '');
      const found = columns.map(([, read]) => read(contact) ?? '');
      return { cells: [...inputCells, ...found], changed: nothingChanged };
    });
  }
}

function* writePieces(
  database: ReadableDatabase,
  folder: string,
  pipeline: PipelineRow,
  command: PipelineExport,
): Generator<ExportPiece> {
  const directory = openDirectoryReadable(folder);
  const own = openOwn(folder, pipeline);
  const added = columns.map(([name, , type]) => ({ name, type: type ?? 'text' }) as const);
  const opening = function* (): TableOpening {
    const rows = () => readStretches(database, directory, folder, pipeline, own);
    return { columns: listColumns(own.headers, added), rows, changes: null };
  };
  try {
    yield* writeTable(opening(), command);
  } finally {
    own.close();
    directory.close();
  }
}

export function namePipelineExport(
  { title, uuid }: Pick<PipelineRow, 'title' | 'uuid'>,
  format: ExportFormat,
): string {
  const safe = title
    .replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 120);
  return `${safe || `list-${uuid.slice(0, 8)}`}-emails-and-phones.${format}`;
}

/** Name, rows and chunks. Throws what `requireCompletedPipeline` throws, and `input_damaged`. */
export function exportPipeline(
  { database, folder }: ExportSources,
  command: PipelineExport,
): OpenedExport {
  const { accountId, pipelineId } = command;
  const pipeline = requireCompletedPipeline(database, accountId, pipelineId);
  openOwn(folder, pipeline).close();
  return {
    fileName: namePipelineExport(pipeline, command.format),
    rows: pipeline.total,
    pieces: writePieces(database, folder, pipeline, command),
    note: { action: 'pipeline_exported', accountId, subject: pipelineId, details: {} },
  };
}
