/** Webhooks: registration and deliveries (specification, section D and "Events"). */

import { z } from 'zod';
import { TimestampSchema, UuidSchema } from './ids.ts';
import { webhookUrlCharactersMax } from './limits/webhooks.ts';
import { limitText, wholeNumberText } from './whole-number.ts';

/** The kinds of events that a webhook can be registered for. */
export const eventKinds = ['pipeline.completed', 'pipeline.failed'] as const;
/** A kind of event. */
export type EventKind = (typeof eventKinds)[number];
const EventKindSchema = z.enum(eventKinds);

/** Body of POST /api/v1/webhooks/. */
export const NewWebhookSchema = z
  .object({
    url: z
      .string()
      .max(webhookUrlCharactersMax)
      .describe('HTTPS address that receives the deliveries.'),
    events: z.array(EventKindSchema).min(1, 'name at least one event'),
  })
  .meta({
    id: 'NewWebhook',
    examples: [{ url: 'https://hooks.example.com/desk', events: ['pipeline.completed'] }],
  });

/** What every description of a webhook begins with. */
const WebhookBaseSchema = z.object({
  id: UuidSchema,
  url: z.string(),
  events: z.array(EventKindSchema),
  created_at: TimestampSchema,
});

/** Answer of POST /api/v1/webhooks/: the only place where the secret is shown. */
export const CreatedWebhookSchema = WebhookBaseSchema.extend({
  secret: z.string().describe('Verifies signatures; shown this once.'),
}).meta({ id: 'CreatedWebhook' });
export type CreatedWebhook = z.infer<typeof CreatedWebhookSchema>;

/** The states of a delivery. */
export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;

/** How the newest delivery of a webhook stands. */
const LastDeliverySchema = z
  .object({
    at: TimestampSchema.describe('Of its latest attempt; of its event before the first.'),
    status: z.enum(deliveryStates),
    attempts: z.int(),
  })
  .nullable();

/** A webhook as lists show it. */
export const WebhookSchema = WebhookBaseSchema.extend({ last_delivery: LastDeliverySchema }).meta({
  id: 'Webhook',
});
export type Webhook = z.infer<typeof WebhookSchema>;

