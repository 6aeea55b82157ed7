// Pipelines, validations, monitors, logs, answers and backups that are deleted after their days.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { creditUnits } from '../../engine/contract/credits.ts';
import type { RetentionKind } from '../../engine/contract/retention/retention.ts';
import { undoImport } from '../../engine/directory/import/undo-import.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { resolveHold, verifyLedger } from '../../engine/ledger/ledger.ts';
import { insertBackup } from '../../engine/maintenance/backup-copies.ts';
import { getMonitorJob } from '../../engine/monitors/monitor-job.table.ts';
import { createMonitor, removeMonitor, runMonitor } from '../../engine/monitors/monitors.ts';
import { getPipeline, listPipelines } from '../../engine/pipelines/pipeline.table.ts';
import { putSetting } from '../../engine/retention/retention-setting.table.ts';
import { findDue } from '../../engine/retention/rules-by-kind.ts';
import { removeDue } from '../../engine/retention/run-retention.ts';
import { jobDir } from '../../engine/spreadsheet/input-folders.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';
import { startValidation } from '../../engine/validations/validate-emails.ts';
import {
  endValidation,
  getValidation,
  listValidations,
} from '../../engine/validations/validation.table.ts';
import { openJobFixture } from '../jobs/job-fixture.ts';
import { daily, headers, line, mapping, person } from '../monitors/monitor-fixture.ts';
import { openPipelines, runToEnd } from '../pipelines/open-pipelines.ts';

type Fixture = Pick<
  Awaited<ReturnType<typeof openJobFixture>>,
  'database' | 'folder' | 'account' | 'deps'
>;

const dayMs = 86_400_000;
const start = Date.parse('2026-11-20T10:00:00Z');
const day = (number: number) => new Date(start + number * dayMs);
const iso = (number: number) => day(number).toISOString();

/** What a preview counts of a kind at its days, and a run at a time. */
function retain({ database, folder, account, deps }: Fixture, accountId = account.id) {
  return {
    find: (kind: RetentionKind, days: number, at: Date) =>
      findDue(database, folder, { accountId, kinds: [{ kind, days }], now: at })[0],
    run(kind: RetentionKind, days: number, at: Date) {
      putSetting(database, accountId, kind, days);
      const more = { policy: {}, kinds: deps.kinds, now: () => at, onProgress: () => undefined };
      for (const _step of removeDue({ database, folder, ...more }, at));
      expect(verifyLedger(database)).toEqual([]);
    },
    count: (sql: string) => database.prepare(`SELECT count(*) FROM ${sql}`).pluck().get() as number,
  };
}

test('a pipeline goes with its contacts and rows; what it unlocked stays owned', async () => {
  const pipelines = await openPipelines();
  const accountId = pipelines.openAccount(100);
  const { find, run, count } = retain(pipelines, accountId);
  const table = pipelines.table(['person0@listed.example', 'person1@listed.example']);
  const old = await runToEnd(pipelines, pipelines.start(accountId, { subject: table }));
  const open = pipelines.start(accountId, {});
  expect(old.chargedUnits).toBeGreaterThan(0);
  const owned = count('owned');
  expect(find('pipelines', 5, day(6))).toMatchObject({ items: 1, oldest: old.completedAt });
  run('pipelines', 5, day(6));
  const { database, folder } = pipelines;
  expect(getPipeline(database, accountId, old.uuid)).toBeNull();
  expect(listPipelines(database, accountId, { limit: 9, offset: 0 })).toMatchObject({
    count: 1,
    pipelines: [{ uuid: open.uuid }],
  });
  expect(existsSync(jobDir(folder, old.uuid))).toBe(false);
  expect([count(`pipeline_contact WHERE pipeline_id = ${old.id}`), count('owned')]).toEqual([
    0,
    owned,
  ]);
  // An open pipeline runs to its end, whatever its age.
  expect(await runToEnd(pipelines, open)).toMatchObject({ status: 'completed' });
});

test('a validation goes with its addresses; an open one stays', async () => {
  const fixture = await openJobFixture();
  const { database, account } = fixture;
  const { find, run, count } = retain(fixture);
  const validate = (...emails: string[]) => {
    const order = { accountId: account.id, keyId: null, emails, idempotency: null };
    return startValidation(database, order, day(0)).validation.job_id;
  };
  const [old, open] = [validate('a@a.example', 'b@a.example'), validate('c@a.example')];
  const row = getValidation(database, account.id, old);
  if (!row) throw new Error('no validation');
  const releasedUnits = resolveHold(database, row.holdId, creditUnits(0), iso(1)).releasedUnits;
  const end = { status: 'failed', chargedUnits: creditUnits(0), releasedUnits } as const;
  endValidation(database, row.id, { ...end, errorDetail: 'down', at: iso(1) });
  expect(find('validations', 5, day(7))).toMatchObject({ items: 1 });
  run('validations', 5, day(7));
  expect(getValidation(database, account.id, old)).toBeNull();
  expect(listValidations(database, account.id, { limit: 9, offset: 0 })).toMatchObject({
    count: 1,
    validations: [{ uuid: open }],
  });
  expect(count('email_verdict')).toBe(1);
});

