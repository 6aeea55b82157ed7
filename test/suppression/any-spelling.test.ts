// A suppressed value stays suppressed in every spelling, by every way into the product.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import readWorkbook from 'read-excel-file/node';
import { expect, onTestFinished, test } from 'vitest';
import { writeBackup } from '../../engine/maintenance/backup.ts';
import { restoreBackup } from '../../engine/maintenance/restore.ts';
import { endPipeline } from '../http/end-pipeline.ts';
import { csv, type Desk, type Json, sessionToken } from '../http/open-api-desk.ts';
import { found, nothing } from '../providers/play-provider.ts';
import { listSpellings, quotations, secretValues } from './spellings.ts';
import { openRestorableDesk, openSuppressionDesk, runJob, suppress } from './suppression-desk.ts';

const kinds = ['email', 'phone', 'profile_url'] as const;

/** Files and the API refuse characters that cannot be stored. */
const isStorable = (text: string) => !/\0|\p{Cs}/u.test(text);

/** Every spelling of a value of the suppressed person, with the field it belongs to. */
const spelled = kinds.flatMap((kind) => listSpellings(kind).map((text) => ({ kind, text })));

/** Rows of other people who have one of the values, in its own cell or inside another text. */
const quoted = kinds.flatMap((kind) => quotations[kind].map((text) => ({ kind, text })));
const rows = [...spelled, ...quoted].flatMap(({ kind, text }, at) => {
  const person = { first_name: 'Row', last_name: `Number${at}`, company_name: 'Elsewhere' };
  // A number without a country is one only in the cell of a phone.
  const isWhole = kind !== 'phone' || !/^\W*41/.test(text);
  return [
    { ...person, [kind]: text },
    ...(isWhole ? [{ ...person, note: `See ${text} today` }] : []),
  ];
});

interface Verdict {
  readonly status: string;
  readonly reason: string;
}

async function readVerdicts(desk: Desk, jobId: string): Promise<Verdict[]> {
  const page = await desk.call('GET', `result/${jobId}?limit=1000`);
  return page.data.results as Verdict[];
}

// The app's session has no limit of requests, unlike a key.
const session = { key: null, headers: { 'x-desk-session': sessionToken } };

const suppressSecret = (desk: Desk) => suppress(desk, ...Object.values(secretValues));

test('a row with the value in any cell is not answered and not sent', async () => {
  const { desk, asked } = await openSuppressionDesk();
  await suppressSecret(desk);
  const given = rows.filter((row) => isStorable(Object.values(row).join()));
  const verdicts = await readVerdicts(desk, await runJob(desk, given, ['L1']));
  expect(verdicts).toHaveLength(given.length);
  expect(given.filter((_row, at) => verdicts[at]?.reason !== 'suppressed')).toEqual([]);
  expect(asked).toEqual([]);
});

test('an answer of a service with the value is not stored, and not sent to the next service', async () => {
  const { desk, asked } = await openSuppressionDesk((row) => {
    const { kind, text } = spelled[Number(row.last_name?.replace(/\D/g, ''))] ?? {};
    if (kind === 'email') return found({ email: text ?? '' }, { status: 'unknown' });
    if (kind === 'phone') return found({ mobile_phone: text ?? '' });
    return kind ? found({ profile_url: text ?? '' }) : nothing;
  });
  await suppressSecret(desk);
  const given = spelled.map((_one, at) => ({
    first_name: 'Row',
    last_name: `Number${at}`,
    company_name: 'Elsewhere',
  }));
  const verdicts = await readVerdicts(desk, await runJob(desk, given, ['L1', 'MPA']));
  expect(verdicts).toHaveLength(spelled.length);
  // An answer that is no value of its field is none.
  expect(spelled.filter((_one, at) => verdicts[at]?.status === 'enriched')).toEqual([]);
  const sent = asked.flatMap((row) => [row.email ?? '', row.phone ?? '', row.profile_url ?? '']);
  expect(sent.filter((text) => text !== '')).toEqual([]);
});

