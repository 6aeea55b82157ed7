// A job that infers emails: which rows get one, what stays as it was, and how it is shown.
import { expect, test } from 'vitest';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { type ResultRow, ResultRowSchema } from '../../engine/contract/jobs/job.ts';
import { exportResult } from '../../engine/jobs/results/export-result.ts';
import { createResultWriter } from '../../engine/jobs/results/present-result.ts';
import { runJob } from '../../engine/jobs/run-job.ts';
import { listWanted } from '../../engine/providers/waterfall/layer-fields.ts';
import { createEmailCheck } from '../../engine/validations/check-emails.ts';
import { createEmailValidator } from '../../engine/validations/email-validator.ts';
import { openMailDns } from '../../engine/validations/mail-dns.ts';
import { startDnsServer, type Zone } from '../dns-server.ts';
import { type Desk, openApiDesk } from '../http/open-api-desk.ts';
import {
  found,
  nothing,
  openTestWaterfalls,
  playProvider,
  type Say,
} from '../providers/play-provider.ts';
import { now, openJobFixture } from './job-fixture.ts';

const takesMail: Zone = { mx: [[10, 'mx.acme.com']] };
const zones: Readonly<Record<string, Zone>> = {
  'acme.com': takesMail,
  'mx.acme.com': { a: ['203.0.113.5'] },
};
const people = [
  'p1,Xaver,Byron,Acme,Buyer,xaver.byron@acme.com,1',
  'p2,Yvo,King,Acme,Buyer,yvo.king@acme.com,1',
  'p3,Zelda,Mond,Acme,Buyer,zelda.mond@acme.com,1',
  'p4,Quill,Ursel,Acme,Buyer,,1',
];
const rows = [
  ['Quill', 'Ursel', 'Acme'],
  ['Yvo', 'King', 'Acme'],
  ['Nobody', 'Known', 'Acme'],
];
const inferred = {
  email: 'quill.ursel@acme.com',
  status: 'inferred',
  probability: 0.875,
  pattern: '{first}.{last}@acme.com',
  witnesses: 3,
  compared: 3,
  domain_check: 'accepts_mail',
  inferred_on: '2026-11-20',
};

/** An account that infers emails, or not, and a name server of its own. */
async function openInferring({ isOn = true, internet = zones } = {}) {
  const fixture = await openJobFixture();
  await fixture.importPeople('crm.csv', people);
  updateAccount(fixture.database, fixture.account.id, { inferEmails: isOn });
  const dns = await startDnsServer(internet);
  const validator = createEmailValidator({
    database: fixture.database,
    directoryDatabase: fixture.database,
    now,
    isStaging: false,
    dns: openMailDns({ servers: dns.address, timeoutMs: 60 }),
  });
  const run = async (change: Partial<typeof fixture.deps> = {}) => {
    const uuid = fixture.submit(rows);
    await runJob(
      { ...fixture.deps, checkEmails: createEmailCheck(validator, fixture.database), ...change },
      fixture.read(uuid).id,
    );
    const job = fixture.read(uuid);
    const write = createResultWriter(job);
    const results = fixture
      .results(job)
      .map((record) => ResultRowSchema.parse(JSON.parse(write(record, '', job.createdAt))));
    return { job, results, emails: results.map((row) => row.inferred_email) };
  };
  return { ...fixture, dns, run };
}

test('a job of an account that infers emails proposes one, and nothing else changes', async () => {
  const { database, account, run } = await openInferring();
  const on = await run();
  expect(on.emails).toEqual([inferred, null, null]);
  updateAccount(database, account.id, { inferEmails: false });
  const off = await run();
  expect(off.emails).toEqual([null, null, null]);
  const without = ({ results }: typeof on) =>
    results.map(({ inferred_email: _inferred, ...row }) => row);
  expect(without(on)).toEqual(without(off));
  expect(on.results[0]?.enriched_fields.Email).toBeUndefined();
  expect(on.results[0]?.provenance.Email).toBeUndefined();
  expect(on.job.chargedUnits).toBe(off.job.chargedUnits);
});

test('an inferred email does not make a layer found', async () => {
  const { database, account, run } = await openInferring();
  updateAccount(database, account.id, { chargePolicy: 'layers_found' });
  const on = await run();
  updateAccount(database, account.id, { inferEmails: false });
  const off = await run();
  expect(on.emails[0]).not.toBeNull();
  expect(on.results.map((row) => [row.credits_charged, row.layer_status])).toEqual(
    off.results.map((row) => [row.credits_charged, row.layer_status]),
  );
});

test('a job keeps the setting that the account had when it was submitted', async () => {
  const { database, account, deps, read, submit } = await openInferring({ isOn: false });
  const uuid = submit(rows);
  updateAccount(database, account.id, { inferEmails: true });
  await runJob(deps, read(uuid).id);
  expect(read(uuid).inferEmails).toBe(0);
});

test.each<[string, Zone | undefined]>([
  ['does not exist', undefined],
  ['declares that it takes no mail', { mx: [[0, '']] }],
])('no email is proposed at a domain that %s', async (_what, zone) => {
  const { 'acme.com': _acme, ...rest } = zones;
  const { run } = await openInferring({ internet: zone ? { ...rest, 'acme.com': zone } : rest });
  expect((await run()).emails).toEqual([null, null, null]);
});

test('without an answer of the network the email is proposed and marked unchecked', async () => {
  const { dns, run } = await openInferring();
  dns.zones.delete('a.root-servers.net');
  expect((await run()).emails[0]).toEqual({ ...inferred, domain_check: 'unchecked' });
});

