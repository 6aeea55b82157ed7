/** A suppressed value stays suppressed in every spelling, by every way into the product. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endPipeline } from '../http/end-pipeline.ts';
import { type Desk, sessionToken } from '../http/open-api-desk.ts';
import { found, nothing } from '../providers/play-provider.ts';
import { listSpellings, quotations, secretValues } from './spellings.ts';
import { openSuppressionDesk, runJob, suppress } from './suppression-desk.ts';

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
  const contacts = rows.filter((row) => isStorable(Object.values(row).join()));
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
