/** Dependencies of the routes of direct lookups. */
import type { Provider } from '../contract/provider.ts';
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { JobReads } from '../jobs/jobs.commands.ts';
import type { LedgerCalls } from '../ledger/unlock.commands.ts';

export interface LookupRouteDeps
  extends RouteDepsWith<LedgerCalls, Pick<JobReads, 'matchContact'>> {
  readonly environment: RouteDepsWith<
    LedgerCalls,
    Pick<JobReads, 'matchContact'>
  >['environment'] & { readonly provider: Provider | null };
}
