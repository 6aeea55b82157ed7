/** `desk webhooks test`, `deliveries` and `send-again`: what is sent, and what came of it. */
import { setTimeout as wait } from 'node:timers/promises';
import { webhookCommandWaitMs } from '../../contract/limits/webhooks.ts';
import {
  type Delivery,
  DeliveryPageSchema,
  DeliverySchema,
  deliveryStates,
  type WebhookAttempt,
} from '../../contract/webhooks.ts';
import { type Call, type Command, type Outcome, readOption } from '../kit/command.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { formatNumber, formatTable } from '../kit/format-text.ts';
import { limitOption, readLimit } from '../kit/read-limit.ts';
import { badUsage, exitCodes } from '../kit/refusal.ts';

const pollIntervalMs = 100;

/** Where the webhook stands that the first argument names. */
export const pathOfWebhook = (call: Call): string =>
  `webhooks/${encodeURIComponent(call.positionals[0] ?? '')}`;

const describeAttempt = ({ status, error, took_ms: tookMs, excerpt }: WebhookAttempt): string =>
  `${status ?? error} (${tookMs} ms)${excerpt && `: ${excerpt}`}`;

/** A delivery in one row: id, event, when, state, attempts, how the last one went. */
const presentDelivery = (delivery: Delivery): string[] => {
  const last = delivery.attempts.at(-1);
  return [
    String(delivery.id),
    delivery.event,
    delivery.created_at,
    delivery.state,
    formatNumber(delivery.attempts.length, 'attempt'),
    last ? describeAttempt(last) : '',
  ];
};

/** What is said of a delivery after an attempt, or after none came. */
function describeOutcome(delivery: Delivery, attempt: WebhookAttempt | undefined): string {
  if (!attempt)
    return 'Not sent yet: it waits its turn. Look again with "desk webhooks deliveries".';
  const next = delivery.due_at === null ? '' : ` The next attempt is due ${delivery.due_at}.`;
  const verdict = delivery.state === 'delivered' ? 'Delivered' : 'Not delivered';
  return `${verdict}: ${describeAttempt(attempt)}.${next}`;
}

/**
 * Follows a delivery that is to be sent until its next attempt was made. An engine of the command's
 * own would not make it later.
 */
async function followAttempt(
  call: Call,
  engine: EngineClient,
  sent: Delivery,
  madeBefore: number,
): Promise<Outcome> {
  const path = `${pathOfWebhook(call)}/deliveries/${sent.id}`;
  let delivery = sent;
  for (let left = webhookCommandWaitMs / pollIntervalMs; left > 0; left -= 1) {
    if (delivery.attempts.length > madeBefore) break;
    await wait(pollIntervalMs);
    delivery = await engine.request(DeliverySchema, 'GET', path);
  }
  const attempt = delivery.attempts.length > madeBefore ? delivery.attempts.at(-1) : undefined;
  return {
    exitCode: delivery.state === 'delivered' && attempt ? exitCodes.done : exitCodes.failed,
    json: delivery,
    lines: [describeOutcome(delivery, attempt)],
  };
}

const testCommand: Command = {
  name: 'webhooks test',
  summary: 'Send a test event to a webhook, once, and tell how it went',
  args: '<ID>',
  notes: ['Exit code 1 where it was not delivered.'],
  async run(call) {
    const engine = await call.openEngine();
    const path = `${pathOfWebhook(call)}/test`;
    const sent = await engine.request(DeliverySchema, 'POST', path);
    return followAttempt(call, engine, sent, 0);
  },
};

/** Reads a delivery's id. Throws bad usage where it can be none. */
function readDeliveryId(text: string, what: string): string {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw badUsage(`${what} ${text} is no delivery. List them with "desk webhooks deliveries ID".`);
  return text;
}

/** The query of the log that a line asks for. Throws bad usage. */
function readFilter(call: Call): string {
  const query = new URLSearchParams({ limit: String(readLimit(call)) });
  const before = readOption(call, 'before');
  if (before !== undefined) query.set('before', readDeliveryId(before, '--before'));
  const state = readOption(call, 'state');
  if (state === undefined) return query.toString();
  if (!deliveryStates.some((one) => one === state))
    throw badUsage(`--state ${state} is no state. Give one of ${deliveryStates.join(', ')}.`);
  query.set('state', state);
  return query.toString();
}

const deliveriesCommand: Command = {
  name: 'webhooks deliveries',
  summary: 'List what was sent to a webhook and how it went, newest first',
  args: '<ID>',
  usage: '[--limit N] [--state S] [--before DELIVERY]',
  options: {
    limit: limitOption('deliveries'),
    state: { value: 'S', summary: `only those that are ${deliveryStates.join(', ')}` },
    before: { value: 'DELIVERY', summary: 'only those older than this one' },
  },
  async run(call) {
    const path = `${pathOfWebhook(call)}/deliveries?${readFilter(call)}`;
    const engine = await call.openEngine();
    const page = await engine.request(DeliveryPageSchema, 'GET', path);
    const { results, next_before: next } = page;
    const older = next === null ? '' : `; older ones with --before ${next}`;
    return {
      json: page,
      lines: [
        ...formatTable(results.map(presentDelivery), [0]),
        `Deliveries: ${results.length}${older}`,
      ],
    };
  },
};

const sendAgainCommand: Command = {
  name: 'webhooks send-again',
  summary: 'Begin another round of attempts of a delivery, and tell how the first one went',
  args: '<ID> <DELIVERY>',
  notes: ['Exit code 1 where it was not delivered at once; it is then tried again by itself.'],
  async run(call) {
    const id = readDeliveryId(call.positionals[1] ?? '', 'DELIVERY');
    const engine = await call.openEngine();
    const path = `${pathOfWebhook(call)}/deliveries/${id}`;
    const before = await engine.request(DeliverySchema, 'GET', path);
    const sent = await engine.request(DeliverySchema, 'POST', `${path}/send-again`);
    return followAttempt(call, engine, sent, before.attempts.length);
  },
};

/** The commands. */
export const webhookLogCommands: readonly Command[] = [
  testCommand,
  deliveriesCommand,
  sendAgainCommand,
];
