// A desk that holds a person in every place of the product, and the bytes of its files.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderRow } from '../../engine/contract/provider.ts';
import { putPair } from '../../engine/directory/duplicates/duplicate.table.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import { insertPaidPeople } from '../../engine/jobs/repeats/paid-person.table.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { endPipeline } from '../http/end-pipeline.ts';
import { csv, type Desk, openApiDesk } from '../http/open-api-desk.ts';
import { found, nothing, playProvider } from '../providers/play-provider.ts';
import { makeFolder } from '../spreadsheet/export/read-exported.ts';

/** The people of the directory: the subject, a colleague, and a person with the same name. */
const directoryPeople = [
  'id,first name,last name,title,company,company domain,email,email status,mobile,profile url',
  'crm-77,Zephyrine,Quixworth,Chief Zymurgist,Engines,engines.example,zephyrine@engines.example,valid,+41791112233,https://www.linkedin.com/in/zquixworth',
  '2,Bob,Quill,Engineer,Engines,engines.example,bob@engines.example,valid,+41791000002,https://www.linkedin.com/in/bob',
  '3,Zephyrine,Quixworth,Baker,Globex,globex.example,z.baker@globex.example,valid,+41791000003,https://www.linkedin.com/in/zbaker',
  '',
].join('\n');

/** An address of the subject that only a list states. */
const otherEmail = 'zq.other@private.example';

/** Texts that only the subject has. */
export const secrets = [
  'zephyrine@engines.example',
  '791112233',
  '1112233',
  'in/zquixworth',
  'zymurgist',
  'crm-77',
  otherEmail,
];

/** Texts that only the person with the same name has. */
export const bakerSecrets = ['z.baker@globex.example', '791000003', 'in/zbaker', 'baker'];

/** Rows of lists: the subject in several spellings, a person without an answer, and others. */
const rows = [
  { first_name: 'Bob', last_name: 'Quill', company_name: 'Engines', email: 'bob@engines.example' },
  {
    first_name: 'Zephyrine',
    last_name: 'Quixworth',
    company_name: 'Engines',
    client_reference_id: 'crm-77',
  },
  { email: 'MAILTO:Zephyrine@engines.example', title: 'a "quoted", Chief Zymurgist' },
  { profile_url: 'https://www.linkedin.com/in/zquixworth/', phone: '+41 79 111 22 33' },
  { first_name: 'Zephyrine', last_name: 'Quixworth', company_name: 'Globex' },
  { first_name: 'Eve', last_name: 'Remote', company_name: 'Served AG' },
  { profile_url: 'https://www.linkedin.com/in/ZQuixworth', email: otherEmail },
];

/** Opens the desk; it ends with the test. */
export async function openPersonDesk() {
  const { provider } = playProvider(
    (row: ProviderRow) =>
      row.company_name === 'Served AG'
        ? found({ email: 'eve@remote.example', mobile_phone: '+41791119999', first_name: 'Eve' })
        : nothing,
    { id: 'paid', title: 'Paid', rowsMax: 1 },
  );
  return openApiDesk({}, { people: directoryPeople, provider });
}

async function callTool(desk: Desk, name: string, args: object) {
  const params = { name, arguments: args };
  const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const answer = await desk.call('POST', '/api/v1/mcp', { json });
  if (answer.status !== 200 || /"isError":true/.test(answer.text)) throw new Error(answer.text);
  return answer;
}

async function runPipeline(desk: Desk): Promise<string> {
  const json = {
    contacts: rows,
    unlock: ['email', 'phone'],
    verify_emails: true,
    title: 'About zephyrine@engines.example',
  };
  const started = await desk.call('POST', '/api/v1/pipeline/', { json });
  if (!started.data) throw new Error(started.text);
  const id = started.data.pipeline_id as string;
  await endPipeline(desk, id);
  return id;
}

async function runValidation(desk: Desk): Promise<void> {
  const emails = ['zephyrine@engines.example', 'bob@engines.example'];
  const { environment } = desk;
  const ended = Promise.withResolvers<void>();
  await callTool(desk, 'validate_emails', { emails });
  const open = environment.database.prepare(
    'SELECT count(*) FROM email_validation WHERE completed_at IS NULL',
  );
  const check = () => open.pluck().get() === 0 && ended.resolve();
  const timer = setInterval(check, 10);
  await ended.promise;
  clearInterval(timer);
}

/** Keeps a monitor with a list of its own, which has not run. Returns the name of its folder. */
async function keepMonitor(desk: Desk): Promise<string> {
  const form = { file: csv('Email,Company', 'a@x.example,Acme', `${otherEmail},Engines`) };
  const { upload_id } = (await desk.app('POST', 'uploads', { form })).data;
  const schedule = { rhythm: 'weekly', time: '09:00', weekday: 1, time_zone: 'Europe/Berlin' };
  const json = { title: 'Kept', schedule, upload_id };
  const { id } = (await desk.app('POST', 'monitors', { json })).data;
  const { database } = desk.environment;
  return String(database.prepare('SELECT uuid FROM monitor WHERE id = ?').pluck().get(id));
}

