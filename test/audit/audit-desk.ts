// A desk whose actions are recorded, and the steps that most tests of the log need.
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { AuditAction } from '../../engine/contract/audit/actions.ts';
import type { AuditEntry } from '../../engine/contract/audit/audit.ts';
import { ProviderError, type ProviderRow } from '../../engine/contract/provider.ts';
import { type Desk, type Json, shareApiDesk } from '../http/open-api-desk.ts';
import { fails, found, playProvider } from '../providers/play-provider.ts';

const profile = 'https://www.linkedin.com/in/ann';
export const other = 'https://www.linkedin.com/in/bob';
const columns =
  'person id,first name,last name,title,company,email,email status,is current,profile url';
const people = `${columns}
a1,Ann,Lee,Chief,Acme,ann.chief@acme.example,valid,1,${profile}
a2,Ann,Lee,Clerk,Acme,ann.clerk@acme.example,valid,1,
b1,Bob,May,Head,Acme,bob@acme.example,valid,1,${other}
`;
function say({ email = '' }: ProviderRow) {
  if (email.startsWith('lost')) throw new ProviderError('uncertain', 'The connection ended.');
  if (email.startsWith('failed')) return fails('The service could not answer this row.');
  return found({ email });
}
const { provider } = playProvider(say, {
  id: 'paid',
  title: 'Paid',
  rowsMax: 1,
  fields: { work_email: { needs: [['email' as const]], costMaxCredits: 2 } },
});
const folder = join(tmpdir(), `desk-audit-${process.pid}`);

/** The path of a file that a step writes; removed with the file of the tests. */
export const outPath = (name: string): string => join(folder, name);

let daysPassed = 0;
const now = () => new Date(Date.now() + daysPassed * 86_400_000);
/** Sets the clock of the engine forward. */
export function passDays(days: number): void {
  daysPassed += days;
}

/** A step over HTTP after its preparation, and the entries that it adds. */
export interface ActionRow<Prepared = Json> {
  readonly actions: readonly AuditAction[];
  readonly prepare?: (desk: Desk) => Promise<Prepared>;
  readonly run: (desk: Desk, prepared: Prepared) => Promise<unknown>;
  readonly entries: readonly object[];
  /** A step of the same route that is refused. */
  readonly refused: (desk: Desk, prepared: Prepared) => Promise<Json>;
}
export const app = { actor_kind: 'app', actor: 'app', key_prefix: null };
export const some = expect.any(String);
/** An id that nothing has. */
export const unknown = '00000000-0000-4000-8000-000000000001';

/** Shares a desk, as `shareApiDesk`, with people, a provider and a folder for exports. */
export function shareAuditDesk(): () => Promise<Desk> {
  mkdirSync(folder, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return shareApiDesk({}, { people, provider, now });
}

/** Entries of the log, newest first. */
export const readLog = async (desk: Desk, query = ''): Promise<AuditEntry[]> =>
  (await desk.app('GET', `audit?limit=500${query}`)).data.entries;

/** What a step adds to the log, oldest first. */
export async function listAdded(desk: Desk, step: () => Promise<unknown>): Promise<AuditEntry[]> {
  const { total } = (await desk.app('GET', 'audit?limit=1')).data;
  await step();
  const added = (await readLog(desk)).filter(({ id }) => id > total);
  // The clock of browsers is not set forward.
  return added.sort((one, next) => one.id - next.id);
}

// Two people have this name and employer.
const ann = { first_name: 'Ann', last_name: 'Lee', company_name: 'Acme' };
export const bob = { first_name: 'Bob', last_name: 'May', company_name: 'Acme' };
/** Submits a job; returns its id. */
export const submit = async (desk: Desk, rows: readonly object[] = [bob, ann]): Promise<string> =>
  (await desk.call('POST', 'submit/', { json: { selected_layers: ['L1'], rows } })).data.job_id;
/** Runs a job to its end; returns its id. */
export async function finish(desk: Desk): Promise<string> {
  const jobId = await submit(desk);
  await desk.environment.finish(jobId);
  return jobId;
}
/** A JSON body. */
export const json = (body: Json) => ({ json: body });
/** Creates a key; `more` are its limits. */
export const makeKey = async (desk: Desk, more = {}): Promise<Json> =>
  (await desk.app('POST', 'keys', json({ label: 'CRM', ...more }))).data;
/** Unlocks the email of a profile with a key. */
export const lookUp = (desk: Desk, key = desk.key, profile_url = profile) =>
  desk.call('POST', `/email/enrichment/?token=${key}`, json({ profile_url }));
