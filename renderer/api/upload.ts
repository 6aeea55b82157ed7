// Uploads files to the engine: by path if the shell knows it, otherwise as multipart with progress.
import type { z } from 'zod';
import type { ImportOptionsSchema } from '../../engine/contract/directory.ts';
import { imports } from '../../engine/contract/imports.ts';
import type { Reading } from '../../engine/contract/reading/reading.ts';
import { type Upload, uploads } from '../../engine/contract/uploads.ts';
import { ask, sendForm } from './client.ts';
import { findPath } from './desktop.ts';

export type ReadingChoice = Partial<Reading>;

/** A file of the page, or a path from a dialog of the desktop shell. */
export type Source =
  | { readonly file: File }
  | { readonly path: string; readonly name: string }
  | { readonly sample: true };

/**
 * Uploads a spreadsheet. `onProgress` receives the sent share, 0 to 1, for multipart uploads.
 * @param reading how the list is read; by default the first line is the header
 */
export function uploadSpreadsheet(
  source: Source,
  onProgress: (share: number) => void,
  signal: AbortSignal,
  reading: ReadingChoice = {},
): Promise<Upload> {
  if ('sample' in source) return ask(uploads.addSample, {}, { signal });
  const path = 'path' in source ? source.path : findPath(source.file);
  if (path) return ask(uploads.add, { ...reading, path }, { signal });
  const form = new FormData();
  for (const [name, value] of Object.entries(reading)) if (value) form.append(name, String(value));
  if ('file' in source) form.append('file', source.file, source.file.name);
  return sendForm(uploads.add, form, onProgress, signal);
}

export type SentImportOptions = z.input<typeof ImportOptionsSchema>;

export interface ImportRequest {
  readonly people: File | null;
  readonly companies: File | null;
  readonly options: SentImportOptions;
}

/** Starts an import. Progress and the report arrive as events. */
export async function importFiles(
  { people, companies, options }: ImportRequest,
  onProgress: (share: number) => void,
): Promise<void> {
  const files = [
    ['people', people],
    ['companies', companies],
  ] as const;
  const parts = files.flatMap(([name, file]) =>
    file ? [{ name, file, path: findPath(file) }] : [],
  );
  if (parts.every(({ path }) => path !== null)) {
    const paths = Object.fromEntries(parts.map(({ name, path }) => [`${name}_path`, path]));
    const body = { ...options, ...paths };
    await ask(imports.start, body);
    return;
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(options))
    if (value !== undefined)
      form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  for (const { name, file } of parts) form.append(name, file, file.name);
  await sendForm(imports.start, form, onProgress);
}
