/** What the routes of webhooks work with. */
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { WebhookCalls } from './webhooks.commands.ts';

/** Deps of the routes of webhooks. */
export type WebhookRouteDeps = RouteDepsWith<WebhookCalls>;
