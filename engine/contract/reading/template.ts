/** Templates: the columns and layers of a list by a name, at /app/v1/templates. */
import { z } from 'zod';
import { TimestampSchema } from '../ids.ts';
import { mappedNames } from '../jobs/row-input.ts';
import { templateHeadersMax, templateNameCharactersMax, templatesMax } from '../limits/jobs.ts';

const NameSchema = z.string().trim().min(1).max(templateNameCharactersMax);

/** Body of POST /app/v1/templates. A template of the same name is replaced. */
export const NewTemplateSchema = z.object({
  name: NameSchema,
  headers: z.array(z.string()).min(1).max(templateHeadersMax),
  mapping: z.partialRecord(z.enum(mappedNames), z.int().min(0)),
  full_name_column: z.int().min(0).nullable(),
  selected_layers: z.array(z.string().max(20)).max(20),
});
export type NewTemplate = z.infer<typeof NewTemplateSchema>;

/** Body of PATCH /app/v1/templates/{id}. */
export const TemplateRenameSchema = z.object({ name: NameSchema });

/** A template. */
export const TemplateSchema = NewTemplateSchema.extend({
  id: z.int(),
  saved_at: TimestampSchema,
});
export type Template = z.infer<typeof TemplateSchema>;

/** Answer of GET /app/v1/templates: the latest first. */
export const TemplatesSchema = z.array(TemplateSchema).max(templatesMax);