test('a monitor keeps its baseline and the jobs with its last answers, until it is deleted', async () => {
  const fixture = await openJobFixture();
  const { database, folder, account, deps } = fixture;
  const { find, run, count } = retain(fixture);
  const importId = await fixture.importPeople('one.csv', [line(0)]);
  const zoe = ['Zoe', 'Quint', 'Acme Widgets', 'Buyer'];
  await fixture.importPeople('two.csv', [['z', ...zoe, '', '1'].join(',')]);
  const dir = join(folder, 'upload');
  const { rowCount } = writeRowsTable({ headers, rows: [person(0), zoe], targetDir: dir });
  const order = { accountId: account.id, title: 'Leads', fileName: 'leads.csv', headers, mapping };
  const monitor = createMonitor(
    database,
    folder,
    { ...order, dir, rowCount, schedule: daily },
    day(0),
  );
  const runAt = async (at: Date) => {
    const { id } = runMonitor(database, folder, { accountId: account.id, id: monitor.id }, at);
    const read = () => getMonitorJob(database, account.id, id);
    await runJob({ ...deps, now: () => at }, read()?.jobId ?? 0);
    return { id, read };
  };
  const first = await runAt(day(0));
  const middle = await runAt(day(1));
  // The first person is not known any more: the last answer is that of the job before.
  undoImport(fixture.directory, importId);
  await deps.whenGeneration(0);
  const last = await runAt(day(2));
  expect(find('monitor_jobs', 5, day(30))).toMatchObject({
    items: 1,
    kept: [{ reason: 'needed_by_monitor', items: 2 }],
  });
  run('monitor_jobs', 5, day(30));
  expect([first, middle, last].map(({ read }) => read() === null)).toEqual([true, false, false]);
  expect(count('monitor_finding')).toBe(4);
  const next = await runAt(day(31));
  expect(next.read()).toMatchObject({ noMatch: 1, unchanged: 1 });
  removeMonitor(database, folder, { accountId: account.id, id: monitor.id }, day(31));
  run('monitor_jobs', 5, day(60));
  expect([count('monitor_finding'), count('monitor_batch'), count('result')]).toEqual([0, 0, 0]);
  expect(database.prepare('SELECT title, file_name, headers, mapping FROM monitor').raw().get())
    // The row stays, because charges name it.
    .toEqual(['deleted', null, '[]', '{}']);
});

test('deliveries, tool calls and what approvals say go after their days, of one account', async () => {
  const fixture = await openJobFixture();
  const { database, account } = fixture;
  const { find, run, count } = retain(fixture);
  const hash = '0'.repeat(64);
  database.exec(`
    INSERT INTO account (id, uuid, name, match_threshold, created_at)
      VALUES (7, 'other', 'Other', 0.8, 'now');
    INSERT INTO api_key (id, account_id, label, prefix, hash, created_at, requests_per_minute)
      VALUES ('k', ${account.id}, 'k', 'sk', '${hash}', 'now', 60);
    INSERT INTO webhook (id, account_id, url, events, secret, created_at)
      VALUES ('w', ${account.id}, 'https://a.example', '[]', x'00', 'now'),
        ('v', 7, 'https://a.example', '[]', x'00', 'now');
    INSERT INTO webhook_event VALUES ('e', 'webhook.test', '{"email":"a@b.example"}', '${iso(0)}'),
      ('f', 'webhook.test', '{}', '${iso(0)}');
    INSERT INTO webhook_delivery (webhook_id, event_id, state, created_at, ended_at, due_at) VALUES
      ('w', 'e', 'delivered', '${iso(0)}', '${iso(0)}', NULL),
      ('w', 'e', 'failed', '${iso(0)}', '${iso(8)}', NULL),
      ('w', 'f', 'waiting', '${iso(0)}', NULL, '${iso(9)}'),
      ('v', 'f', 'delivered', '${iso(0)}', '${iso(0)}', NULL);
    INSERT INTO tool_call (account_id, key_scope, tool, arguments, outcome, detail, charged_units,
      took_ms, at) VALUES
      (${account.id}, 'k', 't', '{"name":"Ada"}', 'done', '', 0, 0, '${iso(0)}'),
      (${account.id}, 'k', 't', '{}', 'done', '', 0, 0, '${iso(8)}'),
      (7, 'k', 't', '{}', 'done', '', 0, 0, '${iso(0)}');
    INSERT INTO approval (id, account_id, key_id, request, operation, arguments, asked_in,
      asked_units, status, used_units, asked_at, answered_at, used_at, expires_at) VALUES
      ('a', ${account.id}, 'k', '${hash}', 'tool', '{"name":"Ada"}', 'app', 5, 'used', 5,
        '${iso(0)}', '${iso(0)}', '${iso(0)}', '${iso(0)}'),
      ('b', ${account.id}, 'k', '${hash}', 'tool', '{"name":"Ada"}', 'app', 5, 'asked', NULL,
        '${iso(0)}', NULL, NULL, '${iso(90)}')`);
  expect(find('webhook_deliveries', 5, day(10))).toMatchObject({ items: 1, bytes: 23 });
  run('webhook_deliveries', 5, day(10));
  expect([count('webhook_delivery'), count('webhook_event')]).toEqual([3, 2]);
  run('webhook_deliveries', 5, day(14));
  // An event goes with its last delivery. What waits is sent.
  expect([count('webhook_delivery'), count('webhook_event')]).toEqual([2, 1]);
  expect(find('tool_activity', 5, day(10))).toMatchObject({ items: 2, oldest: iso(0) });
  run('tool_activity', 5, day(10));
  expect(count('tool_call')).toBe(2);
  const list = 'SELECT id, arguments, used_units FROM approval ORDER BY id';
  expect(database.prepare(list).raw().all()).toEqual([
    ['a', '{}', 5],
    ['b', '{"name":"Ada"}', null],
  ]);
});