test('an import stores the value only in its clean form, and its people are suppressed', async () => {
  const { desk } = await openSuppressionDesk();
  await suppressSecret(desk);
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  // A number that cannot be read is omitted, with a remark.
  const stored = spelled.filter(({ text }) => isStorable(text) && text !== '41791110000');
  const lines = stored.map(({ kind, text }, at) => {
    const cell = (one: typeof kind) => (one === kind ? quote(text) : '');
    return `Given${at},Imported${at},Firm ${at},${kinds.map(cell).join()}`;
  });
  const path = `${desk.environment.folder}/spelled.csv`;
  const header = 'first name,last name,company,email,mobile,profile url';
  writeFileSync(path, [header, ...lines, ''].join('\n'));
  await desk.environment.reader.importDirectory({ peoplePath: path, source: 'spelled' });
  const { directoryDatabase } = desk.environment;
  const select = (sql: string) => directoryDatabase.prepare(sql).pluck().all() as string[];
  const isClean = (kind: (typeof kinds)[number]) => (text: string) =>
    kind === 'email' ? text.toLowerCase() === secretValues.email : !/\s|[^!-~]/.test(text);
  const emails = select("SELECT email FROM employment WHERE email LIKE '%hide%'");
  expect(emails.filter((text) => !isClean('email')(text))).toEqual([]);
  const shown = await desk.app('POST', 'directory/search/contacts', { json: { limit: 100 } });
  // Only a person whose number could not be read is shown: without it.
  const results = shown.data.results as { last_name: string; has_phone: boolean }[];
  const visible = results.filter(({ last_name }) => last_name.startsWith('Imported'));
  const kindOf = (name: string) => stored[Number(name.replace(/\D/g, ''))]?.kind;
  expect(visible.filter((one) => kindOf(one.last_name) !== 'phone' || one.has_phone)).toEqual([]);
  const people = stored.map((_one, at) => ({
    first_name: `Given${at}`,
    last_name: `Imported${at}`,
    company_name: `Firm ${at}`,
  }));
  const verdicts = await readVerdicts(desk, await runJob(desk, people, ['L1', 'MPA']));
  const enriched = stored.filter((_one, at) => verdicts[at]?.status === 'enriched');
  expect(enriched.filter(({ kind }) => kind !== 'phone')).toEqual([]);
});

test('a validation of the value is free and looks up nothing', async () => {
  const { desk } = await openSuppressionDesk();
  await suppressSecret(desk);
  const emails = listSpellings('email').filter(isStorable);
  const started = await desk.app('POST', 'email-validations', { json: { emails } });
  const path = `email-validations/${started.data.job_id}`;
  await expect.poll(async () => (await desk.app('GET', path)).data.status).toBe('completed');
  const pages = await Promise.all(
    [0, 100].map((offset) => desk.app('GET', `${path}/results?limit=100&offset=${offset}`)),
  );
  const results = pages.flatMap(({ data }) => data.results as Verdict[]);
  expect(results.length).toBeGreaterThan(50);
  expect(results.filter(({ reason }) => reason !== 'suppressed')).toEqual([]);
});

test('an address of the person with a tag is suppressed too', async () => {
  const { desk, asked } = await openSuppressionDesk();
  await suppress(desk, 'ada@engines.example', 'bob@engines.example');
  const people = 'first name,last name,company,email\nTag,One,Far,ada+news@engines.example\n';
  const path = `${desk.environment.folder}/tagged.csv`;
  writeFileSync(path, people);
  await desk.environment.reader.importDirectory({ peoplePath: path, source: 'tagged' });
  const shown = await desk.app('POST', 'directory/search/contacts', { json: { limit: 100 } });
  expect(shown.text).not.toContain('"Tag"');
  const row = { first_name: 'Row', last_name: 'One', email: 'bob+x@engines.example' };
  expect((await readVerdicts(desk, await runJob(desk, [row])))[0]?.reason).toBe('suppressed');
  expect(asked).toEqual([]);
});

