// Calls of an environment that only read, or work on files and the directory.
import type { AuditReads } from '../audit/create-audit-commands.ts';
import type { DuplicateCalls } from '../directory/duplicates/duplicate-calls.ts';
import type { DirectoryCalls } from '../directory/route-deps.ts';
import type { JobReads } from '../jobs/job-reads.ts';
import type { DamageCalls } from '../maintenance/backup.ts';
import type { PersonDataReads } from '../person-data/change-person-data.ts';
import type { PipelineReads } from '../pipelines/start-pipeline.ts';
import type { RetentionReads } from '../retention/change-retention.ts';
import type { ExportCalls } from '../spreadsheet/export-calls.ts';
import type { SpreadsheetCalls } from '../spreadsheet/table-calls.ts';
import type { ExportCommand } from './open-export.ts';

/**
 * Long work on files: uploads, previews, exports, the directory. Each may reject with an
 * EngineError. When the signal is aborted, the work stops soon and rejects with its reason.
 */
export interface ReaderCalls
  extends AuditReads,
    DamageCalls,
    DirectoryCalls,
    DuplicateCalls,
    ExportCalls<ExportCommand>,
    JobReads,
    PersonDataReads,
    PipelineReads,
    RetentionReads,
    SpreadsheetCalls {}

/** The calls that run on a thread of their own, one-shot. */
export const fileCalls = [
  'prepareUpload',
  'checkRows',
  'reviseRows',
  'joinTables',
  'listRows',
  'findPersonEntries',
  'checkCopies',
] as const satisfies readonly (keyof ReaderCalls)[];

export const readerThreadCalls = [
  'writeRows',
  'countRerun',
  'previewRetention',
  'findDamage',
  'verifyAudit',
  'findPeople',
  'completePerson',
  'readSample',
] as const satisfies readonly (keyof ReaderCalls)[];

/** The calls that the reader thread answers once the directory is indexed. */
export const matchingCalls = [
  'tryRows',
  'previewPipeline',
  'matchContact',
  'compareNames',
] as const satisfies readonly (keyof ReaderCalls)[];

export type FileCalls = Pick<ReaderCalls, (typeof fileCalls)[number]>;
export type ReaderThreadCalls = Pick<
  ReaderCalls,
  'previewRows' | (typeof readerThreadCalls | typeof matchingCalls)[number]
>;
