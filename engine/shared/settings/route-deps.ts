/** Dependencies of the routes of the shared directory. */
import type { RouteDepsWith } from '../../http/route-deps.ts';
import type { SharedCalls } from './shared.commands.ts';

export type SharedRouteDeps = RouteDepsWith<SharedCalls>;
