// Webhooks: registration, events and deliveries (docs/webhooks.md).
import { z } from 'zod';
import { endpoints } from './endpoints.ts';
import { TimestampSchema, UuidSchema } from './ids.ts';
import { webhookUrlCharactersMax } from './limits/webhooks.ts';
import { limitText, PageQuerySchema, wholeNumberText } from './whole-number.ts';

export const eventKinds = [
  'pipeline.completed',
  'pipeline.failed',
  'job.completed',
  'monitor.changed',
] as const;
export type EventKind = (typeof eventKinds)[number];
const EventKindSchema = z.enum(eventKinds);

const NewWebhookSchema = z
  .object({
    url: z
      .string()
      .max(webhookUrlCharactersMax)
      .describe('URL that receives the deliveries: HTTPS, or HTTP to an allowed loopback host.'),
    events: z.array(EventKindSchema).min(1, 'send at least one event'),
  })
  .meta({
    id: 'NewWebhook',
    examples: [{ url: 'https://hooks.example.com/desk', events: ['pipeline.completed'] }],
  });

const WebhookBaseSchema = z.object({
  id: UuidSchema,
  url: z.string(),
  events: z.array(EventKindSchema),
  created_at: TimestampSchema,
});

/** Answer of POST /api/v1/webhooks/: the only answer that shows the secret. */
const CreatedWebhookSchema = WebhookBaseSchema.extend({
  secret: z.string().describe('Secret to verify signatures. Shown only once.'),
}).meta({ id: 'CreatedWebhook' });
export type CreatedWebhook = z.infer<typeof CreatedWebhookSchema>;

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;

const LastDeliverySchema = z
  .object({
    at: TimestampSchema.describe('Time of the latest attempt; of the event if there is none.'),
    status: z.enum(deliveryStates),
    attempts: z.int(),
  })
  .nullable();

const WebhookSchema = WebhookBaseSchema.extend({ last_delivery: LastDeliverySchema }).meta({
  id: 'Webhook',
});
export type Webhook = z.infer<typeof WebhookSchema>;

