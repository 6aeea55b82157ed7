/** Hands a spreadsheet to the engine for as long as a command needs it. */
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

/** The columns of --mapping, else those that were recognised. Throws bad usage. */
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
 * Uploads a spreadsheet, uses it, and lets go of it. Throws what reading or using it refuses;
 * Ctrl+C stops the reading.
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
    // What was made of it has rows of its own; an upload that came to nothing is not kept either.
    await engine.request(z.unknown(), 'DELETE', `uploads/${upload.upload_id}`).catch(() => {});
  }
}
