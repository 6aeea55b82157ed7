/** Requests for searches over the directory. */
import type { z } from 'zod';
import {
  FoundContactsSchema,
  type SearchContactsSchema,
  SearchValuesSchema,
} from '../../engine/contract/search.ts';
import { call } from './client.ts';

/** A page of matching people, and their total. */
export const searchContacts = (body: z.input<typeof SearchContactsSchema>, signal: AbortSignal) =>
  call(FoundContactsSchema, '/app/v1/directory/search/contacts', { method: 'POST', body, signal });

/** The values that exist for filters on whole values. */
export const readSearchValues = () => call(SearchValuesSchema, '/app/v1/directory/search/values');
