/** Templates of lists. */
import { z } from 'zod';
import {
  type NewTemplate,
  TemplateSchema,
  TemplatesSchema,
} from '../../engine/contract/reading/template.ts';
import { call } from './client.ts';

/** The templates of the account, the latest first. */
export const readTemplates = () => call(TemplatesSchema, '/app/v1/templates');

/** Saves a template. One of the same name is replaced. */
export const saveTemplate = (body: NewTemplate) =>
  call(TemplateSchema, '/app/v1/templates', { method: 'POST', body });

/** Renames a template. */
export const renameTemplate = ({ id, name }: { id: number; name: string }) =>
  call(TemplateSchema, `/app/v1/templates/${id}`, { method: 'PATCH', body: { name } });

/** Deletes a template. */
export const deleteTemplate = (id: number) =>
  call(z.object({ id: z.int() }), `/app/v1/templates/${id}`, { method: 'DELETE' });
