/** `desk webhooks …`: the webhooks of an account. Their deliveries are in webhook-log.ts. */
import {
  type EventKind,
  eventKinds,
  type WebhookDetail,
  webhooks,
} from '../../contract/webhooks.ts';
import { type Call, type Command, requireOption } from '../kit/command.ts';
import type { EngineClient } from '../kit/engine-client.ts';
import { formatCount, formatTable } from '../kit/format-text.ts';
import { badUsage } from '../kit/refusal.ts';
import { webhookLogCommands } from './webhook-log.ts';

/** A row of the list: id, address, events, state, waiting deliveries, last delivery. */
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

/** Adds the host of an address to the private hosts that webhooks may use. */
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
    const engine = await call.openEngine();
    const [id = ''] = call.positionals;
    const gone = await engine.ask(webhooks.remove, { id });
    return { json: gone, lines: [`The webhook ${gone.id} is deleted.`] };
  },
};

/** `pause` and `resume`. */
const pausing = (name: string, summary: string, paused: boolean): Command => ({
  name: `webhooks ${name}`,
  summary,
  args: '<ID>',
  async run(call) {
    const engine = await call.openEngine();
    const [id = ''] = call.positionals;
    const webhook = await engine.ask(webhooks.pause, { id, paused });
    return { json: webhook, lines: formatTable([presentWebhook(webhook)]) };
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

/** `desk webhooks add`, `list`, `remove`, `pause`, `resume`, `rotate`, and those of their log. */
export const webhookCommands: readonly Command[] = [
  addCommand,
  listCommand,
  removeCommand,
  pausing('pause', 'Pause a webhook: events wait until it is resumed', true),
  pausing('resume', 'Resume a webhook, even one that its receiver switched off', false),
  rotateCommand,
  ...webhookLogCommands,
];
