/** Requests for the jobs of a person, and for the preview of an import. */
import {
  type ImportPreviewRequest,
  ImportPreviewSchema,
} from '../../../engine/contract/records/import-preview.ts';
import { JobsOfPersonSchema } from '../../../engine/contract/records/records.ts';
import { call } from '../client.ts';
import { paths } from '../transport/first-requests.ts';

const base = paths.directory;

/** What an import would do with the first rows of a list. */
export const previewImport = (body: ImportPreviewRequest, signal: AbortSignal) =>
  call(ImportPreviewSchema, `${base}/import-previews`, { method: 'POST', body, signal });

/** The enrichment jobs that have a person in a row. */
export const readJobsOfPerson = (id: string) =>
  call(JobsOfPersonSchema, `${base}/people/${encodeURIComponent(id)}/jobs`);
