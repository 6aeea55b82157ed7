// Assistants on the Connections screen: limits, approvals, activity, folders and logins.
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Approval, ListFolder } from '../../../../engine/contract/assistants/assistants.ts';
import { timestampExample } from '../../../../engine/contract/examples.ts';
import type { IdentityProvider } from '../../../../engine/contract/identity-provider.ts';
import { expectAccessible, expectAccessibleAndResponsive } from '../../accessibility.ts';
import { idOf, makeKey } from '../../empty-desk.ts';
import { type Answers, refuse } from '../../fake-api.ts';
import { openPage, openTab } from '../../open-page.tsx';

const dialog = page.getByRole('dialog');
const press = (name: string | RegExp) => page.getByRole('button', { name }).click();

const makeApproval = (number: number, parts: Partial<Approval> = {}): Approval => ({
  id: idOf(number),
  client: 'Claude Code',
  operation: 'validate_emails',
  arguments: '{"emails":["nobody","no one"]}',
  credits: '0.2000',
  expires_at: timestampExample,
  ...parts,
});

test('the limits of an assistant are validated while typing, and sent', async () => {
  let key = makeKey(1, { label: 'Claude Code' });
  const api = await openPage('Connections', {
    'GET /app/v1/assistants': () => ({ assistants: [key], approvals: [] }),
    'PATCH /app/v1/assistants/:id': () => {
      key = { ...key, cap_per_call: '20.0000', ask_above: '0.1000' };
      return key;
    },
  });
  await openTab('Assistants');
  await press('Limits of Claude Code');
  await dialog.getByLabelText('Maximum credits per request').fill('1.00001');
  await expect.element(dialog.getByText(/^Enter a number/)).toBeVisible();
  await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog.getByLabelText('Maximum credits per request').fill('20');
  await dialog.getByLabelText('Ask me above').fill('0.1');
  await dialog.getByLabelText('Maximum data service credits per request').fill('12.5');
  await expectAccessibleAndResponsive();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  const row = page.getByRole('region', { name: 'Assistant limits' }).getByRole('row');
  await expect.element(row.getByText('20')).toBeVisible();
  expect(api.askedOf('PATCH /app/v1/assistants/:id').map(({ sent }) => sent)).toEqual([
    { cap_per_call: '20', ask_above: '0.1', self_approval: false, provider_cap: 12.5 },
  ]);
});

/** Responses for questions, each of which is removed once it was answered. */
function keepApprovals(approvals: Approval[]): Answers {
  return {
    'GET /app/v1/assistants': () => ({ assistants: [], approvals }),
    'POST /app/v1/assistants/approvals/:id': ({ params }) => {
      approvals.splice(
        approvals.findIndex(({ id }) => id === params.id),
        1,
      );
      return {};
    },
  };
}
const prompt = page.getByRole('dialog', { name: 'A program wants to spend credits' });