test('a lookup, a search, a tool, a pipeline and a monitor know nothing of the value', async () => {
  const { desk, asked } = await openSuppressionDesk(() => found({ email: 'x@far.example' }));
  await suppressSecret(desk);
  // A key may be used 60 times a minute.
  const urls = listSpellings('profile_url').filter((text, at) => at % 2 === 0 && isStorable(text));
  for (const profile_url of urls) {
    const path = `/email/enrichment/?token=${desk.key}`;
    const answer = await desk.call('POST', path, { key: null, json: { profile_url } });
    expect([profile_url, answer.status]).not.toEqual([profile_url, 200]);
  }
  const contacts = rows.filter((row, at) => at % 3 === 0 && isStorable(Object.values(row).join()));
  const pipeline = await desk.call('POST', '/api/v1/pipeline/', {
    ...session,
    json: { contacts, unlock: ['email', 'phone'] },
  });
  expect(pipeline.status, pipeline.text.slice(0, 300)).toBe(202);
  const id = pipeline.data.pipeline_id as string;
  await endPipeline(desk, id);
  const monitor = await desk.call('POST', '/api/v1/career-monitor/jobs/', {
    ...session,
    json: { title: 'Watch', rows: contacts },
  });
  await desk.environment.finishMonitorJob(monitor.body.job_id);
  const results = await Promise.all([
    desk.call('GET', `/api/v1/pipeline/${id}/result/?limit=1000`, session),
    desk.call('GET', `/api/v1/career-monitor/jobs/${monitor.body.job_id}/result/`, session),
  ]);
  for (const { text } of results) expect(text).not.toMatch(/hide|secretp|1110000|far\.example/i);
  expect(asked).toEqual([]);
});

async function callTool(desk: Desk, name: string, args: object): Promise<Json> {
  const params = { name, arguments: args };
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { body } = await desk.call('POST', '/api/v1/mcp', { ...session, json });
  expect(body.result.isError, JSON.stringify(body)).not.toBe(true);
  return body.result.structuredContent;
}

const quoteCell = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Work about the rows by every way, before anything is suppressed. */
async function doWork(desk: Desk, given: readonly Record<string, string>[]) {
  const jobId = await runJob(desk, given, ['L1', 'MPA']);
  const left = given.map((row) => [
    'Left',
    'Number',
    ...kinds.map((kind) => row[kind] ?? ''),
    row.note ?? '',
    'more',
    'cells',
  ]);
  const file = csv(
    `First name,Last name,${kinds.join()},Note`,
    'Row,Number,,,,',
    ...left.map((cells) => cells.map(quoteCell).join()),
  );
  const upload = await desk.app('POST', 'uploads', { form: { file, extra_cells: 'leave_out' } });
  const { upload_id, mapping } = upload.data;
  const json = { upload_id, mapping, selected_layers: ['L1'] };
  const partial = (await desk.app('POST', 'jobs', { json })).data.job_id as string;
  await desk.environment.finish(partial);
  const contacts = { contacts: given, unlock: ['email', 'phone'] };
  const pipeline = await desk.call('POST', '/api/v1/pipeline/', { ...session, json: contacts });
  await endPipeline(desk, pipeline.data.pipeline_id);
  const watch = { title: 'Watch', rows: given };
  const monitor = await desk.call('POST', '/api/v1/career-monitor/jobs/', {
    ...session,
    json: watch,
  });
  await desk.environment.finishMonitorJob(monitor.body.job_id);
  const emails = listSpellings('email').filter(isStorable).slice(0, 20);
  desk.environment.gate.open();
  const validation = await desk.app('POST', 'email-validations', { json: { emails } });
  const check = `email-validations/${validation.data.job_id}`;
  await expect.poll(async () => (await desk.app('GET', check)).data.status).toBe('completed');
  const list = await callTool(desk, 'enrich_list', {
    rows: given.filter((row) => !('note' in row)),
    selected_layers: ['L1'],
  });
  await desk.environment.finish(list.job_id);
  const checked = await callTool(desk, 'validate_emails', { emails });
  for (const { kind, text } of spelled.filter((_one, at) => at % 9 === 0)) {
    if (!isStorable(text)) continue;
    if (kind === 'profile_url') await callTool(desk, 'enrich_profile', { profile_url: text });
    if (kind === 'email')
      await callTool(desk, 'enrich_phone', {
        first_name: 'Row',
        last_name: 'Number',
        company_name: 'Elsewhere',
        email: text,
      });
    if (kind === 'phone') await callTool(desk, 'search_contacts', { job_title: text });
  }
  return {
    jobId,
    partial,
    pipelineId: pipeline.data.pipeline_id as string,
    monitorJobId: monitor.body.job_id as number,
    check,
    toolJobId: list.job_id as string,
    toolValidationId: checked.job_id as string,
  };
}

