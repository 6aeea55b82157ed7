// Webhooks on the Connections screen: the form, the allowed hosts, the table and the log.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { timestampExample } from '../../../../engine/contract/examples.ts';
import type { Delivery, WebhookDetail } from '../../../../engine/contract/webhooks.ts';
import { expectAccessible, expectAccessibleAndResponsive } from '../../accessibility.ts';
import { idOf } from '../../empty-desk.ts';
import { type Answers, refuse } from '../../fake-api.ts';
import { openPage, openTab } from '../../open-page.tsx';

const url = 'https://intra.corp.example:9443/desk';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const refusal = `${url} is not on the public internet.`;
const dialog = page.getByRole('dialog');
const section = page.getByRole('region', { name: 'Webhooks', exact: true });
const press = (name: string | RegExp) => page.getByRole('button', { name }).click();

const webhook = (parts: Partial<WebhookDetail> = {}): WebhookDetail => ({
  id: idOf(7),
  url,
  events: ['pipeline.completed', 'pipeline.failed'],
  created_at: timestampExample,
  last_delivery: null,
  state: 'active',
  waiting: 0,
  rotated_until: null,
  problem: null,
  ...parts,
});

const delivery = (id: number, parts: Partial<Delivery> = {}): Delivery => ({
  id,
  event_id: `evt_${id}`,
  event: 'webhook.test',
  state: 'failed',
  due_at: null,
  created_at: timestampExample,
  attempts: [],
  ...parts,
});

const attempt = (number: number, status: number | null, excerpt: string) => ({
  number,
  at: timestampExample,
  status,
  error: status === null ? excerpt : null,
  took_ms: 12,
  excerpt: status === null ? '' : excerpt,
});

/** Responses for webhooks that are created, changed and deleted, with their allowed hosts. */
function keepWebhooks(webhooks: WebhookDetail[]): Answers {
  let hosts: string[] = [];
  const change = (parts: Partial<WebhookDetail>) => {
    webhooks[0] = { ...webhooks[0]!, ...parts };
    return webhooks[0];
  };
  return {
    'GET /app/v1/webhooks': () => webhooks,
    'POST /app/v1/webhooks': ({ sent }) => {
      if (!hosts.includes(new URL(sent.url).hostname)) return refuse('validation_error', refusal);
      webhooks.push(webhook(sent));
      return { id: idOf(7), ...sent, created_at: timestampExample, secret };
    },
    'DELETE /app/v1/webhooks/:id': ({ params }) => {
      webhooks.length = 0;
      return { id: params.id ?? '', deleted: true };
    },
    'PATCH /app/v1/webhooks/:id': ({ sent }) =>
      change({ state: sent.paused ? 'paused' : 'active' }),
    'POST /app/v1/webhooks/:id/rotate': () => ({
      secret: `${secret}New`,
      previous_until: timestampExample,
    }),
    'GET /app/v1/webhook-hosts': () => ({ hosts }),
    'PUT /app/v1/webhook-hosts': ({ sent }) => {
      hosts = sent.hosts;
      return sent;
    },
  };
}

async function register(): Promise<void> {
  await press('New webhook');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(`  ${url} `);
  await dialog.getByRole('button', { name: 'Register' }).click();
}

test('a refused address is registered once its host is allowed; the secret shows once', async () => {
  const api = await openPage('Connections', keepWebhooks([]));
  await openTab('Webhooks');
  await register();
  await expect.element(dialog.getByRole('alert').getByText(refusal)).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('combobox', { name: 'Allowed private hosts' }).fill('intra.corp.example');
  await userEvent.keyboard('{Enter}');
  await section.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByText('The allowed hosts were saved.')).toBeVisible();
  expect(api.askedOf('PUT /app/v1/webhook-hosts').map(({ sent }) => sent)).toEqual([
    { hosts: ['intra.corp.example'] },
  ]);
  await register();
  await expect.element(dialog.getByText(secret)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog.getByText(secret)).toBeVisible();
  await expectAccessibleAndResponsive();
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
  await expect.element(section.getByText(url)).toBeVisible();
  expect(document.documentElement.outerHTML).not.toContain(secret);
  await expectAccessibleAndResponsive();
});

test('the form requires an address and an event, and sends the choices', async () => {
  const api = await openPage('Connections', keepWebhooks([]));
  await openTab('Webhooks');
  await press('New webhook');
  const send = dialog.getByRole('button', { name: 'Register' });
  await expect.element(send).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(url);
  await expect.element(send).toBeEnabled();
  for (const name of [/^pipeline\.failed/, /^pipeline\.completed/, /^job\./, /^monitor\./])
    await dialog.getByRole('checkbox', { name }).click();
  await expect.element(send).toBeDisabled();
  await dialog.getByRole('checkbox', { name: /^pipeline\.failed/ }).click();
  await send.click();
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  expect(api.askedOf('POST /app/v1/webhooks').map(({ sent }) => sent)).toEqual([
    { url, events: ['pipeline.failed'] },
  ]);
});