const WebhookPageSchema = z.object({
  count: z.int(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(WebhookSchema),
});

const WebhookParamsSchema = z.object({ id: UuidSchema.toLowerCase() });

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

/** One webhook in full, without its secret. */
const WebhookDetailSchema = WebhookSchema.extend({
  state: z
    .enum(['active', 'paused', 'off'])
    .describe('paused: events are queued. off: the receiver answered 410, and events are dropped.'),
  waiting: z.int().describe('Number of pending deliveries.'),
  rotated_until: TimestampSchema.nullable().describe('When the previous secret stops signing.'),
  problem: z.string().nullable().describe('Why deliveries are stopped and what to do, or null.'),
}).meta({ id: 'WebhookDetail', examples: [detailExample] });
export type WebhookDetail = z.infer<typeof WebhookDetailSchema>;

const WebhookChangeSchema = z
  .object({
    paused: z.boolean().describe('false resumes the webhook, even after it was switched off.'),
  })
  .meta({ id: 'WebhookChange', examples: [{ paused: true }] });
/** Answer of POST /api/v1/webhooks/{id}/rotate/: the only answer that shows the new secret. */
const RotatedSecretSchema = z
  .object({
    secret: z.string().describe('The new signing secret. Shown only once.'),
    previous_until: TimestampSchema.describe('When the previous secret stops signing.'),
  })
  .meta({ id: 'RotatedSecret' });

const AttemptSchema = z
  .object({
    number: z
      .int()
      .describe('Counts from 1, including attempts before the delivery was sent again.'),
    at: TimestampSchema.describe('When the attempt started.'),
    status: z.int().nullable().describe('The HTTP status; null if there was no response.'),
    error: z.string().nullable().describe('Why there was no response; null if there was one.'),
    took_ms: z.int().describe('Milliseconds until the response or the timeout.'),
    excerpt: z.string().describe('The beginning of the response, with secrets removed.'),
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

const DeliverySchema = z
  .object({
    id: z.int(),
    event_id: z.string().describe('The `webhook-id` header of every attempt.'),
    event: EventKindSchema.or(z.literal('webhook.test')),
    state: z.enum(deliveryStates),
    due_at: TimestampSchema.nullable().describe(
      'When the next attempt is due; null if the delivery has ended.',
    ),
    created_at: TimestampSchema,
    attempts: z.array(AttemptSchema),
  })
  .meta({ id: 'WebhookDelivery', examples: [deliveryExample] });
export type Delivery = z.infer<typeof DeliverySchema>;

const DeliveryParamsSchema = WebhookParamsSchema.extend({
  delivery: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .meta({ examples: ['7'] })
    .transform(Number),
});
const DeliveriesQuerySchema = z.object({
  limit: limitText(),
  before: wholeNumberText(1).optional().describe('Only deliveries older than this id.'),
  state: z.enum(deliveryStates).optional(),
});
/** Answer of GET /api/v1/webhooks/{id}/deliveries/: newest first. */
const DeliveryPageSchema = z
  .object({
    results: z.array(DeliverySchema),
    next_before: z.int().nullable().describe('`before` of the next page; null on the last.'),
  })
  .meta({
    id: 'WebhookDeliveriesPage',
    examples: [{ results: [deliveryExample], next_before: null }],
  });
export type DeliveryPage = z.infer<typeof DeliveryPageSchema>;

const WebhookHostsSchema = z.object({
  hosts: z.array(
    z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^[a-z0-9.-]+$|^[0-9a-f:.]+$/, 'send only a host name or an IP address'),
  ),
});

const SecretKeySchema = z.object({
  place: z.enum(['keychain', 'file', 'unavailable']),
  detail: z.string().describe('What this means and what to do.'),
});
export type SecretKey = z.infer<typeof SecretKeySchema>;

export const webhooks = endpoints('webhooks', {
  listPage: {
    api: 'GET /api/v1/webhooks/',
    query: PageQuerySchema,
    answer: WebhookPageSchema,
    docs: { id: 'listWebhooks', tag: 'Webhooks', summary: 'List webhooks, newest first' },
  },
  list: { app: 'GET /app/v1/webhooks', answer: z.array(WebhookDetailSchema) },
  register: {
    api: 'POST /api/v1/webhooks/',
    app: 'POST /app/v1/webhooks',
    body: NewWebhookSchema,
    answer: CreatedWebhookSchema,
    statuses: [201],
    docs: {
      id: 'registerWebhook',
      tag: 'Webhooks',
      summary: 'Register a webhook',
      description: 'Only this response contains the secret.',
      refusals: ['secrets_unavailable'],
    },
  },
  get: {
    api: 'GET /api/v1/webhooks/:id',
    app: 'GET /app/v1/webhooks/:id',
    params: WebhookParamsSchema,
    answer: WebhookDetailSchema,
    docs: {
      id: 'getWebhook',
      tag: 'Webhooks',
      summary: 'Get a webhook: whether it is paused or switched off, and what prevents deliveries',
    },
  },
  pause: {
    api: 'PATCH /api/v1/webhooks/:id',
    app: 'PATCH /app/v1/webhooks/:id',
    params: WebhookParamsSchema,
    body: WebhookChangeSchema,
    answer: WebhookDetailSchema,
    docs: {
      id: 'changeWebhook',
      tag: 'Webhooks',
      summary: 'Pause or resume a webhook',
      description:
        'While a webhook is paused, its events wait. A webhook that its receiver switched ' +
        'off with 410 is resumed in the same way.',
    },
  },
  rotate: {
    api: 'POST /api/v1/webhooks/:id/rotate',
    app: 'POST /app/v1/webhooks/:id/rotate',
    params: WebhookParamsSchema,
    answer: RotatedSecretSchema,
    docs: {
      id: 'rotateWebhookSecret',
      tag: 'Webhooks',
      summary: 'Replace the secret of a webhook',
      description:
        'Only this response contains the new secret. For 24 hours, `webhook-signature` has a ' +
        'signature by each secret. `X-Service-Signature` has one, by the new secret.',
      refusals: ['secrets_unavailable'],
    },
  },
  remove: {
    api: 'DELETE /api/v1/webhooks/:id',
    app: 'DELETE /app/v1/webhooks/:id',
    params: WebhookParamsSchema,
    answer: z.object({ id: UuidSchema, deleted: z.literal(true) }),
    docs: {
      id: 'deleteWebhook',
      tag: 'Webhooks',
      summary: 'Delete a webhook and its waiting deliveries',
    },
  },
  sendTest: {
    api: 'POST /api/v1/webhooks/:id/test',
    app: 'POST /app/v1/webhooks/:id/test',
    params: WebhookParamsSchema,
    answer: DeliverySchema,
    statuses: [202],
    docs: {
      id: 'sendTestEvent',
      tag: 'Webhooks',
      summary: 'Send a test event, also if the webhook is not registered for it',
      description: 'There is one attempt. A paused or switched-off webhook refuses it.',
      answers: { 202: 'The event is queued; the delivery shows the result.' },
    },
  },
  deliveries: {
    api: 'GET /api/v1/webhooks/:id/deliveries',
    app: 'GET /app/v1/webhooks/:id/deliveries',
    params: WebhookParamsSchema,
    query: DeliveriesQuerySchema,
    answer: DeliveryPageSchema,
    isLong: true,
    docs: {
      id: 'listWebhookDeliveries',
      tag: 'Webhooks',
      summary: 'List the deliveries of a webhook with their attempts, newest first',
      description:
        'Request older pages with `before`, because new deliveries are added at the front. A ' +
        'delivery is kept for 30 days after its end.',
    },
  },
  delivery: {
    api: 'GET /api/v1/webhooks/:id/deliveries/:delivery',
    app: 'GET /app/v1/webhooks/:id/deliveries/:delivery',
    params: DeliveryParamsSchema,
    answer: DeliverySchema,
    docs: {
      id: 'getWebhookDelivery',
      tag: 'Webhooks',
      summary: 'Get a delivery with its attempts',
    },
  },
  sendAgain: {
    api: 'POST /api/v1/webhooks/:id/deliveries/:delivery/send-again',
    app: 'POST /app/v1/webhooks/:id/deliveries/:delivery/send-again',
    params: DeliveryParamsSchema,
    answer: DeliverySchema,
    statuses: [202],
    docs: {
      id: 'sendDeliveryAgain',
      tag: 'Webhooks',
      summary: 'Send a delivery again, with the same webhook-id',
      description: 'A paused or switched-off webhook refuses it.',
      answers: { 202: 'The delivery is queued again and shows the result.' },
    },
  },
  hosts: { app: 'GET /app/v1/webhook-hosts', answer: WebhookHostsSchema },
  setHosts: {
    app: 'PUT /app/v1/webhook-hosts',
    body: WebhookHostsSchema,
    answer: WebhookHostsSchema,
  },
  /** Where the encryption key is stored. Creates the key if there is none. */
  secretKey: { app: 'GET /app/v1/secret-key', answer: SecretKeySchema },
});
