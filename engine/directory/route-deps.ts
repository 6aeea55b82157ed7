/** What the routes of the directory work with. */
import type { RouteDeps, RouteDepsWith } from '../http/route-deps.ts';
import type { DirectoryCalls } from './directory.commands.ts';
import type { SearchCalls } from './search/search-directory.ts';

/** Deps of the routes of the directory. */
export type DirectoryRouteDeps = RouteDepsWith<unknown, DirectoryCalls>;

/** Deps of the routes of searches. */
export interface SearchRouteDeps extends RouteDeps {
  readonly environment: RouteDeps['environment'] & { readonly search: SearchCalls };
}
