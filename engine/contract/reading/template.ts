// Templates: the columns and layers of a list by a name, at /app/v1/templates.
import { z } from 'zod';
import { endpoints } from '../endpoints.ts';
import { TimestampSchema } from '../ids.ts';
import { mappedNames } from '../jobs/row-input.ts';
import { templateHeadersMax, templateNameCharactersMax, templatesMax } from '../limits/jobs.ts';
import { wholeNumberText } from '../whole-number.ts';

const NameSchema = z.string().trim().min(1).max(templateNameCharactersMax);

/** A template of the same name is replaced. */
const NewTemplateSchema = z.object({
  name: NameSchema,
  headers: z.array(z.string()).min(1).max(templateHeadersMax),
  mapping: z.partialRecord(z.enum(mappedNames), z.int().min(0)),
  full_name_column: z.int().min(0).nullable(),
  selected_layers: z.array(z.string().max(20)).max(20),
});
export type NewTemplate = z.infer<typeof NewTemplateSchema>;

export const TemplateSchema = NewTemplateSchema.extend({
  id: z.int(),
  saved_at: TimestampSchema,
});
export type Template = z.infer<typeof TemplateSchema>;

const TemplateParamsSchema = z.object({ id: wholeNumberText(1) });

export const templates = endpoints('templates', {
  /** The latest first. */
  list: { app: 'GET /app/v1/templates', answer: z.array(TemplateSchema).max(templatesMax) },
  save: { app: 'POST /app/v1/templates', body: NewTemplateSchema, answer: TemplateSchema },
  rename: {
    app: 'PATCH /app/v1/templates/:id',
    params: TemplateParamsSchema,
    body: z.object({ name: NameSchema }),
    answer: TemplateSchema,
  },
  remove: {
    app: 'DELETE /app/v1/templates/:id',
    params: TemplateParamsSchema,
    answer: z.object({ id: z.int() }),
  },
});
