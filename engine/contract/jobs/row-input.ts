/**
 * A contact as a caller gives it: the fields of a row that enrichment reads (specification and
 * docs/rules.md).
 */
import { z } from 'zod';

/** The row fields that enrichment reads; any other key or column is the caller's own and kept. */
export const rowInputFields = [
  'first_name',
  'last_name',
  'company_name',
  'email',
  'profile_url',
  'title',
  'phone',
  'company_domain',
  'country',
  'client_reference_id',
] as const;
/** A row field that enrichment reads. */
export type RowInputField = (typeof rowInputFields)[number];

/** Row field → the column (header text) of a file that holds it. */
export const MappingSchema = z.partialRecord(z.enum(rowInputFields), z.string().min(1));
/** Row field → header. */
export type Mapping = z.infer<typeof MappingSchema>;

/** Row field → column index in a prepared table. */
export type ColumnMapping = Partial<Record<RowInputField, number>>;
