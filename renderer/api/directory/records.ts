/** Requests for one person or company of the directory, and for the preview of an import. */
import {
  type ImportPreviewRequest,
  ImportPreviewSchema,
} from '../../../engine/contract/records/import-preview.ts';
import {
  CompanyRecordSchema,
  JobsOfPersonSchema,
  PersonRecordSchema,
} from '../../../engine/contract/records/records.ts';
import type { SearchedDirectory } from '../../../engine/contract/search.ts';
import { call } from '../client.ts';
import { paths } from '../transport/first-requests.ts';

const base = paths.directory;
const queryOf = (directory: SearchedDirectory): string =>
  directory === 'own' ? '' : `?directory=${directory}`;

/** A person of a directory with the source of every value. */
export const readPerson = (id: string, directory: SearchedDirectory) =>
  call(PersonRecordSchema, `${base}/people/${encodeURIComponent(id)}${queryOf(directory)}`);

/** What an import would do with the first rows of a list. */
export const previewImport = (body: ImportPreviewRequest, signal: AbortSignal) =>
  call(ImportPreviewSchema, `${base}/import-previews`, { method: 'POST', body, signal });

/** The enrichment jobs that have a person in a row. */
export const readJobsOfPerson = (id: string) =>
  call(JobsOfPersonSchema, `${base}/people/${encodeURIComponent(id)}/jobs`);

/** A company of a directory with the source of every value. */
export const readCompany = (id: string, directory: SearchedDirectory) =>
  call(CompanyRecordSchema, `${base}/companies/${encodeURIComponent(id)}${queryOf(directory)}`);
