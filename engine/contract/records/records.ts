// One person or company of the directory, with the source of every value (/app/v1/directory).
import { z } from 'zod';
import { DuplicateSchema } from '../duplicates/duplicates.ts';
import { endpoints } from '../endpoints.ts';
import { TimestampSchema, UuidSchema } from '../ids.ts';
import { FoundContactSchema, searchedDirectories } from '../search.ts';

export const RecordParamsSchema = z.object({ id: FoundContactSchema.shape.uuid });

export const RecordQuerySchema = z.object({ directory: z.enum(searchedDirectories).optional() });

const ClaimSchema = z.object({
  /** Null if the value is hidden. */
  value: z.string().nullable(),
  source: z.string(),
  /** YYYY-MM-DD. */
  observed_on: z.string(),
  /** 0 to 1. */
  trust: z.number(),
});
export type RecordClaim = z.infer<typeof ClaimSchema>;

const ValueSchema = ClaimSchema.extend({
  /** A column of the record, or `email`, `mobile_phone` and `direct_phone` of a person. */
  field: z.string(),
  label: z.string(),
  /** Whether it is on file but is shown only after an unlock. */
  is_hidden: z.boolean(),
  others: z.array(ClaimSchema),
});
export type RecordValue = z.infer<typeof ValueSchema>;

const JobHeldSchema = z.object({
  company_name: z.string().nullable(),
  company_id: z.string().nullable(),
  is_current: z.boolean(),
  is_primary: z.boolean(),
  /** YYYY, YYYY-MM or YYYY-MM-DD. */
  start_on: z.string().nullable(),
  end_on: z.string().nullable(),
  has_email: z.boolean(),
  /** Null if there is none, or if it is hidden. */
  email: z.string().nullable(),
  /** Title, function, level. */
  values: z.array(ValueSchema),
});
export type JobHeld = z.infer<typeof JobHeldSchema>;

const DuplicateOfSchema = DuplicateSchema.pick({
  id: true,
  probability: true,
  likelihood: true,
}).extend({ other: z.string() });

export const PersonRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  company_name: z.string().nullable(),
  /** Whether the last known job has ended. */
  has_left: z.boolean(),
  values: z.array(ValueSchema),
  other_names: z.array(z.string()),
  /** Current jobs first. At most 50. */
  jobs: z.array(JobHeldSchema),
  duplicates: z.array(DuplicateOfSchema),
});
export type PersonRecord = z.infer<typeof PersonRecordSchema>;

export const CompanyRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string().nullable(),
  values: z.array(ValueSchema),
  /** Other names and domains, also of companies that were merged into it. */
  other_names: z.array(z.string()),
  other_domains: z.array(z.string()),
  duplicates: z.array(DuplicateOfSchema),
});
export type CompanyRecord = z.infer<typeof CompanyRecordSchema>;

/** Answer of GET /app/v1/directory/people/{id}/jobs: enrichment jobs with the person in a row. */
const JobsOfPersonSchema = z.object({
  /** The newest first, each with its first row about the person. */
  jobs: z.array(
    z.object({
      job_id: UuidSchema,
      title: z.string(),
      row_index: z.int(),
      completed_at: TimestampSchema.nullable(),
    }),
  ),
  /** Completed jobs that were not searched because they have too many rows. */
  jobs_left_out: z.int(),
});
export type JobsOfPerson = z.infer<typeof JobsOfPersonSchema>;

export const records = endpoints('records', {
  person: {
    app: 'GET /app/v1/directory/people/:id',
    params: RecordParamsSchema,
    query: RecordQuerySchema,
    answer: PersonRecordSchema,
  },
  company: {
    app: 'GET /app/v1/directory/companies/:id',
    params: RecordParamsSchema,
    query: RecordQuerySchema,
    answer: CompanyRecordSchema,
  },
});

export const jobsOfPerson = endpoints('jobsOfPerson', {
  list: {
    app: 'GET /app/v1/directory/people/:id/jobs',
    params: RecordParamsSchema,
    answer: JobsOfPersonSchema,
  },
});
