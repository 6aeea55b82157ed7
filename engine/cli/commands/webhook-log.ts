/** `desk webhooks test`, `deliveries` and `send-again`: the deliveries of a webhook. */
import { setTimeout as wait } from 'node:timers/promises';
import { webhookCommandWaitMs } from '../../contract/limits/webhooks.ts';
import {
  type Delivery,
  deliveryStates,
  type WebhookAttempt,
  webhooks,
} from '../../contract/webhooks.ts';
import { type Call, type Command, type Outcome, readOption } from '../kit/command.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { formatNumber, formatTable } from '../kit/format-text.ts';
import { limitOption, readLimit } from '../kit/read-limit.ts';
import { badUsage, exitCodes } from '../kit/refusal.ts';

const pollIntervalMs = 100;

const describeAttempt = ({ status, error, took_ms: tookMs, excerpt }: WebhookAttempt): string =>
  `${status ?? error} (${tookMs} ms)${excerpt && `: ${excerpt}`}`;

/** A row of the log: id, event, time, state, attempts, result of the last one. */
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

/** A sentence on a delivery after an attempt, or without one. */
function describeOutcome(delivery: Delivery, attempt: WebhookAttempt | undefined): string {
  if (!attempt) return 'Not sent yet: it is waiting. Check again with "desk webhooks deliveries".';
  const next = delivery.due_at === null ? '' : ` The next attempt is due ${delivery.due_at}.`;
  const verdict = delivery.state === 'delivered' ? 'Delivered' : 'Not delivered';
  return `${verdict}: ${describeAttempt(attempt)}.${next}`;
}

/**
 * Waits for the next attempt of a delivery. Without the wait, the command's own engine would end
 * before it makes the attempt.
 */
async function followAttempt(
  engine: EngineClient,
  id: string,
  sent: Delivery,
  madeBefore: number,
): Promise<Outcome> {
  let delivery = sent;
  for (let left = webhookCommandWaitMs / pollIntervalMs; left > 0; left -= 1) {
    if (delivery.attempts.length > madeBefore) break;
    await wait(pollIntervalMs);
    delivery = await engine.ask(webhooks.delivery, { id, delivery: sent.id });
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
  summary: 'Send a test event to a webhook once, and show the result',
  args: '<ID>',
  notes: ['Exit code 1 if it was not delivered.'],
  async run(call) {
    const engine = await call.openEngine();
    const [id = ''] = call.positionals;
    const sent = await engine.ask(webhooks.sendTest, { id });
    return followAttempt(engine, id, sent, 0);
  },
};

/** Reads the id of a delivery. Throws bad usage if it is not a number. */
function readDeliveryId(text: string, what: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw badUsage(
      `${what} ${text} is not a delivery. List them with "desk webhooks deliveries ID".`,
    );
  return Number(text);
}

/** Reads --limit, --before and --state. Throws bad usage. */
function readFilter(call: Call) {
  const before = readOption(call, 'before');
  const named = readOption(call, 'state');
  const state = deliveryStates.find((one) => one === named);
  if (named !== undefined && !state)
    throw badUsage(`--state ${named} is not a state. Give one of ${deliveryStates.join(', ')}.`);
  return {
    limit: readLimit(call),
    before: before === undefined ? undefined : readDeliveryId(before, '--before'),
    state,
  };
}

const deliveriesCommand: Command = {
  name: 'webhooks deliveries',
  summary: 'List the deliveries of a webhook, newest first',
  args: '<ID>',
  options: {
    limit: limitOption('deliveries'),
    state: { value: 'S', summary: `only deliveries in this state: ${deliveryStates.join(', ')}` },
    before: { value: 'DELIVERY', summary: 'only deliveries older than this one' },
  },
  async run(call) {
    const [id = ''] = call.positionals;
    const filter = readFilter(call);
    const engine = await call.openEngine();
    const page = await engine.ask(webhooks.deliveries, { id, ...filter });
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
  summary: 'Send a delivery again, and show the result of the first attempt',
  args: '<ID> <DELIVERY>',
  notes: ['Exit code 1 if the first attempt fails. More attempts follow automatically.'],
  async run(call) {
    const [id = '', named = ''] = call.positionals;
    const delivery = readDeliveryId(named, 'DELIVERY');
    const engine = await call.openEngine();
    const before = await engine.ask(webhooks.delivery, { id, delivery });
    const sent = await engine.ask(webhooks.sendAgain, { id, delivery });
    return followAttempt(engine, id, sent, before.attempts.length);
  },
};

/** `desk webhooks test`, `deliveries` and `send-again`. */
export const webhookLogCommands: readonly Command[] = [
  testCommand,
  deliveriesCommand,
  sendAgainCommand,
];
