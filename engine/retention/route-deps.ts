/** Dependencies of the routes of retention. */
import type { RetentionPolicy } from '../contract/retention/retention.ts';
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { RetentionCalls, RetentionReads } from './retention.commands.ts';

export interface RetentionRouteDeps extends RouteDepsWith<RetentionCalls, RetentionReads> {
  /** The organisation's rules. */
  readonly retentionPolicy: RetentionPolicy;
}