type Work = Awaited<ReturnType<typeof doWork>>;

/** The text of every export of the work, by its path and format. */
async function readExports(desk: Desk, work: Work): Promise<(readonly [string, string])[]> {
  const exports = [
    [`jobs/${work.jobId}/exports`, {}],
    [`jobs/${work.jobId}/exports`, { rows: 'shown', search: 'Number' }],
    [`jobs/${work.toolJobId}/exports`, {}],
    [`jobs/${work.partial}/left-out/exports`, {}],
    [`pipelines/${work.pipelineId}/export`, {}],
    [`monitor-jobs/${work.monitorJobId}/export`, {}],
  ] as const;
  const texts: (readonly [string, string])[] = [];
  for (const [at, [path, options]] of exports.entries())
    for (const format of ['csv', 'xlsx']) {
      const target = join(desk.environment.folder, `out${at}.${format}`);
      const json = { ...options, format, path: target };
      const answer = await desk.app('POST', path, { json });
      expect(answer.status, answer.text).toBe(200);
      const isCsv = format === 'csv';
      const text = isCsv ? readFileSync(target, 'utf8') : await readWorkbook(target);
      texts.push([`${path} ${format} ${at}`, isCsv ? String(text) : JSON.stringify(text)]);
    }
  return texts;
}

const secret = /Number\d+|hide|secret|111.?00.?00/i;

/** The text of everything that leaves the engine about the work, by the way it takes. */
async function readEverything(desk: Desk, work: Work): Promise<(readonly [string, string])[]> {
  const texts = await readExports(desk, work);
  const ways = [
    `/api/v1/data-enrichment/result/${work.jobId}?limit=1000`,
    `/api/v1/data-enrichment/result/${work.jobId}?format=csv`,
    `/app/v1/jobs/${work.jobId}/rows?limit=100`,
    `/app/v1/jobs/${work.jobId}/rows?limit=100&search=Number`,
    `/app/v1/jobs/${work.jobId}/review`,
    `/api/v1/pipeline/${work.pipelineId}/result/?limit=1000`,
    `/app/v1/pipelines/${work.pipelineId}/rows?limit=100`,
    `/api/v1/career-monitor/jobs/${work.monitorJobId}/result/`,
    `/app/v1/monitor-jobs/${work.monitorJobId}/findings?limit=100`,
    `/app/v1/${work.check}/results?limit=100`,
    '/app/v1/assistants/calls?limit=100',
    '/app/v1/assistants',
    '/app/v1/requests?limit=500',
    '/app/v1/provider-log',
    '/app/v1/audit?limit=100',
    '/app/v1/job-list?limit=100',
    '/app/v1/state',
  ];
  for (const path of ways) {
    const answer = await desk.call('GET', path, session);
    expect([path, answer.status]).toEqual([path, 200]);
    texts.push([path, answer.text]);
  }
  for (const [name, args] of [
    ['check_enrich_list', { job_id: work.toolJobId, limit: 100 }],
    ['check_email_validation_status', { job_id: work.toolValidationId, limit: 100 }],
  ] as const)
    texts.push([name, JSON.stringify(await callTool(desk, name, args))]);
  const events = desk.environment.database.prepare('SELECT body FROM webhook_event').pluck().all();
  return [...texts, ['webhooks', events.join()]];
}

