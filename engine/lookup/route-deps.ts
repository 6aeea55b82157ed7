/** Dependencies of the routes of direct lookups. */
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { JobReads } from '../jobs/jobs.commands.ts';
import type { UnlockCalls } from '../ledger/create-unlock-commands.ts';
import type { ProviderCalls } from '../providers/installed/change-providers.ts';

export type LookupRouteDeps = RouteDepsWith<
  UnlockCalls & ProviderCalls,
  Pick<JobReads, 'matchContact'>
>;
