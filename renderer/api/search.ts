/** Searches over the directory, as the screens ask for them. */
import type { z } from 'zod';
import {
  FoundContactsSchema,
  type SearchContactsSchema,
  SearchValuesSchema,
} from '../../engine/contract/search.ts';
import { call } from './client.ts';

/** A page of the people who match, and how many do. */
export const searchContacts = (body: z.input<typeof SearchContactsSchema>, signal: AbortSignal) =>
  call(FoundContactsSchema, '/app/v1/directory/search/contacts', { method: 'POST', body, signal });

/** What the filters that take whole values can be given now. */
export const readSearchValues = () => call(SearchValuesSchema, '/app/v1/directory/search/values');
