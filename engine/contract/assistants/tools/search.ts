// The tools that search the directory. Their schemas are those of the app's search.
import {
  FoundCompaniesSchema,
  FoundContactsSchema,
  SearchCompaniesSchema,
  SearchContactsSchema,
} from '../../search.ts';
import { freeHints, type ToolDefinitions } from './tool-definition.ts';

export const searchTools = {
  search_contacts: {
    title: 'Search contacts',
    description:
      'Finds people by title, level, and company, industry, country and size of the employer. ' +
      'Free. Emails and phones stay hidden: has_email and has_phone say what unlock_contacts ' +
      'would return for a UUID.',
    input: SearchContactsSchema,
    output: FoundContactsSchema,
    ...freeHints,
  },
  search_companies: {
    title: 'Search companies',
    description: 'Finds companies by name, industry, country and size. Free.',
    input: SearchCompaniesSchema,
    output: FoundCompaniesSchema,
    ...freeHints,
  },
} as const satisfies ToolDefinitions;
