/** The preview of an import. */
import {
  type ImportPreviewRequest,
  ImportPreviewSchema,
} from '../../../engine/contract/records/import-preview.ts';
import { call } from '../client.ts';
import { paths } from '../transport/first-requests.ts';

const base = paths.directory;

/** What an import would do with the first rows of a list. */
export const previewImport = (body: ImportPreviewRequest, signal: AbortSignal) =>
  call(ImportPreviewSchema, `${base}/import-previews`, { method: 'POST', body, signal });
