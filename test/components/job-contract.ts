/** The part of the contract about lists and jobs; `api-contract.ts` has the whole. */
import { z } from 'zod';
import { RecordIdsSchema } from '../../engine/contract/exports/crm-presets.ts';
import {
  ExportPreviewSchema,
  JobExportAnswerSchema,
  JobExportSchema,
} from '../../engine/contract/exports/job-exports.ts';
import { OverwriteDiffSchema } from '../../engine/contract/exports/overwrite.ts';
import { AppEstimateSchema } from '../../engine/contract/jobs/app-estimate.ts';
import {
  ExportAnswerSchema,
  ExportRequestSchema,
  GridPageSchema,
  SubmitUploadSchema,
  UploadJobSchema,
} from '../../engine/contract/jobs/app-jobs.ts';
import {
  CancelDataSchema,
  JobsPageSchema,
  LayersDataSchema,
  StatusDataSchema,
  SubmitDataSchema,
} from '../../engine/contract/jobs/job.ts';
import {
  JobChangeSchema,
  JobDeletionSchema,
  JobListSchema,
  JobMoveSchema,
  JobQueueSchema,
  JobRestorationSchema,
  JobsDeletedSchema,
  JobsRestoredSchema,
  RerunOfferSchema,
  RerunSchema,
} from '../../engine/contract/jobs/job-list.ts';
import { NetworkCheckSchema, WhenOfflineChangeSchema } from '../../engine/contract/jobs/offline.ts';
import {
  PicksAppliedSchema,
  PicksSchema,
  ReviewPageSchema,
} from '../../engine/contract/jobs/review.ts';
import { OutcomesSchema } from '../../engine/contract/jobs/row-view.ts';
import { NewTrialSchema, TrialSchema } from '../../engine/contract/jobs/trials.ts';
import { JobProvidersSchema } from '../../engine/contract/providers.ts';
import {
  LeftOutSchema,
  ReadingSchema,
  RowsCheckSchema,
} from '../../engine/contract/reading/reading.ts';
import {
  NewTemplateSchema,
  TemplateRenameSchema,
  TemplateSchema,
  TemplatesSchema,
} from '../../engine/contract/reading/template.ts';
import {
  ColumnMappingSchema,
  JoinUploadsSchema,
  UploadSchema,
} from '../../engine/contract/uploads.ts';

const nothing = z.strictObject({});
const ignored = z.unknown();

/** Method and path → the request and the response. */
export const jobContract = {
  'GET /app/v1/layers': { answer: LayersDataSchema },
  'POST /app/v1/uploads': { form: ReadingSchema, answer: UploadSchema },
  'POST /app/v1/uploads/join': { body: JoinUploadsSchema, answer: UploadSchema },
  'POST /app/v1/uploads/:id/check': {
    body: z.object({ mapping: ColumnMappingSchema }),
    answer: RowsCheckSchema,
  },
  'GET /app/v1/templates': { answer: TemplatesSchema },
  'POST /app/v1/templates': { body: NewTemplateSchema, answer: TemplateSchema },
  'PATCH /app/v1/templates/:id': { body: TemplateRenameSchema, answer: TemplateSchema },
  'DELETE /app/v1/templates/:id': { answer: ignored },
  'GET /app/v1/jobs/:id/left-out': { answer: LeftOutSchema },
  'POST /app/v1/jobs/:id/left-out/exports': {
    body: ExportRequestSchema,
    answer: ExportAnswerSchema,
  },
  'DELETE /app/v1/uploads/:id': { answer: ignored },
  'POST /app/v1/estimate': { body: UploadJobSchema, answer: AppEstimateSchema },
  'POST /app/v1/trials': { body: NewTrialSchema, answer: TrialSchema },
  'GET /app/v1/jobs': { answer: JobsPageSchema },
  'GET /app/v1/job-list': { answer: JobListSchema },
  'GET /app/v1/job-queue': { answer: JobQueueSchema },
  'POST /app/v1/job-deletions': { body: JobDeletionSchema, answer: JobsDeletedSchema },
  'POST /app/v1/job-restorations': { body: JobRestorationSchema, answer: JobsRestoredSchema },
  'PATCH /app/v1/jobs/:id': { body: JobChangeSchema, answer: StatusDataSchema },
  'POST /app/v1/jobs/:id/move': { body: JobMoveSchema, answer: JobQueueSchema },
  'GET /app/v1/jobs/:id/rerun': { answer: RerunOfferSchema },
  'POST /app/v1/jobs/:id/rerun': { body: RerunSchema, answer: SubmitDataSchema },
  'POST /app/v1/jobs': { body: SubmitUploadSchema, answer: SubmitDataSchema },
  'PUT /app/v1/jobs/:id/when-offline': { body: WhenOfflineChangeSchema, answer: StatusDataSchema },
  'POST /app/v1/network': { body: nothing, answer: NetworkCheckSchema },
  'GET /app/v1/jobs/:id': { answer: StatusDataSchema },
  'GET /app/v1/jobs/:id/providers': { answer: JobProvidersSchema },
  'GET /app/v1/jobs/:id/outcomes': { answer: OutcomesSchema },
  'GET /app/v1/jobs/:id/rows': { answer: GridPageSchema },
  'GET /app/v1/jobs/:id/review': { answer: ReviewPageSchema },
  'POST /app/v1/jobs/:id/review': { body: PicksSchema, answer: PicksAppliedSchema },
  'POST /app/v1/jobs/:id/cancel': { body: nothing, answer: CancelDataSchema },
  'POST /app/v1/jobs/:id/exports': { body: JobExportSchema, answer: JobExportAnswerSchema },
  'GET /app/v1/jobs/:id/exports/record-ids': { answer: RecordIdsSchema },
  'POST /app/v1/jobs/:id/exports/preview': {
    body: ExportPreviewSchema,
    answer: OverwriteDiffSchema,
  },
} as const;
