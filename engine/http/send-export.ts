// Sends a result as a file: read in chunks as the client reads, and stopped when it disconnects.
import { isAbsolute } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalid } from '../contract/errors.ts';
import type { ExportCalls, ExportEnd } from '../spreadsheet/export-calls.ts';
import type { ExportOptions } from '../spreadsheet/export-options.ts';
import { whenClientLeaves } from './client-presence.ts';

async function* readPieces(
  reader: Pick<ExportCalls<never>, 'readExport' | 'closeExport'>,
  exportId: number,
): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const piece = await reader.readExport({ exportId });
      if (piece === null) return;
      yield piece;
    }
  } finally {
    await reader.closeExport({ exportId });
  }
}

/** Content-Disposition of a file download: an ASCII name, and the exact name per RFC 5987. */
export function describeAttachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/**
 * Makes a workbook once before its URL is given, because a download has no way to report that it is
 * refused. A CSV has no limits: it is made only if rules, a preset or chosen columns decide what it
 * has. Returns null if it was not made.
 */
export async function checkDownload<Command extends ExportOptions>(
  reader: Pick<ExportCalls<Command>, 'previewExport'>,
  command: Command & {
    readonly overwrite?: unknown;
    readonly preset?: unknown;
    readonly columns?: unknown;
  },
  request: FastifyRequest,
): Promise<ExportEnd | null> {
  const isChosen = Boolean(command.overwrite || command.preset || command.columns);
  if (command.format === 'csv' && !isChosen) return null;
  return reader.previewExport(command, whenClientLeaves(request));
}

interface ExportDeps<Command> {
  readonly basePath: string;
  readonly tickets: { issue(command: Command): string };
  readonly environment: {
    readonly reader: Pick<ExportCalls<Command>, 'previewExport' | 'exportToFile'>;
  };
}

/**
 * Writes an export to an absolute path of this machine, or issues the URL of one download. Throws
 * `validation_error` for another path.
 * @param target the path, if one was given, and the name and the number of rows of a download
 */
export async function answerExport<Command extends ExportOptions>(
  { basePath, tickets, environment }: ExportDeps<Command>,
  command: Command,
  target: { readonly path: string | undefined; readonly fileName: string; countRows(): number },
  request: FastifyRequest,
) {
  const { path, fileName: file_name } = target;
  if (path === undefined) {
    await checkDownload(environment.reader, command, request);
    const download_url = `${basePath}/app/v1/downloads/${tickets.issue(command)}`;
    return { file_name, path: null, download_url, rows: target.countRows() };
  }
  if (!isAbsolute(path)) throw invalid(`path: ${path} must be absolute.`);
  const { rows } = await environment.reader.exportToFile({ ...command, path });
  return { file_name, path, download_url: null, rows };
}

/** Sends the file. Throws what the export refuses before anything is sent. */
export async function sendExport<Command>(
  reader: ExportCalls<Command>,
  command: Command,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { exportId, fileName, mediaType } = await reader.openExport(command);
  return reply
    .type(mediaType)
    .header('content-disposition', describeAttachment(fileName))
    .send(Readable.from(readPieces(reader, exportId), { objectMode: false }));
}
