/** Handles the tools that search the directory. */
import type { searchTools } from '../../contract/assistants/tools/search.ts';
import type { ToolHandlers } from './tool-handler.ts';

/** search_contacts and search_companies. */
export const searchHandlers: ToolHandlers<keyof typeof searchTools> = {
  search_contacts: {
    handle: ({ environment }, args) => environment.search.contacts(args),
    summarize: ({ total, total_is_estimate: isEstimate, results }) =>
      `${isEstimate ? 'About ' : ''}${total} contacts match; ${results.length} of them follow. ` +
      'Free.',
  },
  search_companies: {
    handle: ({ environment }, args) => environment.search.companies(args),
    summarize: ({ total, results }) =>
      `${total} companies match; ${results.length} of them follow. Free.`,
  },
};
