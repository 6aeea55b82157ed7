/** Dependencies of the routes of the directory. */
import type { RouteDeps, RouteDepsWith } from '../http/route-deps.ts';
import type { DirectoryCalls } from './directory.commands.ts';
import type { DuplicateCalls } from './duplicates/duplicates.commands.ts';
import type { SearchCalls } from './search/search-directory.ts';

export type DirectoryRouteDeps = RouteDepsWith<unknown, DirectoryCalls>;

export type DuplicateRouteDeps = RouteDepsWith<unknown, DuplicateCalls>;

export interface SearchRouteDeps extends RouteDeps {
  readonly environment: RouteDeps['environment'] & { readonly search: SearchCalls };
}