test('answers of data services go, except those of unfinished work; costs and unknown outcomes stay', async () => {
  const fixture = await openJobFixture();
  const { database } = fixture;
  const { find, run, count } = retain(fixture);
  const uuid = fixture.submit([['Ada', 'Byron', 'Acme']], ['L1'], { at: day(2) });
  database.exec(`
    INSERT INTO provider_request (id, uuid, provider, state, row_count, fields, cost_max_units,
      cost_units, uncertain_units, failure, detail, created_at, sent_at, ended_at)
    VALUES (1, 'r', 'p', 'uncertain', 1, '[]', 9, 7, 5, 'timeout', 'ada@b.example is unknown',
      '${iso(0)}', '${iso(0)}', '${iso(0)}');
    INSERT INTO provider_answer
      (subject, field, provider, request_id, outcome, answer, fetched_at) VALUES
      ('s', 'work_email', 'p', 1, 'hit', '{"email":"ada@b.example"}', '${iso(0)}'),
      ('s', 'phone', 'p', 1, 'miss', NULL, '${iso(0)}'),
      ('t', 'phone', 'p', 1, 'uncertain', NULL, '${iso(0)}'),
      ('u', 'phone', 'p', 1, 'lost', NULL, '${iso(0)}'),
      ('v', 'phone', 'p', 1, 'miss', NULL, '${iso(3)}')`);
  expect(find('provider_answers', 5, day(30))).toMatchObject({
    items: 2,
    kept: [{ reason: 'open_work', items: 1 }],
  });
  run('provider_answers', 5, day(30));
  expect(count('provider_answer')).toBe(3);
  expect(database.prepare('SELECT detail, cost_units FROM provider_request').raw().get()).toEqual([
    null,
    7,
  ]);
  await runJob({ ...fixture.deps, now: () => day(30) }, fixture.read(uuid).id);
  run('provider_answers', 5, day(30));
  expect(count("provider_answer WHERE outcome IN ('hit', 'miss')")).toBe(0);
});

test('backups go after their days, unless they were changed; so do folders kept aside', async () => {
  const fixture = await openJobFixture();
  const { database, folder } = fixture;
  const { find, run, count } = retain(fixture);
  const copies = join(folder, 'copies');
  mkdirSync(copies);
  const [old, young, changed, lost] = ['old', 'young', 'changed', 'lost'].map((name) =>
    join(copies, `${name}.tar.gz`),
  ) as [string, string, string, string];
  for (const path of [old, young, changed]) writeFileSync(path, 'backup');
  const record = (path: string, at: string) => insertBackup(database, { path, bytes: 6, at });
  record(old, iso(0));
  record(young, iso(8));
  record(changed, iso(0));
  record(lost, iso(0));
  writeFileSync(changed, 'another file');
  // The stamp of 20 November 2026; a file in it that is newer is in use.
  const [aside, used] = [join(folder, 'before-new-20261120T100000Z'), `${folder}.before-restore-`];
  mkdirSync(aside);
  expect(find('backups', 5, day(10))).toMatchObject({
    items: 3,
    oldest: iso(0),
    kept: [{ reason: 'changed_file', items: 1 }],
  });
  run('backups', 5, day(10));
  expect([old, young, changed, aside].map((path) => existsSync(path))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect([count('backup_file'), existsSync(used)]).toEqual([2, false]);
});
