// Actions on the data and the settings of the owner, for the table of actions: payments, decisions,
// browsers, people, duplicates, retention, backups and the log.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { csv, type Desk } from '../http/open-api-desk.ts';
import {
  type ActionRow,
  app,
  finish,
  json,
  outPath,
  passDays,
  some,
  submit,
} from './audit-desk.ts';

const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Firefox/150.0' };
const openBrowser = (desk: Desk, code = '', session?: string) =>
  desk.call('POST', '/app/v1/session', {
    key: null,
    ...json({ code }),
    headers: { ...firefox, ...(session && { 'x-desk-session': session }) },
  });
const codeOf = (desk: Desk) => desk.openUrl().split('#open=')[1];

/** Locked findings of an account that got its first credits after the job. */
async function runLocked(desk: Desk) {
  const { id: account } = (await desk.app('POST', 'accounts', json({ name: 'Poor' }))).data;
  const headers = { 'x-desk-account': account };
  // Without a budget, credits that its owner lacks are added, and no finding is locked.
  await desk.app('PATCH', `accounts/${account}`, json({ has_budget: true }));
  const file = csv('Email,Company', 'bob@acme.example,Acme');
  const { upload_id } = (await desk.app('POST', 'uploads', { form: { file }, headers })).data;
  const schedule = { rhythm: 'weekly', time: '09:00', weekday: 1, time_zone: 'Europe/Berlin' };
  const monitor = json({ title: 'Customers', schedule, upload_id });
  const { id } = (await desk.app('POST', 'monitors', { ...monitor, headers })).data;
  const { job_id } = (await desk.app('POST', `monitors/${id}/run`, { headers })).data;
  await desk.environment.finishMonitorJob(job_id);
  await desk.app('POST', 'wallet/grants', { ...json({ credits: '5' }), headers });
  return { headers, pay: `monitor-jobs/${job_id}/pay` };
}

/** A request whose answer is lost; returns its id. */
async function loseAnswer(desk: Desk): Promise<number> {
  await desk.environment.finish(await submit(desk, [{ email: `lost${desk.accountId}@x.example` }]));
  return (await desk.app('GET', 'provider-log?state=uncertain')).data.requests[0].id;
}

/** Imports two people who are in no other test; returns their ids and the email of one. */
async function importPeople(desk: Desk) {
  const [one, other] = [randomUUID(), randomUUID()];
  const email = `${one}@gone.example`;
  const lines = [`${one},Cleo,Gone,Vanished,${email}`, `${other},Cleopatra,Gone,Vanished,`];
  const form = { people: csv('id,first name,last name,company,email', ...lines) };
  await desk.app('POST', 'directory/imports?wait=1', { form });
  // A deletion waits for work that may still read the person.
  const running = desk.environment.database
    .prepare('SELECT count(*) FROM email_validation WHERE completed_at IS NULL')
    .pluck();
  desk.environment.gate.open();
  await expect.poll(() => running.get()).toBe(0);
  desk.environment.gate.hold();
  return { one, other, email };
}

const whenRetained = (desk: Desk) =>
  expect
    .poll(async () => (await desk.app('GET', 'retention')).data.run)
    .toMatchObject({ state: 'idle', due_at: expect.any(String), ended_at: expect.any(String) });