/** Leaves a request that asked for approval, with a title and a key that name the subject. */
async function askApproval(desk: Desk): Promise<void> {
  const { data } = await desk.app('POST', 'keys', { json: { label: 'asks', ask_above: 0 } });
  const json = { title: `Ask for ${otherEmail}`, selected_layers: ['L1'], rows: [rows[0]] };
  const headers = { 'idempotency-key': otherEmail };
  const { status } = await desk.call('POST', 'submit/', { key: data.key, json, headers });
  if (status !== 409) throw new Error(`${status}: no approval was required`);
}

/** Imports a list of companies, whose file is named after the subject, together with people. */
async function importCompanies(desk: Desk): Promise<void> {
  const folder = makeFolder();
  const people_path = join(folder, 'people.csv');
  const companies_path = join(folder, 'zephyrine@engines.example.csv');
  writeFileSync(people_path, 'First name,Last name,Company\nDi,Orr,Initech\n');
  writeFileSync(companies_path, 'Company name,Website\nInitech,initech.example\n');
  await desk.app('POST', 'directory/imports?wait=1', { json: { people_path, companies_path } });
}

export interface Planted {
  readonly jobId: string;
  readonly monitorJobId: number;
  /** Of a monitor with a list of its own. */
  readonly monitorUuid: string;
  readonly pipelineId: string;
}

/** Puts the subject into every place. */
export async function plantPerson(desk: Desk): Promise<Planted> {
  const { environment } = desk;
  await importCompanies(desk);
  await desk.call('POST', '/api/v1/webhooks/', {
    json: { url: 'https://hooks.example/here', events: ['pipeline.completed'] },
  });
  const form = new FormData();
  const csv = `first_name,last_name,company_name,email,note\n${[
    'Zephyrine,Quixworth,Engines,,one',
    'Bob,Quill,Engines,bob@engines.example,"sits with zephyrine@engines.example, ""Z"""',
  ].join('\n')}\n`;
  form.append('file', new Blob([csv]), 'zephyrine@engines.example.csv');
  await desk.app('POST', 'uploads', { body: form });
  const json = {
    selected_layers: ['L1', 'MPA'],
    rows,
    title: 'List of zephyrine@engines.example',
  };
  const jobId = (await desk.call('POST', 'submit/', { json })).data.job_id as string;
  await environment.finish(jobId);
  const monitor = { title: 'Watch', rows };
  const started = await desk.call('POST', '/api/v1/career-monitor/jobs/', { json: monitor });
  const monitorJobId = started.body.job_id as number;
  await environment.finishMonitorJob(monitorJobId);
  const monitorUuid = await keepMonitor(desk);
  await askApproval(desk);
  const pipelineId = await runPipeline(desk);
  await runValidation(desk);
  for (const kind of ['email', 'phone'])
    await desk.call('POST', `/${kind}/enrichment/?token=${desk.key}`, {
      key: null,
      json: { profile_url: 'https://www.linkedin.com/in/zquixworth' },
    });
  await callTool(desk, 'enrich_contact', {
    profile_url: 'https://www.linkedin.com/in/zquixworth',
    idempotency_key: 'zephyrine@engines.example',
  });
  await callTool(desk, 'search_contacts', { company_name: 'Engines', limit: 5 });
  return { jobId, monitorJobId, monitorUuid, pipelineId };
}

/** Stores that a deleted job paid for two people, and that they may be one. */
export function plantRemembered({ environment, accountId }: Desk, people: readonly string[]): void {
  const { folder, database } = environment;
  const jobId = Number(database.prepare('SELECT min(id) FROM job').pluck().get());
  const store = openStore(folder);
  insertPaidPeople(
    store,
    { id: jobId, accountId },
    people.map((personUuid, rowIndex) => ({ personUuid, rowIndex, layers: 1 })),
  );
  store.close();
  const directory = openDirectory(folder);
  const [one = '', other = ''] = people;
  putPair(directory, 1, { kind: 'person', one, other, probability: 0.8 });
  directory.close();
}

function* listFiles(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* listFiles(path);
    else yield path;
  }
}

/** Which files have which texts in their bytes, in any case: "engine.db: crm-77". */
export function findBytes(folder: string, texts: readonly string[]): string[] {
  return [...listFiles(folder)].flatMap((path) => {
    const content = readFileSync(path).toString('latin1').toLowerCase();
    return texts
      .filter((text) => content.includes(text.toLowerCase()))
      .map((text) => `${path.slice(folder.length + 1)}: ${text}`);
  });
}
