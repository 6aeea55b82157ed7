/** Dependencies of the routes of accounts, keys, rates and the wallet. */
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { LedgerCalls } from '../ledger/unlock.commands.ts';
import type { AccountCalls } from './accounts.commands.ts';

export type AccountRouteDeps = RouteDepsWith<AccountCalls & LedgerCalls>;
