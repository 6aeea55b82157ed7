// Receives multipart forms: files to disk, fields to memory. A refused form leaves no files behind.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { EngineError, invalid } from '../../contract/errors.ts';
import { formFieldBytesMax, formPartsMax } from '../../contract/limits/http.ts';
import type { RouteDeps } from '../route-deps.ts';
import type { SourceFile } from '../upload-store.ts';

export interface Form {
  /** All values of a field, in order. A part of type application/json is already parsed. */
  readonly fields: ReadonlyMap<string, readonly unknown[]>;
  readonly files: ReadonlyMap<string, SourceFile>;
}

export interface FormFiles {
  /** Names of the parts that are files. All other parts are fields. */
  readonly files: readonly string[];
  readonly bytesMax: number;
}

/** Undefined if the field is absent. Throws `validation_error` if there are several. */
export function readField(form: Form, name: string): unknown {
  const values = form.fields.get(name) ?? [];
  if (values.length > 1) throw invalid(`${name}: send this part only once.`);
  return values[0];
}

async function spoolFile(part: MultipartFile, path: string, bytesMax: number): Promise<void> {
  await pipeline(part.file, createWriteStream(path, { mode: 0o600 }));
  if (part.file.truncated)
    throw invalid(
      `${part.fieldname}: the file is larger than ${bytesMax / 1024 ** 2} MB ` +
        `(${bytesMax} bytes). Split it.`,
    );
}

/** Converts errors of the form parser to refusals. File system errors stay as they are. */
function explainForm(error: unknown): unknown {
  if (error instanceof EngineError || (error as NodeJS.ErrnoException).syscall) return error;
  const { message, statusCode = 400 } = error as Error & { statusCode?: number };
  if (statusCode >= 500) return error;
  return invalid(`The multipart form cannot be read: ${message}.`);
}

async function readParts(
  request: FastifyRequest,
  folder: string,
  expected: FormFiles,
  form: { fields: Map<string, unknown[]>; files: Map<string, SourceFile> },
): Promise<void> {
  // The parser would wait forever for an end that has already happened.
  if (request.raw.destroyed) throw invalid('The multipart form is incomplete. Send it again.');
  const parts = request.parts({
    // Decided by name, because some clients send fields as files and files as fields.
    isPartAFile: (name) => expected.files.includes(name ?? ''),
    limits: {
      fileSize: expected.bytesMax,
      fieldSize: formFieldBytesMax,
      parts: formPartsMax,
    },
  });
  for await (const part of parts) {
    const name = part.fieldname;
    if (part.type === 'field') {
      if (part.valueTruncated) throw invalid(`${name}: this part is larger than 1 MiB.`);
      form.fields.set(name, [...(form.fields.get(name) ?? []), part.value]);
      continue;
    }
    if (form.files.has(name)) throw invalid(`${name}: send only one file.`);
    const path = join(folder, `${randomUUID()}.spool`);
    form.files.set(name, { path, fileName: basename(part.filename || 'upload.csv') });
    await spoolFile(part, path, expected.bytesMax);
  }
}

/**
 * Receives a form, passes it to `use`, and then always removes its files. Parts may have any order.
 * Throws `validation_error` if a part is too large or the body is not a form.
 */
export const withForm = <Result>(
  context: Pick<RouteDeps, 'tasks' | 'uploads'>,
  request: FastifyRequest,
  expected: FormFiles,
  use: (form: Form) => Promise<Result>,
): Promise<Result> =>
  context.tasks.run(receiveForm(request, context.uploads.folder, expected, use));

async function receiveForm<Result>(
  request: FastifyRequest,
  folder: string,
  expected: FormFiles,
  use: (form: Form) => Promise<Result>,
): Promise<Result> {
  const form = { fields: new Map<string, unknown[]>(), files: new Map<string, SourceFile>() };
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await readParts(request, folder, expected, form);
    } catch (error) {
      // Discard the rest, so that the client can finish sending and read the answer.
      request.raw.unpipe();
      request.raw.resume();
      throw explainForm(error);
    }
    return await use(form);
  } finally {
    for (const { path } of form.files.values()) await rm(path, { force: true });
  }
}
