/** Handles the tools that search the directory. */
import type { searchTools } from '../../contract/assistants/tools/search.ts';
import type { ToolHandlers } from './tool-handler.ts';

interface Found {
  readonly total: number;
  readonly total_is_estimate?: true | undefined;
  readonly results: readonly unknown[];
}

const sayFound = ({ total, total_is_estimate: isEstimate, results }: Found, nouns: string) =>
  `${isEstimate ? 'About ' : ''}${total} ${nouns} match; ${results.length} of them follow. Free.`;

export const searchHandlers: ToolHandlers<keyof typeof searchTools> = {
  search_contacts: {
    handle: ({ environment }, args) => environment.search.contacts(args),
    summarize: (found) => sayFound(found, 'contacts'),
  },
  search_companies: {
    async handle({ environment }, args) {
      const { results, ...found } = await environment.search.companies(args);
      // The raw employees and revenue are for the app.
      return { ...found, results: results.map(({ employees, revenue, ...company }) => company) };
    },
    summarize: (found) => sayFound(found, 'companies'),
  },
};
