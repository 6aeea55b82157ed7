// The actions of the audit log over their routes, with the entries that they add.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { AuditAction } from '../../engine/contract/audit/actions.ts';
import { csv, type Desk } from '../http/open-api-desk.ts';
import { importSuppressions } from '../suppression/suppression-desk.ts';
import {
  type ActionRow,
  app,
  bob,
  finish,
  json,
  lookUp,
  makeKey,
  other,
  outPath,
  some,
  submit,
  unknown,
} from './audit-desk.ts';
import { ownerActions } from './owner-actions.ts';

async function pick(desk: Desk) {
  const jobId = await finish(desk);
  const { data } = await desk.call('GET', `review/${jobId}/`);
  const [row] = data.results;
  return { jobId, contact_uuid: row.candidates[0].upstream_contact_uuid as string };
}
const schedule = { rhythm: 'weekly', time: '09:00', weekday: 1, time_zone: 'Europe/Berlin' };
async function makeMonitor(desk: Desk): Promise<number> {
  const form = { file: csv('Email,Company', 'a@x.example,Acme') };
  const { upload_id } = (await desk.app('POST', 'uploads', { form })).data;
  const body = { title: 'Customers', schedule, upload_id };
  return (await desk.app('POST', 'monitors', json(body))).data.id;
}
async function askApproval(desk: Desk): Promise<string> {
  const { key } = await makeKey(desk, { ask_above: '0.5' });
  const { body } = await lookUp(desk, key);
  return body.approval.approval_id;
}

const definitions = join(import.meta.dirname, '../../resources/providers');
const hunter = readFileSync(join(definitions, 'hunter.json'), 'utf8');

const byKey = { actor_kind: 'api_key', actor: 'tests', key_prefix: expect.stringMatching(/^sk_/) };

/** Actions outside of engine.db or in many steps: their entry has a transaction of its own. */
export const withOwnEntry = new Set<AuditAction>([
  'result_exported',
  'import_undone',
  'backup_made',
  'provider_defined',
  'audit_exported',
  'wallet_exported',
  'person_exported',
  'duplicates_merged',
  'retention_run',
]);