test('a domain is asked about once, and only the domain', async () => {
  const { dns, run } = await openInferring();
  await run();
  await run();
  expect(dns.questions.filter((question) => question === 'MX acme.com')).toHaveLength(1);
  expect(dns.questions.filter((question) => question.includes('quill'))).toEqual([]);
});

test('the providers are asked first, and the answer of one is shown instead of an inference', async () => {
  const { database, run } = await openInferring();
  const answer = found({ email: 'qu@acme.com' }, { status: 'valid' });
  const ask = async (say: Say) => {
    const played = playProvider(say);
    const waterfalls = openTestWaterfalls(database, [played.provider]);
    const waterfall = waterfalls.open({ jobId: 1, wanted: listWanted(['L1']) }) ?? undefined;
    const { results } = await run({ waterfall });
    const names = played.asked.map(({ first_name: name }) => name);
    return { names, email: results[0]?.enriched_fields.Email, ...results[0] };
  };
  const first = await ask(({ first_name: name }) => (name === 'Quill' ? nothing : answer));
  expect(first.names).toContain('Quill');
  expect(first.inferred_email).toEqual(inferred);
  // The provider's miss is remembered, as without inferences.
  database.exec('DELETE FROM provider_answer');
  const second = await ask(() => answer);
  expect(second).toMatchObject({ email: 'qu@acme.com', inferred_email: null });
});

test('a person who is suppressed, or got the address, during the job is not shown with it', async () => {
  for (const change of [
    "UPDATE directory.person SET opted_out = 1 WHERE first_name = 'Quill'",
    `INSERT INTO directory.person_key (person_id, kind, value, import_id)
     VALUES (1, 'email', 'Quill.Ursel@acme.com', 1)`,
  ]) {
    const { database, run } = await openInferring();
    const validator = createEmailValidator({
      database,
      directoryDatabase: database,
      now,
      isStaging: false,
      dns: openMailDns({ servers: (await startDnsServer(zones)).address, timeoutMs: 60 }),
    });
    const { emails } = await run({
      async checkEmails(all) {
        const checked = await createEmailCheck(validator, database)(all);
        database.exec(change);
        return checked;
      },
    });
    expect(emails).toEqual([null, null, null]);
  }
});

test('the CSV has columns of inferred emails if the job infers them, and only then', async () => {
  const { account, database, folder, run } = await openInferring();
  const csv = (jobId: string) => {
    const unchanged = { kind: 'result', format: 'csv', overwrite: null } as const;
    const options = { status: null, protectAll: false, forExcel: false, ...unchanged };
    return [...exportResult(database, folder, { accountId: account.id, jobId, ...options })].join(
      '',
    );
  };
  const [header = '', first = '', second = ''] = csv((await run()).job.uuid).split('\r\n');
  const names = ['', ' probability', ' pattern', ' domain'].map((what) => `Inferred email${what}`);
  expect(header).toContain(`,${names.join()},Enrichment status`);
  expect(first).toContain(
    'quill.ursel@acme.com,0.875,{first}.{last}@acme.com (3 of 3),accepts_mail,enriched',
  );
  expect(second).toContain(',,,,enriched');
  updateAccount(database, account.id, { inferEmails: false });
  expect(csv((await run()).job.uuid)).not.toContain('Inferred');
});

const openDesk = () => {
  const header = 'person_id,first_name,last_name,organization,title,email,is_current';
  const setting = { people: [header, ...people, ''].join('\n'), provider: null };
  return openApiDesk({}, setting);
};

async function enrich(desk: Desk): Promise<{ id: string; results: ResultRow[] }> {
  const list = rows.map(([first_name, last_name, company_name]) => ({
    first_name,
    last_name,
    company_name,
  }));
  const json = { selected_layers: ['L1'], rows: list };
  const { job_id: id } = (await desk.call('POST', 'submit/', { json })).data;
  await desk.environment.finish(id);
  return { id, results: (await desk.call('GET', `result/${id}/`)).data.results };
}

test('an inferred email that is suppressed is neither shown nor proposed again', async () => {
  const desk = await openDesk();
  const [account] = (await desk.app('GET', 'accounts')).data;
  await desk.app('PATCH', `accounts/${account.id}`, { json: { infer_emails: true } });
  const { id, results } = await enrich(desk);
  expect(results[0]?.inferred_email).toMatchObject({ email: inferred.email });
  const json = { values: [{ value: inferred.email }], reason: 'She asked us.' };
  expect((await desk.app('POST', 'suppression', { json })).status).toBe(200);
  const [hidden] = (await desk.call('GET', `result/${id}/`)).data.results;
  expect(hidden).toMatchObject({ status: 'skipped', reason: 'suppressed', inferred_email: null });
  const again = (await enrich(desk)).results;
  expect(again[0]).toMatchObject({ status: 'enriched', inferred_email: null });
});

test('over HTTP an account switches them on, and a page of results has them', async () => {
  const desk = await openDesk();
  const [account] = (await desk.app('GET', 'accounts')).data;
  expect(account.infer_emails).toBe(false);
  const json = { infer_emails: true };
  expect((await desk.app('PATCH', `accounts/${account.id}`, { json })).data).toEqual({
    ...account,
    infer_emails: true,
  });
  const { id, results } = await enrich(desk);
  expect((await desk.call('GET', `status/${id}/`)).data.infer_emails).toBe(true);
  // The name servers of the test do not answer.
  expect(results.map((row: ResultRow) => row.inferred_email)).toEqual([
    { ...inferred, domain_check: 'unchecked', inferred_on: expect.any(String) },
    null,
    null,
  ]);
});
