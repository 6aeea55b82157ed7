// `desk webhooks …`: the webhooks of an account. Their deliveries are in webhook-log.ts.
import { setTimeout as wait } from 'node:timers/promises';
import { webhookCommandWaitMs } from '../../contract/limits/webhooks.ts';
import {
  type Delivery,
  deliveryStates,
  type EventKind,
  eventKinds,
  type WebhookAttempt,
  type WebhookDetail,
  webhooks,
} from '../../contract/webhooks.ts';
import {
  answerOf,
  type Call,
  type Command,
  type Outcome,
  readOption,
  requireOption,
} from '../kit/command.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { formatCount, formatNumber, formatTable } from '../kit/format-text.ts';
import { limitOption, readLimit } from '../kit/read-limit.ts';
import { badUsage, exitCodes } from '../kit/refusal.ts';

const pollIntervalMs = 100;

const describeAttempt = ({ status, error, took_ms: tookMs, excerpt }: WebhookAttempt): string =>
  `${status ?? error} (${tookMs} ms)${excerpt && `: ${excerpt}`}`;

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

function describeOutcome(delivery: Delivery, attempt: WebhookAttempt | undefined): string {
  if (!attempt) return 'Not sent yet: it is waiting. Check again with "desk webhooks deliveries".';
  const next = delivery.due_at === null ? '' : ` The next attempt is due ${delivery.due_at}.`;
  const verdict = delivery.state === 'delivered' ? 'Delivered' : 'Not delivered';
  return `${verdict}: ${describeAttempt(attempt)}.${next}`;
}

/** Without the wait, the command's own engine would end before it makes the attempt. */
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

function readDeliveryId(text: string, what: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw badUsage(
      `${what} ${text} is not a delivery. List them with "desk webhooks deliveries ID".`,
    );
  return Number(text);
}

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

const webhookLogCommands: readonly Command[] = [testCommand, deliveriesCommand, sendAgainCommand];

const presentWebhook = (webhook: WebhookDetail): string[] => {
  const { last_delivery: last, waiting } = webhook;
  return [
    webhook.id,
    webhook.url,
    webhook.events.join(','),
    webhook.state,
    `${formatCount(waiting)} waiting`,
    last ? `last ${last.status} ${last.at}` : 'nothing sent yet',
    webhook.problem ?? '',
  ];
};

/** Reads --events. Throws bad usage for an unknown kind. */
function readEvents(call: Call): EventKind[] {
  const known = eventKinds.join(', ');
  const text = requireOption(call, 'events', `name one or more of ${known}`);
  return text.split(',').map((word) => {
    const kind = eventKinds.find((one) => one === word.trim().toLowerCase());
    if (!kind) throw badUsage(`There is no event "${word.trim()}". Choose from ${known}.`);
    return kind;
  });
}

async function allowHost(engine: EngineClient, url: string): Promise<void> {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '');
  if (!host) throw badUsage('This is not a URL. Send one such as http://127.0.0.1:9000/desk.');
  const { hosts } = await engine.ask(webhooks.hosts);
  if (hosts.includes(host)) return;
  await engine.ask(webhooks.setHosts, { hosts: [...hosts, host] });
}

const addCommand: Command = {
  name: 'webhooks add',
  summary: 'Register an address for signed events about jobs, monitors and pipelines',
  args: '<URL>',
  options: {
    events: { value: 'E[,E]', summary: eventKinds.join(', '), isRequired: true },
    'allow-host': { summary: 'allow its host for webhooks: this machine, or one of your network' },
  },
  notes: ['The secret is shown once, on standard output.'],
  async run(call) {
    const events = readEvents(call);
    const [url = ''] = call.positionals;
    const engine = await call.openEngine();
    if (call.values['allow-host'] === true) await allowHost(engine, url);
    const created = await engine.ask(webhooks.register, { url, events });
    call.terminal.note(`The webhook ${created.id} was registered.`);
    call.terminal.note('Keep its secret now: it is sealed here, and never shown again.');
    return { json: created, lines: [created.secret] };
  },
};

const listCommand: Command = {
  name: 'webhooks list',
  summary: 'List the webhooks of an account, with state and waiting deliveries',
  async run(call) {
    const engine = await call.openEngine();
    const listed = await engine.ask(webhooks.list);
    const rows = listed.map(presentWebhook);
    return { json: listed, lines: rows.length ? formatTable(rows) : ['No webhook yet.'] };
  },
};

const removeCommand: Command = {
  name: 'webhooks remove',
  summary: 'Delete a webhook, its log and its waiting deliveries',
  args: '<ID>',
  async run(call) {
    const [id = ''] = call.positionals;
    return answerOf(call, webhooks.remove, { id }, (gone) => [
      `The webhook ${gone.id} is deleted.`,
    ]);
  },
};

const pausing = (name: string, summary: string, paused: boolean): Command => ({
  name: `webhooks ${name}`,
  summary,
  args: '<ID>',
  async run(call) {
    const [id = ''] = call.positionals;
    return answerOf(call, webhooks.pause, { id, paused }, (webhook) =>
      formatTable([presentWebhook(webhook)]),
    );
  },
});

const rotateCommand: Command = {
  name: 'webhooks rotate',
  summary: 'Give a webhook a new secret',
  args: '<ID>',
  notes: [
    'The new secret is shown once, on standard output. For 24 hours, webhook-signature has a',
    'signature by each secret. X-Service-Signature has one, by the new secret.',
  ],
  async run(call) {
    const engine = await call.openEngine();
    const [id = ''] = call.positionals;
    const rotated = await engine.ask(webhooks.rotate, { id });
    call.terminal.note('Keep this secret now: it is sealed here, and never shown again.');
    call.terminal.note(`Until ${rotated.previous_until} the old secret signs as well.`);
    return { json: rotated, lines: [rotated.secret] };
  },
};

export const webhookCommands: readonly Command[] = [
  addCommand,
  listCommand,
  removeCommand,
  pausing('pause', 'Pause a webhook: events wait until it is resumed', true),
  pausing('resume', 'Resume a webhook, even one that its receiver switched off', false),
  rotateCommand,
  ...webhookLogCommands,
];
