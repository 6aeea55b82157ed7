/** `desk webhooks …`: who is told when a pipeline has ended; webhook-log.ts has what was sent. */
import { z } from 'zod';
import {
  CreatedWebhookSchema,
  DeletedWebhookSchema,
  type EventKind,
  eventKinds,
  RotatedSecretSchema,
  type WebhookDetail,
  WebhookDetailSchema,
} from '../../contract/webhooks.ts';
import { type Call, type Command, requireOption } from '../kit/command.ts';
import { formatCount, formatTable } from '../kit/format-text.ts';
import { badUsage } from '../kit/refusal.ts';
import { pathOfWebhook, webhookLogCommands } from './webhook-log.ts';

/** A webhook in one row: id, address, events, state, what waits, how its last delivery stands. */
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

/** Reads --events. Throws bad usage for a kind that there is not. */
function readEvents(call: Call): EventKind[] {
  const known = eventKinds.join(', ');
  const text = requireOption(call, 'events', `name one or more of ${known}`);
  return text.split(',').map((word) => {
    const kind = eventKinds.find((one) => one === word.trim().toLowerCase());
    if (!kind) throw badUsage(`There is no event "${word.trim()}". Choose from ${known}.`);
    return kind;
  });
}

const addCommand: Command = {
  name: 'webhooks add',
  summary: 'Register an address that is told, signed, when a pipeline has ended',
  args: '<URL>',
  usage: '--events E[,E]',
  options: { events: { value: 'E[,E]', summary: eventKinds.join(', ') } },
  notes: ['Its secret is shown once, on standard output.'],
  async run(call) {
    const events = readEvents(call);
    const body = { url: call.positionals[0], events };
    const engine = await call.openEngine();
    const created = await engine.request(CreatedWebhookSchema, 'POST', 'webhooks', body);
    call.terminal.note(`The webhook ${created.id} was registered.`);
    call.terminal.note('Keep its secret now: it is sealed here, and never shown again.');
    return { json: created, lines: [created.secret] };
  },
};

const listCommand: Command = {
  name: 'webhooks list',
  summary: 'List the webhooks of an account, their state and what waits',
  async run(call) {
    const engine = await call.openEngine();
    const webhooks = await engine.request(z.array(WebhookDetailSchema), 'GET', 'webhooks');
    const rows = webhooks.map(presentWebhook);
    return { json: webhooks, lines: rows.length ? formatTable(rows) : ['No webhook yet.'] };
  },
};

const removeCommand: Command = {
  name: 'webhooks remove',
  summary: 'Delete a webhook with its log and what it has still to send',
  args: '<ID>',
  async run(call) {
    const engine = await call.openEngine();
    const gone = await engine.request(DeletedWebhookSchema, 'DELETE', pathOfWebhook(call));
    return { json: gone, lines: [`The webhook ${gone.id} is deleted.`] };
  },
};

/** `pause` and `resume`, which differ by a word. */
const pausing = (name: string, summary: string, paused: boolean): Command => ({
  name: `webhooks ${name}`,
  summary,
  args: '<ID>',
  async run(call) {
    const engine = await call.openEngine();
    const path = pathOfWebhook(call);
    const webhook = await engine.request(WebhookDetailSchema, 'PATCH', path, { paused });
    return { json: webhook, lines: formatTable([presentWebhook(webhook)]) };
  },
});

const rotateCommand: Command = {
  name: 'webhooks rotate',
  summary: 'Give a webhook a new secret',
  args: '<ID>',
  notes: [
    'The new secret is shown once, on standard output. For 24 hours webhook-signature carries a',
    'signature by each; X-Service-Signature has room for one, by the new secret at once.',
  ],
  async run(call) {
    const engine = await call.openEngine();
    const path = `${pathOfWebhook(call)}/rotate`;
    const rotated = await engine.request(RotatedSecretSchema, 'POST', path);
    call.terminal.note('Keep this secret now: it is sealed here, and never shown again.');
    call.terminal.note(`Until ${rotated.previous_until} the former one signs beside it.`);
    return { json: rotated, lines: [rotated.secret] };
  },
};

/** `desk webhooks add`, `list`, `remove`, `pause`, `resume`, `rotate`, and those of their log. */
export const webhookCommands: readonly Command[] = [
  addCommand,
  listCommand,
  removeCommand,
  pausing('pause', 'Have a webhook gather events without sending them', true),
  pausing('resume', 'Let a webhook go on, also one that its receiver switched off', false),
  rotateCommand,
  ...webhookLogCommands,
];
