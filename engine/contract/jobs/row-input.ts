/**
 * A contact in a request: the row fields that enrichment reads (docs/rules.md, "Data enrichment").
 */
import { z } from 'zod';

/** The row fields that enrichment reads. Any other key or column is kept and returned unchanged. */
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

/** Row field → header text of the column that holds it. */
export const MappingSchema = z.partialRecord(z.enum(rowInputFields), z.string().min(1));
export type Mapping = z.infer<typeof MappingSchema>;

/** Row field → column index in a canonical table. */
export type ColumnMapping = Partial<Record<RowInputField, number>>;
