/** Requests for searches over the directory. */
import type { z } from 'zod';
import { PeopleOriginsSchema } from '../../../engine/contract/records/people-origins.ts';
import type {
  SearchFirmsSchema,
  SearchPeopleSchema,
} from '../../../engine/contract/records/record-search.ts';
import {
  FoundCompaniesSchema,
  FoundContactsSchema,
  type SearchedDirectory,
  SearchValuesSchema,
} from '../../../engine/contract/search.ts';
import { call } from '../client.ts';
import { paths } from '../transport/first-requests.ts';

/** A page of matching people, and their total. */
export const searchContacts = (body: z.input<typeof SearchPeopleSchema>, signal: AbortSignal) =>
  call(FoundContactsSchema, paths.searchPeople, { method: 'POST', body, signal });

/** A page of matching companies, and their total. */
export const searchCompanies = (body: z.input<typeof SearchFirmsSchema>, signal: AbortSignal) =>
  call(FoundCompaniesSchema, paths.searchCompanies, { method: 'POST', body, signal });

/** The values that exist for filters on whole values. */
export const readSearchValues = (directory: SearchedDirectory) =>
  call(
    SearchValuesSchema,
    `${paths.searchValues}${directory === 'own' ? '' : `?directory=${directory}`}`,
  );

/** How old the data of people is, and which source added them. */
export const readOrigins = () => call(PeopleOriginsSchema, paths.directoryOrigins);