/** Answer of GET /api/v1/webhooks/. */
export const WebhookPageSchema = z.object({
  count: z.int(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(WebhookSchema),
});

/** Path of one webhook. */
export const WebhookParamsSchema = z.object({ id: UuidSchema.toLowerCase() });
/** Answer of DELETE /api/v1/webhooks/{id}/. */
export const DeletedWebhookSchema = z.object({ id: UuidSchema, deleted: z.literal(true) });

const detailExample = {
  id: '0b6f3c9e-8f8e-4a55-9a0e-2f6b7c1d4e90',
  url: 'https://hooks.example.com/desk',
  events: ['pipeline.completed'],
  created_at: '2026-11-20T10:57:42.000Z',
  last_delivery: { at: '2026-11-20T11:02:00.120Z', status: 'delivered', attempts: 1 },
  state: 'active',
  waiting: 0,
  rotated_until: null,
  problem: null,
};

/** One webhook with all that there is to say of it but its secret. */
export const WebhookDetailSchema = WebhookSchema.extend({
  state: z
    .enum(['active', 'paused', 'off'])
    .describe('paused: events wait. off: its receiver answered 410, and nothing is noted for it.'),
  waiting: z.int().describe('Deliveries that are still to be made.'),
  rotated_until: TimestampSchema.nullable().describe('Until then the former secret signs too.'),
  problem: z.string().nullable().describe('Why nothing is delivered now, and what to do; or null.'),
}).meta({ id: 'WebhookDetail', examples: [detailExample] });
/** One webhook with all that there is to say of it but its secret. */
export type WebhookDetail = z.infer<typeof WebhookDetailSchema>;

/** Body of PATCH /api/v1/webhooks/{id}/. */
export const WebhookChangeSchema = z
  .object({ paused: z.boolean().describe('false resumes it, also after it was switched off.') })
  .meta({ id: 'WebhookChange', examples: [{ paused: true }] });
/** Answer of POST /api/v1/webhooks/{id}/rotate/: the only place where the new secret is shown. */
export const RotatedSecretSchema = z
  .object({
    secret: z.string().describe('Signs from now on; shown this once.'),
    previous_until: TimestampSchema.describe('Until then the previous secret signs as well.'),
  })
  .meta({ id: 'RotatedSecret' });

/** One attempt of a delivery. */
const AttemptSchema = z
  .object({
    number: z.int().describe('From 1, over all rounds of the delivery.'),
    at: TimestampSchema.describe('When it was begun.'),
    status: z.int().nullable().describe('The HTTP status; null where none came.'),
    error: z.string().nullable().describe('Why none came, in words; null where one did.'),
    took_ms: z.int().describe('Milliseconds until the answer, or until it was given up.'),
    excerpt: z.string().describe('The beginning of what the receiver answered, without secrets.'),
  })
  .meta({ id: 'WebhookAttempt' });
export type WebhookAttempt = z.infer<typeof AttemptSchema>;

const deliveryExample = {
  id: 7,
  event_id: 'evt_48b5a8a4-2e69-41ef-a8cf-07d04f69f34b',
  event: 'pipeline.completed',
  state: 'waiting',
  due_at: '2026-11-20T11:02:05.300Z',
  created_at: '2026-11-20T11:02:00.000Z',
  attempts: [
    {
      number: 1,
      at: '2026-11-20T11:02:00.120Z',
      status: 503,
      error: null,
      took_ms: 84,
      excerpt: 'Back in a minute.',
    },
  ],
};

/** One event on its way to one webhook. */
export const DeliverySchema = z
  .object({
    id: z.int(),
    event_id: z.string().describe('The webhook-id of every attempt.'),
    event: EventKindSchema.or(z.literal('webhook.test')),
    state: z.enum(deliveryStates),
    due_at: TimestampSchema.nullable().describe('When the next attempt is due; null at its end.'),
    created_at: TimestampSchema,
    attempts: z.array(AttemptSchema),
  })
  .meta({ id: 'WebhookDelivery', examples: [deliveryExample] });
export type Delivery = z.infer<typeof DeliverySchema>;

/** Path of one delivery. */
export const DeliveryParamsSchema = WebhookParamsSchema.extend({
  delivery: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .meta({ examples: ['7'] })
    .transform(Number),
});
/** Query of GET /api/v1/webhooks/{id}/deliveries/. */
export const DeliveriesQuerySchema = z.object({
  limit: limitText(),
  before: wholeNumberText(1).optional().describe('Only those older than this id.'),
  state: z.enum(deliveryStates).optional(),
});
/** Answer of GET /api/v1/webhooks/{id}/deliveries/: newest first. */
export const DeliveryPageSchema = z
  .object({
    results: z.array(DeliverySchema),
    next_before: z.int().nullable().describe('`before` of the next page; null on the last.'),
  })
  .meta({
    id: 'WebhookDeliveriesPage',
    examples: [{ results: [deliveryExample], next_before: null }],
  });
export type DeliveryPage = z.infer<typeof DeliveryPageSchema>;

/** Body and answer of /app/v1/webhook-hosts: private hosts that webhooks may go to. */
export const WebhookHostsSchema = z.object({
  hosts: z.array(
    z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9.-]+$|^[0-9a-f:.]+$/, 'send a host name or an IP address, nothing more'),
  ),
});

/** Answer of GET /app/v1/secret-key: where the key is that seals the secrets kept here. */
export const SecretKeySchema = z.object({
  place: z.enum(['keychain', 'file', 'unavailable']),
  detail: z.string().describe('What that means, and what to do.'),
});
export type SecretKey = z.infer<typeof SecretKeySchema>;
