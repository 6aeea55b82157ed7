/** Dependencies of the routes of the suppression list. */
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { SuppressionCalls } from './suppression.commands.ts';

export interface SuppressionRouteDeps extends RouteDepsWith<SuppressionCalls> {
  /** Applies the list to the directories of all open environments. */
  readonly applySuppressions: () => Promise<void>;
}