const findLeaks = (texts: readonly (readonly [string, string])[]) =>
  texts.flatMap(([way, text]) => {
    const at = text.search(secret);
    return at < 0 ? [] : [[way, text.slice(Math.max(0, at - 60), at + 40)]];
  });

test('what was stored before the value was suppressed leaves by no way, nor out of a backup', async () => {
  const { desk, restart } = await openRestorableDesk();
  // The forms are those of the tests above. A few of each kind are enough to try the ways.
  const given = rows.filter((row, at) => at % 21 < 2 && isStorable(Object.values(row).join()));
  const work = await doWork(desk, given);
  const before = await readEverything(desk, work);
  expect(before.filter(([, text]) => secret.test(text)).length).toBeGreaterThan(20);
  const archives = mkdtempSync(join(tmpdir(), 'desk-backup-'));
  onTestFinished(() => rmSync(archives, { recursive: true }));
  const archivePath = join(archives, 'copy.tar.gz');
  await writeBackup(desk.environment, archivePath);
  const entries = kinds.map((kind) => listSpellings(kind).filter(isStorable)[9] ?? '');
  expect((await suppress(desk, ...entries)).data).toMatchObject({ unreadable: 0 });
  expect(findLeaks(await readEverything(desk, work))).toEqual([]);
  const restored = await restart(async (dataDir) => {
    const report = await restoreBackup({ archivePath, dataDir, environment: 'live' });
    rmSync(report.kept_as ?? '', { recursive: true });
  });
  expect(findLeaks(await readEverything(restored, work))).toEqual([]);
});

/** What a pattern may try again from each of its places: a long run before what does not match. */
const runs = [
  '.',
  '!',
  ' ',
  '\u3000',
  '/',
  '-',
  ', ',
  '(',
  '(a',
  ' at ',
  ' - ',
  '/ab ',
  'a.',
  '@',
  '"\\',
];
const runCharacters = 20_000;

test('cells of long runs are matched and imported', async () => {
  const { desk } = await openSuppressionDesk();
  await suppress(desk, ...Object.values(secretValues), 'hidden.example', 'Ann Lee | Hidden');
  const fields = [
    'first_name',
    'last_name',
    'company_name',
    'email',
    'phone',
    'profile_url',
    'country',
  ];
  const header = [...fields, 'note'].join();
  const cells = runs.map((run) => `${run.repeat(runCharacters / run.length)}x`);
  const lines = cells.map((cell) =>
    Array(fields.length + 1)
      .fill(quoteCell(cell))
      .join(),
  );
  const list = [header, ...lines, `Row,Last,Firm,${secretValues.email},,,,`, ''].join('\n');
  const path = join(desk.environment.folder, 'runs.csv');
  writeFileSync(path, list);
  const upload = await desk.app('POST', 'uploads', { json: { path } });
  const { upload_id, mapping } = upload.data;
  const json = { upload_id, mapping, selected_layers: ['L1'] };
  const { job_id } = (await desk.app('POST', 'jobs', { json })).data;
  await desk.environment.finish(job_id);
  const verdicts = await readVerdicts(desk, job_id);
  expect(verdicts.map(({ status }) => status)).toEqual(Array(runs.length + 1).fill('skipped'));
  expect(verdicts.at(-1)?.reason).toBe('suppressed');
  await desk.environment.reader.importDirectory({ peoplePath: path, source: 'runs' });
});
