/** Dependencies of the routes of providers. */
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { ProviderCalls } from './providers.commands.ts';

export type ProviderRouteDeps = RouteDepsWith<ProviderCalls>;
