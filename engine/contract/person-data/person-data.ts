// Everything about one person: search, export, deletion and receipts (/app/v1/person-data).
import { z } from 'zod';
import { endpoints } from '../endpoints.ts';
import { TimestampSchema, UuidSchema } from '../ids.ts';
import { personValueCharactersMax } from '../limits/privacy/person-data.ts';

const EnvironmentSchema = z.enum(['live', 'staging']);

/** Identifiers are never part of a URL, because URLs are logged. */
export const PersonQuerySchema = z.strictObject({
  /** An email, a phone, a profile URL, a UUID, a name, or "Name | Employer". */
  value: z.string().trim().min(1).max(personValueCharactersMax),
  /** The `pick` of a candidate; required if several people match the value. */
  pick: z.string().max(personValueCharactersMax).optional(),
});
export type PersonQuery = z.infer<typeof PersonQuerySchema>;

export const PersonCandidateSchema = z.object({
  /** A UUID of the directory; "value" for a person who is not in it. */
  pick: z.string(),
  /** '' if it is not known. */
  name: z.string(),
  title: z.string(),
  employer: z.string(),
  environment: EnvironmentSchema,
});
export type PersonCandidate = z.infer<typeof PersonCandidateSchema>;

/** What happens to the entries of a place when the person is deleted. */
export const placeTreatments = ['deleted', 'anonymised', 'kept'] as const;
export type PlaceTreatment = (typeof placeTreatments)[number];

export const PersonPlaceSchema = z.object({
  environment: EnvironmentSchema,
  /** Such as "Results of jobs". */
  place: z.string(),
  entries: z.int(),
  treatment: z.enum(placeTreatments),
  /** What a person has to do about entries that are kept; '' for the others. */
  advice: z.string(),
});
export type PersonPlace = z.infer<typeof PersonPlaceSchema>;

export const PersonIdentitySchema = z.object({
  names: z.array(z.string()),
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  profile_urls: z.array(z.string()),
  employers: z.array(z.string()),
  ids: z.array(z.string()),
});
export type PersonIdentity = z.infer<typeof PersonIdentitySchema>;

export const PersonHoldingsSchema = z.object({
  person: PersonIdentitySchema,
  total: z.int(),
  places: z.array(PersonPlaceSchema),
});
export type PersonHoldings = z.infer<typeof PersonHoldingsSchema>;

export const PersonSearchSchema = z.object({
  candidates: z.array(PersonCandidateSchema),
  /** Null if several people match and none is picked. */
  held: PersonHoldingsSchema.nullable(),
});
export type PersonSearch = z.infer<typeof PersonSearchSchema>;

const PersonEntrySchema = z.object({
  environment: EnvironmentSchema,
  place: z.string(),
  record: z.string(),
  values: z.record(z.string(), z.unknown()),
});

export const PersonExportSchema = PersonHoldingsSchema.extend({
  exported_at: TimestampSchema,
  entries: z.array(PersonEntrySchema),
});
export type PersonExport = z.infer<typeof PersonExportSchema>;

export const PersonDeletionSchema = PersonQuerySchema.extend({
  confirmed: z.literal(true, 'must be true: a deletion cannot be undone'),
  /** Whether the person joins the suppression list. */
  suppress: z.boolean(),
});

/** A receipt. It has no value of the person. */
export const PersonReceiptSchema = z.object({
  receipt_id: UuidSchema,
  state: z.enum(['erasing', 'scrubbing', 'done']),
  requested_at: TimestampSchema,
  /** Null while the deletion has not ended. */
  completed_at: TimestampSchema.nullable(),
  /** The account in whose name it was requested. */
  author: z.string(),
  source: z.enum(['app', 'command_line']),
  suppressed: z.boolean(),
  total: z.int(),
  places: z.array(PersonPlaceSchema),
  /** Keyed hashes of the person's identifiers. */
  subject_hashes: z.array(z.string()),
});
export type PersonReceipt = z.infer<typeof PersonReceiptSchema>;

export const PersonReceiptQuerySchema = z.strictObject({
  /** Only receipts about a person with this identifier. */
  value: z.string().trim().max(personValueCharactersMax).default(''),
});

/** Its answer, newest first. */
export const PersonReceiptsSchema = z.array(PersonReceiptSchema);

export const personData = endpoints('personData', {
  search: {
    app: 'POST /app/v1/person-data/searches',
    isRepeatable: true,
    body: PersonQuerySchema,
    answer: PersonSearchSchema,
  },
  exportAll: {
    app: 'POST /app/v1/person-data/exports',
    isRepeatable: true,
    body: PersonQuerySchema,
    answer: PersonExportSchema,
  },
  deletePerson: {
    app: 'POST /app/v1/person-data/deletions',
    body: PersonDeletionSchema,
    answer: PersonReceiptSchema,
  },
  receipts: {
    app: 'POST /app/v1/person-data/receipts',
    body: PersonReceiptQuerySchema,
    answer: PersonReceiptsSchema,
  },
});
