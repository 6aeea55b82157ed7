/** Copies an open file to the uploads, and passes its table to a caller. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { csvUploadBytesMax } from '../contract/limits/spreadsheet.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';
import type { OpenedFile } from './open-list-file.ts';
import type { AssistantRouteDeps } from './route-deps.ts';

/**
 * Copies a file, closes it, decodes the copy, passes its table to `use`, and removes both. Throws
 * what decoding or `use` refuses, and the signal's reason.
 */
export const withListFile = <Result>(
  context: Pick<AssistantRouteDeps, 'tasks' | 'uploads'>,
  file: OpenedFile,
  signal: AbortSignal,
  use: (input: PreparedInput) => Promise<Result>,
): Promise<Result> => context.tasks.run(spoolAndLend(context.uploads, file, signal, use));

async function spoolAndLend<Result>(
  uploads: AssistantRouteDeps['uploads'],
  { handle, fileName }: OpenedFile,
  signal: AbortSignal,
  use: (input: PreparedInput) => Promise<Result>,
): Promise<Result> {
  const path = join(uploads.folder, `${randomUUID()}.spool`);
  try {
    await mkdir(uploads.folder, { recursive: true, mode: 0o700 });
    // At most one byte too many: a file that grows meanwhile is refused as too large.
    const source = handle.createReadStream({ end: csvUploadBytesMax });
    await pipeline(source, createWriteStream(path, { mode: 0o600 }), { signal });
    return await uploads.withFile({ path, fileName }, signal, use);
  } finally {
    await handle.close();
    await rm(path, { force: true });
  }
}