/** Every action that has a route. The last rows set the clock forward. */
export const actionTable: readonly ActionRow[] = [
  {
    actions: ['account_created'],
    run: (desk) => desk.app('POST', 'accounts', json({ name: 'Acme' })),
    entries: [{ ...app, action: 'account_created', account: 'Acme' }],
    refused: (desk) => desk.app('POST', 'accounts', json({ name: '' })),
  },
  {
    actions: ['account_changed'],
    prepare: async (desk) => (await desk.app('POST', 'accounts', json({ name: 'Acme' }))).data.id,
    async run(desk, id) {
      await desk.app(
        'PATCH',
        `accounts/${id}`,
        json({ infer_emails: true, monitor_charge: 'changes', name: 'Globex' }),
      );
      await desk.app('PATCH', `accounts/${id}`, json({ infer_emails: true }));
    },
    entries: [
      {
        ...app,
        action: 'account_changed',
        account: 'Globex',
        details: {
          name: ['Acme', 'Globex'],
          infer_emails: [false, true],
          monitor_charge: ['answers', 'changes'],
        },
      },
    ],
    refused: (desk) => desk.app('PATCH', `accounts/${unknown}`, json({ name: 'x' })),
  },
  {
    actions: ['credits_granted'],
    run: (desk) => desk.app('POST', 'wallet/grants', json({ credits: '12.5' })),
    entries: [{ ...app, action: 'credits_granted', credits: '12.5000' }],
    refused: (desk) => desk.app('POST', 'wallet/grants', json({ credits: '-1' })),
  },
  {
    actions: ['rate_changed'],
    run: (desk) => desk.app('PUT', 'rates/L1', json({ price: '2', active: true })),
    entries: [{ action: 'rate_changed', subject: 'L1', details: { price: ['1.0000', '2.0000'] } }],
    refused: (desk) => desk.app('PUT', 'rates/L1', json({ price: '-2' })),
  },
  {
    actions: ['key_created', 'key_changed', 'key_revoked'],
    async run(desk) {
      const { id } = await makeKey(desk, { cap_per_day: '5' });
      await desk.app('PATCH', `keys/${id}`, json({ cap_per_day: '7' }));
      await desk.app('PATCH', `keys/${id}`, json({ cap_per_day: '7' }));
      await desk.app('DELETE', `keys/${id}`);
      await desk.app('DELETE', `keys/${id}`);
    },
    entries: [
      {
        ...app,
        action: 'key_created',
        subject: some,
        details: expect.objectContaining({ label: 'CRM', cap_per_day: '5.0000' }),
      },
      { action: 'key_changed', details: { prefix: some, cap_per_day: ['5.0000', '7.0000'] } },
      { action: 'key_revoked', details: { prefix: some, label: 'CRM' } },
    ],
    refused: (desk) => desk.app('PATCH', `keys/${unknown}`, json({ label: 'x' })),
  },
  {
    actions: ['login_set', 'login_removed'],
    async run(desk) {
      const login = { email: `${desk.accountId}@acme.example`, password: 'a long password' };
      await desk.app('PUT', 'login', json(login));
      await desk.app('DELETE', 'login');
      await desk.app('DELETE', 'login');
    },
    entries: [
      { ...app, action: 'login_set', details: {} },
      { ...app, action: 'login_removed' },
    ],
    refused: (desk) => desk.app('PUT', 'login', json({ email: 'x', password: '' })),
  },
  {
    actions: ['identity_provider_set', 'identity_provider_removed'],
    async run(desk) {
      const given = { issuer: 'https://id.example', client_id: 'desk', emails: ['a@b.example'] };
      await desk.app('PUT', 'identity-provider', json({ ...given, subjects: [] }));
      await desk.app('DELETE', 'identity-provider');
    },
    entries: [
      { action: 'identity_provider_set', details: { issuer: 'https://id.example', people: 1 } },
      { action: 'identity_provider_removed' },
    ],
    refused: (desk) =>
      desk.app('PUT', 'identity-provider', json({ issuer: 'ftp://x', client_id: 'x', emails: [] })),
  },
  {
    actions: ['suppression_added', 'suppression_removed'],
    async run(desk) {
      const values = [{ value: 'stop@x.example' }, { value: 'x.example' }, { value: 'what' }];
      await desk.app('POST', 'suppression', json({ values, reason: 'asked' }));
      await desk.app('POST', 'suppression', json({ values }));
      const rows = Array.from({ length: 21 }, (_row, at) => `s${at}@y.example`);
      await importSuppressions(desk, csv('email', ...rows));
      const { entries } = (await desk.app('GET', 'suppression?limit=500')).data;
      const ids = entries.map(({ id }: { id: number }) => id);
      await desk.app('POST', 'suppression-removals', json({ ids }));
      await desk.app('POST', 'suppression-removals', json({ ids }));
    },
    entries: [
      {
        ...app,
        action: 'suppression_added',
        account: null,
        rows: 2,
        details: {
          source: 'app',
          email: 1,
          domain: 1,
          hashes: expect.stringMatching(/^[0-9a-f]{32} [0-9a-f]{32}$/),
        },
      },
      { action: 'suppression_added', rows: 21, details: { source: 'csv', email: 21 } },
      { action: 'suppression_removed', rows: 23, details: { email: 22, domain: 1 } },
    ],
    refused: (desk) => desk.app('POST', 'suppression', json({ values: [] })),
  },
  {
    actions: ['provider_changed', 'provider_order_changed', 'provider_answers_deleted'],
    async run(desk) {
      const change = json({ caps: { job: 100 } });
      await desk.app('PATCH', 'providers/paid', change);
      await desk.app('PATCH', 'providers/paid', change);
      const order = { field: 'work_email', steps: [{ provider: 'paid', rule: {} }] };
      await desk.app('PUT', 'provider-order', json(order));
      await desk.environment.finish(await submit(desk, [{ email: 'new@far.example' }]));
      await desk.app('POST', 'providers/paid/forget');
      await desk.app('POST', 'providers/paid/forget');
    },
    entries: [
      {
        ...app,
        action: 'provider_changed',
        account: null,
        subject: 'paid',
        details: { cap_per_job: [null, 100] },
      },
      {
        action: 'provider_order_changed',
        subject: 'work_email',
        details: { order: ['paid', 'paid'], rules: 1 },
      },
      { action: 'job_started' },
      { ...app, action: 'provider_answers_deleted', subject: 'paid', rows: 1 },
    ],
    refused: (desk) => desk.app('PATCH', 'providers/none', json({ is_on: true })),
  },
  {
    actions: ['job_started'],
    run: (desk) => submit(desk),
    entries: [{ ...byKey, action: 'job_started', subject: some, rows: 2, credits: '2.0000' }],
    refused: async (desk) => {
      const { key } = await makeKey(desk, { cap_per_day: '0' });
      const body = { selected_layers: ['L1'], rows: [bob] };
      return desk.call('POST', 'submit/', { key, ...json(body) });
    },
  },
  {
    actions: ['job_started', 'job_retried'],
    async run(desk) {
      const jobId = await submit(desk, [{ email: 'failed@x.example' }, bob]);
      await desk.environment.finish(jobId);
      await desk.app('POST', `jobs/${jobId}/retry`);
    },
    entries: [
      { ...byKey, action: 'job_started', rows: 2 },
      { ...app, action: 'job_retried', rows: 1, credits: '1.0000', details: { layers: 'L1' } },
    ],
    refused: (desk) => desk.app('POST', `jobs/${unknown}/retry`),
  },
  {
    actions: ['job_deleted', 'job_restored'],
    prepare: finish,
    async run(desk, jobId) {
      await desk.app('POST', 'job-deletions', json({ job_ids: [jobId] }));
      await desk.app('POST', 'job-restorations', json({ job_ids: [jobId] }));
    },
    entries: [
      { ...app, action: 'job_deleted', subject: some, rows: 2 },
      { ...app, action: 'job_restored', subject: some, rows: 2 },
    ],
    refused: (desk) => desk.app('POST', 'job-deletions', json({ job_ids: [unknown] })),
  },
  {
    actions: ['provider_key_set', 'provider_defined', 'provider_removed'],
    async run(desk) {
      await desk.app('PUT', 'providers/hunter/key', json({ key: 'secret-of-the-service' }));
      const own = { ...JSON.parse(hunter), id: 'my-hunter' };
      await desk.app('POST', 'provider-definitions', json({ text: JSON.stringify(own) }));
      await desk.app('DELETE', 'providers/my-hunter');
      await desk.app('DELETE', 'providers/hunter');
    },
    entries: [
      { ...app, action: 'provider_key_set', subject: 'hunter', account: null, details: {} },
      { action: 'provider_defined', subject: 'my-hunter' },
      { action: 'provider_removed', subject: 'my-hunter' },
      { action: 'provider_removed', subject: 'hunter' },
    ],
    refused: (desk) => desk.app('PUT', 'providers/none/key', json({ key: 'x' })),
  },
  {
    actions: ['result_exported'],
    prepare: finish,
    async run(desk, jobId) {
      await desk.call('GET', `result/${jobId}/?format=csv`);
      const path = outPath(`${jobId}.csv`);
      const shown = { rows: 'shown', status: 'enriched' };
      await desk.app('POST', `jobs/${jobId}/exports`, json({ path, ...shown }));
      const ticket = await desk.app('POST', `jobs/${jobId}/exports`, json({}));
      await desk.call('GET', ticket.data.download_url, { key: null });
      await desk.call('GET', ticket.data.download_url, { key: null });
      const overwrite = { default: 'never', columns: { company_name: { rule: 'fill_empty' } } };
      await desk.app('POST', `jobs/${jobId}/exports`, json({ path, overwrite }));
    },
    entries: [
      { ...byKey, action: 'result_exported', rows: 2, details: {} },
      { ...app, action: 'result_exported', rows: 1, details: { status: 'enriched' } },
      { ...app, action: 'result_exported', rows: 2, details: {} },
      {
        ...app,
        action: 'result_exported',
        rows: 2,
        details: { overwrite_default: 'never', overwrite_fill_empty: 1 },
      },
    ],
    refused: (desk, jobId) => desk.app('POST', `jobs/${jobId}/exports`, json({ path: 'x.csv' })),
  },
  {
    actions: ['review_decided'],
    prepare: pick,
    async run(desk, { jobId, contact_uuid }) {
      const picks = [{ row_index: 1, contact_uuid }];
      await desk.call('POST', `review/${jobId}/`, json({ picks }));
      await desk.call('POST', `review/${jobId}/`, json({ picks }));
      await desk.app(
        'POST',
        `jobs/${jobId}/review`,
        json({ picks: [{ row_index: 1, undo: true }] }),
      );
    },
    entries: [
      { ...byKey, action: 'review_decided', rows: 1, credits: '1.0000', details: {} },
      { ...app, action: 'review_decided', rows: 1, details: { refunded: '1.0000' } },
    ],
    refused: (desk, { jobId }) =>
      desk.call('POST', `review/${jobId}/`, json({ picks: [{ row_index: 9, undo: true }] })),
  },
  {
    actions: ['values_unlocked'],
    async run(desk) {
      await lookUp(desk);
      await lookUp(desk);
    },
    entries: [
      {
        ...byKey,
        action: 'values_unlocked',
        rows: 1,
        credits: '1.0000',
        subject: '',
        details: { by: 'email_lookup', email: 1 },
      },
    ],
    refused: async (desk) => lookUp(desk, (await makeKey(desk, { cap_per_day: '0' })).key, other),
  },
  {
    actions: ['approval_allowed', 'approval_denied'],
    prepare: async (desk) => [await askApproval(desk), await askApproval(desk)],
    async run(desk, [allowed, denied]) {
      await desk.app('POST', `assistants/approvals/${allowed}`, json({ allow: true }));
      await desk.app('POST', `assistants/approvals/${denied}`, json({ allow: false }));
    },
    entries: [
      {
        ...app,
        action: 'approval_allowed',
        credits: '1.0000',
        details: { operation: 'POST /email/enrichment/' },
      },
      { ...app, action: 'approval_denied', credits: '1.0000' },
    ],
    refused: (desk) => desk.app('POST', `assistants/approvals/${unknown}`, json({ allow: true })),
  },
  {
    actions: ['pipeline_started', 'values_unlocked', 'pipeline_exported'],
    async run(desk) {
      const contacts = [{ email: 'bob@acme.example' }];
      const body = { contacts, unlock: ['email'] };
      const { pipeline_id: id } = (await desk.call('POST', '/api/v1/pipeline/', json(body))).data;
      desk.environment.gate.open();
      await expect
        .poll(async () => (await desk.app('GET', `pipelines/${id}`)).data.status)
        .toBe('completed');
      await desk.app('POST', `pipelines/${id}/export`, json({ path: outPath(`${id}.csv`) }));
    },
    entries: [
      { ...byKey, action: 'pipeline_started', rows: 1, details: { values: 'email' } },
      {
        ...byKey,
        action: 'values_unlocked',
        rows: 1,
        credits: '1.0000',
        subject: some,
        details: { by: 'pipeline' },
      },
      { ...app, action: 'pipeline_exported', rows: 1 },
    ],
    refused: (desk) => desk.call('POST', '/api/v1/pipeline/', json({ contacts: [] })),
  },
  {
    actions: ['validation_started'],
    run: (desk) =>
      desk.app('POST', 'email-validations', json({ emails: ['a@x.example', 'b@x.example'] })),
    entries: [{ ...app, action: 'validation_started', rows: 2, credits: some }],
    refused: (desk) => desk.app('POST', 'email-validations', json({ emails: [] })),
  },
  {
    actions: ['monitor_job_started', 'findings_exported', 'monitor_removed'],
    prepare: makeMonitor,
    async run(desk, id) {
      const { data } = await desk.app('POST', `monitors/${id}/run`);
      await desk.environment.finishMonitorJob(data.job_id);
      const path = outPath(`${id}.csv`);
      await desk.app('POST', `monitor-jobs/${data.job_id}/export`, json({ path }));
      await desk.app('DELETE', `monitors/${id}`);
    },
    entries: [
      {
        ...app,
        action: 'monitor_job_started',
        rows: 1,
        details: { price_per_answer: '1.0000' },
      },
      { ...app, action: 'findings_exported', rows: 1 },
      { ...app, action: 'monitor_removed', rows: 1 },
    ],
    refused: (desk) => desk.app('DELETE', 'monitors/999'),
  },
  {
    actions: ['import_undone'],
    async prepare(desk) {
      const form = { people: csv('id,first name,last name,company', '9,Zed,Zeta,Zoo') };
      const { data } = await desk.app('POST', 'directory/imports?wait=1', { form });
      return data.import_id;
    },
    run: (desk, id) => desk.app('POST', `directory/imports/${id}/undo`),
    entries: [{ ...app, action: 'import_undone', subject: some, rows: 1, account: null }],
    refused: (desk, id) => desk.app('POST', `directory/imports/${id}/undo`),
  },
  ...ownerActions,
];