test('an address of this machine is registered after a confirmation, which allows its host', async () => {
  const api = await openPage('Connections', keepWebhooks([]));
  await openTab('Webhooks');
  await press('New webhook');
  const send = dialog.getByRole('button', { name: 'Register' });
  const allow = dialog.getByRole('checkbox', { name: /^Allow webhooks to/ });
  for (const address of ['http://127.0.0.1:9000/desk', 'http://localhost:9000/desk']) {
    await dialog.getByRole('textbox', { name: 'Address' }).fill(address);
    await expect.element(send).toBeDisabled();
  }
  await allow.click();
  await expectAccessible();
  await send.click();
  await expect.element(dialog.getByText(secret)).toBeVisible();
  expect(api.askedOf('PUT /app/v1/webhook-hosts').map(({ sent }) => sent)).toEqual([
    { hosts: ['localhost'] },
  ]);
});

test('a webhook is paused and resumed, its secret rotated, and it is deleted after a confirmation', async () => {
  const api = await openPage('Connections', keepWebhooks([webhook()]));
  await openTab('Webhooks');
  await press('Pause');
  await expect.element(section.getByText('paused')).toBeVisible();
  await press('Resume');
  await expect.element(section.getByText('active', { exact: true })).toBeVisible();
  await press('Rotate');
  await dialog.getByRole('button', { name: 'Rotate the secret' }).click();
  await expect.element(dialog.getByText(`${secret}New`)).toBeVisible();
  await expectAccessibleAndResponsive();
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await section.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(api.askedOf('DELETE /app/v1/webhooks/:id')).toEqual([]);
  await section.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete the webhook' }).click();
  await expect.element(page.getByText('No webhook yet')).toBeVisible();
});

test('a webhook that is off shows the reason and sends nothing', async () => {
  const problem = 'Its receiver answered 410.';
  await openPage('Connections', {
    ...keepWebhooks([webhook({ state: 'off', problem })]),
    'GET /app/v1/webhooks/:id/deliveries': () => ({
      results: [delivery(1)],
      next_before: null,
    }),
  });
  await openTab('Webhooks');
  await expect.element(section.getByText('switched off')).toBeVisible();
  await expect.element(section.getByText(problem)).toBeVisible();
  await press('Deliveries');
  await expect.element(dialog.getByText('evt_1')).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Send a test event' })).toBeDisabled();
  expect(dialog.getByRole('button', { name: /^Send again/ }).elements()).toEqual([]);
});

test('the log lists every attempt, sends a test event, and sends an event again', async () => {
  const log: Delivery[] = [];
  const put = (state: Delivery['state'], attempts: Delivery['attempts']) => {
    log[0] = delivery(1, { state, attempts });
    return log[0];
  };
  const failed = attempt(1, 500, 'not today');
  const api = await openPage('Connections', {
    ...keepWebhooks([webhook()]),
    'GET /app/v1/webhooks/:id/deliveries': () => ({ results: log, next_before: null }),
    'POST /app/v1/webhooks/:id/test': () => put('failed', [failed]),
    'POST /app/v1/webhooks/:id/deliveries/:delivery/send-again': () =>
      put('delivered', [failed, attempt(2, 200, 'thank you')]),
  });
  await openTab('Webhooks');
  await press('Deliveries');
  await expect.element(dialog.getByText(/^Nothing has been sent yet/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Send a test event' }).click();
  await expect.element(dialog.getByText('not today')).toBeVisible();
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Send again: evt_1' }).click();
  await expect.element(dialog.getByText('thank you')).toBeVisible();
  await expect.element(dialog.getByText('not today')).toBeVisible();
  await expect.element(dialog.getByText('delivered')).toBeVisible();
  await expectAccessibleAndResponsive();
  const route = 'POST /app/v1/webhooks/:id/deliveries/:delivery/send-again';
  expect(api.askedOf(route).map(({ params }) => params)).toEqual([{ id: idOf(7), delivery: '1' }]);
});

test('the log is read in pages, newest first', async () => {
  await openPage('Connections', {
    ...keepWebhooks([webhook()]),
    'GET /app/v1/webhooks/:id/deliveries': ({ query }) =>
      query.get('before') === '8'
        ? {
            results: [delivery(7, { attempts: [attempt(1, null, 'no route')] })],
            next_before: null,
          }
        : { results: [delivery(9), delivery(8)], next_before: 8 },
  });
  await openTab('Webhooks');
  await press('Deliveries');
  await expect.element(dialog.getByText('evt_9')).toBeVisible();
  await dialog.getByRole('button', { name: 'Older' }).click();
  await expect.element(dialog.getByText('no route')).toBeVisible();
  await expect.element(dialog.getByText('evt_9')).not.toBeInTheDocument();
  await dialog.getByRole('button', { name: 'Newer' }).click();
  await expect.element(dialog.getByText('evt_8')).toBeVisible();
});
