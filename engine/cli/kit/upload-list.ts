/** Uploads a spreadsheet to the engine while a command needs it. */
import { basename } from 'node:path';
import { z } from 'zod';
import { EngineError } from '../../contract/errors.ts';
import type { ColumnMapping, Mapping } from '../../contract/jobs/row-input.ts';
import { type Upload, UploadSchema } from '../../contract/uploads.ts';
import { resolveMapping } from '../../spreadsheet/recognize-input.ts';
import type { Call } from './command.ts';
import type { EngineClient } from './engine-client.ts';
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

/**
 * Uploads a spreadsheet, uses it, and removes the upload. Ctrl+C stops the reading. Throws the
 * errors of reading and of `use`.
 */
export async function withUpload<Result>(
  call: Call,
  engine: EngineClient,
  path: string,
  use: (upload: Upload) => Promise<Result>,
): Promise<Result> {
  const labels = { upload: `Reading ${basename(path)}` };
  const upload = await stopOnInterrupt(call, 'Nothing was submitted.', (signal) =>
    showTasks(call.terminal, engine, labels, () =>
      engine.request(UploadSchema, 'POST', 'uploads', { path }, signal),
    ),
  );
  try {
    return await use(upload);
  } finally {
    // A job or pipeline has its own copy of the rows.
    await engine.request(z.unknown(), 'DELETE', `uploads/${upload.upload_id}`).catch(() => {});
  }
}