test('an event shows a question over every screen, where it is answered', async () => {
  const approvals: Approval[] = [];
  const api = await openPage('Enrich', keepApprovals(approvals));
  await expect.poll(() => api.askedOf('GET /app/v1/assistants').length).toBeGreaterThan(0);
  expect(prompt.elements()).toEqual([]);
  approvals.push(makeApproval(1), makeApproval(2, { credits: '2.0000' }));
  api.tell({ type: 'assistants' });
  await expect.element(prompt.getByText('0.2 credits')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(prompt).toBeVisible();
  await expectAccessibleAndResponsive();
  await prompt.getByRole('button', { name: 'Deny' }).click();
  await expect.element(prompt.getByText('2 credits')).toBeVisible();
  await prompt.getByRole('button', { name: 'Allow once' }).click();
  await expect.element(prompt).not.toBeInTheDocument();
  await expect.element(page.getByText('The request was allowed once.')).toBeVisible();
  expect(
    api
      .askedOf('POST /app/v1/assistants/approvals/:id')
      .map(({ params, sent }) => [params.id, sent.allow]),
  ).toEqual([
    [idOf(1), false],
    [idOf(2), true],
  ]);
});

test('a postponed question stays on the Connections screen', async () => {
  const operation = 'POST /api/v1/data-enrichment/submit/';
  const api = await openPage('Connections', keepApprovals([makeApproval(1, { operation })]));
  await prompt.getByRole('button', { name: 'Later' }).click();
  await openTab('Assistants');
  await expect.element(prompt).not.toBeInTheDocument();
  await expect.element(page.getByText(operation)).toBeVisible();
  await expectAccessible();
  await press('Allow once');
  await expect.element(page.getByText('The request was allowed once.')).toBeVisible();
  expect(api.askedOf('POST /app/v1/assistants/approvals/:id')).toHaveLength(1);
});

test('calls of assistants are listed with outcome and reason', async () => {
  await openPage('Connections', {
    'GET /app/v1/assistants/calls': () => [
      {
        id: 2,
        client: 'Claude Code',
        tool: 'validate_emails',
        arguments: '{"emails":["nobody"]}',
        outcome: 'refused',
        detail: 'The user denied the request.',
        credits_charged: '0.0000',
        took_ms: 12,
        at: timestampExample,
      },
    ],
  });
  await openTab('Assistants');
  const activity = page.getByRole('region', { name: 'Assistant activity' });
  await expect.element(activity.getByText('validate_emails')).toBeVisible();
  await expect.element(activity.getByText('The user denied the request.')).toBeVisible();
});

test('a folder is allowed by its path, refused with the engine’s words, and removed', async () => {
  const folders: ListFolder[] = [];
  const long = `/home/ann/${'Listen für den Vertrieb '.repeat(9).trim()}`;
  const api = await openPage('Connections', {
    'GET /app/v1/assistants/folders': () => folders,
    'POST /app/v1/assistants/folders': ({ sent: { path } }) => {
      if (!path.startsWith('/')) return refuse('validation_error', `${path} is not absolute.`);
      const real = path === '/linked' ? long : path;
      const added_at = timestampExample;
      folders.push({ id: folders.length + 1, path, real_path: real, added_at });
      return folders.at(-1)!;
    },
    'DELETE /app/v1/assistants/folders/:id': ({ params }) => {
      folders.splice(
        folders.findIndex(({ id }) => String(id) === params.id),
        1,
      );
      return folders;
    },
  });
  await openTab('Assistants');
  await expect.element(page.getByText(/^No folder is allowed/)).toBeVisible();
  const field = page.getByLabelText('Folder to allow');
  const allow = async (folder: string) => {
    await field.fill(folder);
    await userEvent.keyboard('{Enter}');
  };
  await allow('lists');
  await expect.element(page.getByText('lists is not absolute.')).toBeVisible();
  await allow(long);
  const table = page.getByRole('region', { name: 'Allowed folders' });
  await expect.element(table.getByText(long, { exact: true })).toBeVisible();
  await expect.element(field).toHaveValue('');
  await allow('/linked');
  await expect.element(table.getByText(/^resolves to/)).toBeVisible();
  await expectAccessibleAndResponsive();
  await press(`Remove ${long}`);
  await press('Remove /linked');
  await expect.element(page.getByText(/^No folder is allowed/)).toBeVisible();
  expect(api.askedOf('DELETE /app/v1/assistants/folders/:id')).toHaveLength(2);
});

test('a login is saved once it is complete, and removed after a confirmation', async () => {
  let email: string | null = null;
  const answerLogin = () => (email === null ? null : { email, set_at: timestampExample });
  const api = await openPage('Connections', {
    'GET /app/v1/login': answerLogin,
    'PUT /app/v1/login': ({ sent }) => {
      email = sent.email;
      return answerLogin();
    },
    'DELETE /app/v1/login': () => {
      email = null;
      return null;
    },
  });
  await openTab('Assistants');
  await press('Add login');
  await dialog.getByLabelText('Email').fill('ann@example.test');
  const set = dialog.getByRole('button', { name: 'Save login' });
  await dialog.getByLabelText('Password').first().fill('short');
  await expect.element(set).toBeDisabled();
  await dialog.getByLabelText('Password').first().fill('correct horse');
  await expectAccessible();
  await set.click();
  await expect.element(page.getByText('Login: ann@example.test')).toBeVisible();
  expect(api.askedOf('PUT /app/v1/login').map(({ sent }) => sent)).toEqual([
    { email: 'ann@example.test', password: 'correct horse' },
  ]);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect.element(page.getByText('No login is set.')).toBeVisible();
});

test('an identity provider is saved, checked, changed without its secret, and removed', async () => {
  const redirect = 'http://127.0.0.1:43118/oauth/callback';
  let provider: IdentityProvider['provider'] = null;
  const answer = (): IdentityProvider => ({ provider, redirect_uris: [redirect] });
  const api = await openPage('Connections', {
    'GET /app/v1/identity-provider': answer,
    'PUT /app/v1/identity-provider': ({ sent: { client_secret: secret, ...settings } }) => {
      provider = { ...settings, has_secret: secret !== null, set_at: timestampExample };
      return answer();
    },
    'POST /app/v1/identity-provider/check': () => ({
      ok: true,
      detail: 'The provider responds as expected.',
    }),
    'DELETE /app/v1/identity-provider': () => {
      provider = null;
      return answer();
    },
  });
  await openTab('Assistants');
  await press('Add provider');
  await expect.element(dialog.getByText(redirect)).toBeVisible();
  const set = dialog.getByRole('button', { name: 'Save provider' });
  await dialog.getByLabelText('Issuer').fill('https://accounts.example.com');
  await dialog.getByLabelText('Client ID').fill('desk');
  await dialog.getByLabelText('Client secret').first().fill('secret of the client');
  await expect.element(set).toBeDisabled();
  await dialog.getByLabelText('People who may authorize assistants').fill('ann@example.test');
  await userEvent.keyboard('{Enter}');
  await expectAccessibleAndResponsive();
  await set.click();
  const line = 'Identity provider: accounts.example.com, for ann@example.test';
  await expect.element(page.getByText(line)).toBeVisible();
  await press('Check');
  await expect.element(page.getByText('The provider responds as expected.')).toBeVisible();

  await press('Change provider');
  await expect.element(dialog.getByLabelText('Issuer')).toHaveValue('https://accounts.example.com');
  await expect.element(dialog.getByLabelText('Client secret').first()).toHaveValue('');
  await set.click();
  await expect.element(dialog).not.toBeInTheDocument();
  const settings = {
    issuer: 'https://accounts.example.com',
    client_id: 'desk',
    emails: ['ann@example.test'],
    subjects: [],
  };
  expect(api.askedOf('PUT /app/v1/identity-provider').map(({ sent }) => sent)).toEqual([
    { ...settings, client_secret: 'secret of the client' },
    settings,
  ]);
  await press('Remove provider');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect.element(page.getByText('No identity provider is set.')).toBeVisible();
});
