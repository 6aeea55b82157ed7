/** Dependencies of the routes of direct lookups. */
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { JobReads } from '../jobs/jobs.commands.ts';
import type { LedgerCalls } from '../ledger/unlock.commands.ts';
import type { ProviderCalls } from '../providers/providers.commands.ts';

export type LookupRouteDeps = RouteDepsWith<
  LedgerCalls & ProviderCalls,
  Pick<JobReads, 'matchContact'>
>;