/** The rows, for the end of the table: the last one sets the clock forward. */
export const ownerActions: readonly ActionRow[] = [
  {
    actions: ['backup_made'],
    run: (desk) => desk.app('POST', 'backup', json({ path: outPath('b.tar.gz') })),
    entries: [{ ...app, action: 'backup_made', account: null }],
    refused: (desk) => desk.app('POST', 'backup', json({ path: 'b.tar.gz' })),
  },
  {
    actions: ['backup_made'],
    run: (desk) => desk.app('POST', 'backups', json({ reason: 'update' })),
    entries: [
      {
        ...app,
        action: 'backup_made',
        account: null,
        details: expect.objectContaining({ before: 'update' }),
      },
    ],
    refused: (desk) => desk.app('POST', 'backups', json({ reason: 'x' })),
  },
  {
    actions: ['audit_exported'],
    run: (desk) =>
      desk.app('POST', 'audit-exports', json({ path: outPath('a.csv'), actor: 'TESTS' })),
    entries: [{ ...app, action: 'audit_exported', details: { actor: 'TESTS' } }],
    refused: (desk) => desk.app('POST', 'audit-exports', json({ path: 'a.csv' })),
  },
  {
    actions: ['findings_paid'],
    prepare: runLocked,
    async run(desk, { headers, pay }) {
      await desk.app('POST', pay, { headers });
      await desk.app('POST', pay, { headers });
    },
    entries: [
      { ...app, action: 'findings_paid', account: 'Poor', subject: some, credits: '1.0000' },
    ],
    refused: (desk) => desk.app('POST', 'monitor-jobs/999/pay'),
  },
  {
    actions: ['provider_request_decided'],
    prepare: loseAnswer,
    run: (desk, id) =>
      desk.app('POST', `provider-requests/${id}/decision`, json({ outcome: 'not_charged' })),
    entries: [
      {
        ...app,
        action: 'provider_request_decided',
        account: null,
        subject: some,
        details: { outcome: 'not_charged' },
      },
    ],
    refused: (desk) =>
      desk.app('POST', 'provider-requests/999999/decision', json({ outcome: 'not_charged' })),
  },
  {
    actions: ['session_opened', 'session_closed'],
    async run(desk) {
      const { token } = (await openBrowser(desk, codeOf(desk))).data;
      await openBrowser(desk, codeOf(desk), token);
      const [session] = (await desk.app('GET', 'sessions')).data;
      await desk.app('DELETE', `sessions/${session.id}`);
    },
    entries: ['session_opened', 'session_opened', 'session_closed', 'session_closed'].map(
      (action) => ({
        ...app,
        action,
        account: null,
        subject: some,
        details: { browser: 'Firefox on Linux' },
      }),
    ),
    refused: (desk) => openBrowser(desk, 'x'.repeat(43)),
  },
  {
    actions: ['person_exported'],
    prepare: importPeople,
    run: (desk, { email }) => desk.app('POST', 'person-data/exports', json({ value: email })),
    entries: [
      {
        ...app,
        action: 'person_exported',
        account: null,
        subject: '',
        // Backups of rows before this one are listed too.
        rows: expect.any(Number),
        details: {},
      },
    ],
    refused: (desk) => desk.app('POST', 'person-data/exports', json({ value: 'Nobody Here' })),
  },
  {
    actions: ['person_deleted', 'suppression_added'],
    prepare: importPeople,
    run: (desk, { email }) =>
      desk.app(
        'POST',
        'person-data/deletions',
        json({ value: email, confirmed: true, suppress: true }),
      ),
    entries: [
      {
        ...app,
        action: 'person_deleted',
        account: null,
        subject: some,
        rows: 2,
        details: {},
      },
      { ...app, action: 'suppression_added', rows: 1, details: { source: 'app', email: 1 } },
    ],
    refused: (desk, { email }) =>
      desk.app('POST', 'person-data/deletions', json({ value: email, suppress: true })),
  },
  {
    actions: ['duplicates_merged', 'duplicates_merge_undone'],
    prepare: importPeople,
    async run(desk, { one, other }) {
      const { data } = await desk.app('POST', 'duplicate-merges', json({ survivor: one, other }));
      await desk.app('POST', `duplicate-merges/${data.id}/undo`);
      await desk.app('POST', `duplicate-merges/${data.id}/undo`);
    },
    entries: ['duplicates_merged', 'duplicates_merge_undone'].map((action) => ({
      ...app,
      action,
      account: null,
      subject: expect.stringMatching(/^\d+$/),
      details: { kind: 'person' },
    })),
    refused: (desk, { one }) =>
      desk.app('POST', 'duplicate-merges', json({ survivor: one, other: one })),
  },
  {
    actions: ['shared_directory_set', 'shared_directory_removed'],
    async prepare(desk) {
      // The key of secrets is made for the first one, and stays.
      const address = 'postgres://desk@127.0.0.1:1/first';
      await desk.app('PUT', 'shared-directory', json({ address, password: 'secret' }));
      await desk.app('DELETE', 'shared-directory');
    },
    async run(desk) {
      const address = 'postgres://desk@127.0.0.1:1/team';
      await desk.app('PUT', 'shared-directory', json({ address, password: 'secret' }));
      await desk.app('PUT', 'shared-directory', json({ address, is_on: false }));
      await desk.app('DELETE', 'shared-directory');
    },
    entries: [{ on: [null, true] }, { on: [true, false] }, null].map((details) => ({
      ...app,
      account: null,
      subject: 'postgres://desk@127.0.0.1:1/team',
      ...(details
        ? { action: 'shared_directory_set', details }
        : { action: 'shared_directory_removed' }),
    })),
    refused: (desk) => desk.app('PUT', 'shared-directory', json({ address: 'postgres://x' })),
  },
  {
    actions: ['retention_changed'],
    async run(desk) {
      await desk.app('PATCH', 'retention', json({ days: { jobs: 36_000, pipelines: 36_000 } }));
      await desk.app('PATCH', 'retention', json({ days: { jobs: 30_000, pipelines: 36_000 } }));
      await desk.app('PATCH', 'retention', json({ days: { jobs: 30_000 } }));
      await whenRetained(desk);
    },
    entries: [
      {
        ...app,
        action: 'retention_changed',
        account: some,
        details: { jobs_days: [null, 36_000], pipelines_days: [null, 36_000] },
      },
      { ...app, action: 'retention_changed', details: { jobs_days: [36_000, 30_000] } },
    ],
    refused: (desk) => desk.app('PATCH', 'retention', json({ days: { uploads: 5 } })),
  },
  {
    actions: ['retention_changed', 'retention_run'],
    async prepare(desk) {
      await finish(desk);
      passDays(40);
      await desk.app('POST', 'retention-runs', json({ confirm_clock: true }));
      await whenRetained(desk);
    },
    async run(desk) {
      await desk.app('PATCH', 'retention', json({ days: { jobs: 30 } }));
      await expect
        .poll(async () => (await desk.app('GET', 'retention')).data.run.deleted)
        .toEqual({ jobs: 1 });
      await whenRetained(desk);
    },
    entries: [
      { ...app, action: 'retention_changed' },
      {
        actor_kind: 'engine',
        action: 'retention_run',
        account: null,
        rows: 1,
        details: { jobs: 1 },
      },
    ],
    refused: (desk) => desk.app('PATCH', 'retention', json({ days: { jobs: -1 } })),
  },
  {
    actions: ['wallet_exported'],
    run: (desk) =>
      desk.app(
        'POST',
        'wallet/exports',
        json({ path: outPath('w.csv'), kind: 'grant', name: 'a' }),
      ),
    entries: [
      { ...app, action: 'wallet_exported', rows: 1, details: { kind: 'grant', by_name: true } },
    ],
    refused: (desk) => desk.app('POST', 'wallet/exports', json({ path: 'w.csv' })),
  },
];
