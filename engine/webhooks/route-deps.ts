/** Dependencies of the routes of webhooks. */
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { WebhookCalls } from './webhooks.commands.ts';

export type WebhookRouteDeps = RouteDepsWith<WebhookCalls>;
