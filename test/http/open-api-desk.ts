// A real server over a real environment in this process, and how tests call it.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { listAccounts } from '../../engine/accounts/account.table.ts';
import type { ServerConfig } from '../../engine/app/server-context.ts';
import { type RunningServer, startServer } from '../../engine/app/start-server.ts';
import { creditUnits, unitsPerCredit } from '../../engine/contract/credits.ts';
import type { ErrorCode } from '../../engine/contract/errors.ts';
import { errorTable } from '../../engine/contract/errors.ts';
import { firstGrantCredits } from '../../engine/contract/limits/ledger.ts';
import { verifyLedger } from '../../engine/ledger/ledger.ts';
import { rulesOf } from '../../engine/policy/team-rules.ts';
import { noteKind, requireDescribed } from './described-api.ts';
import {
  type EnvironmentSetting,
  openEnvironment,
  type TestEnvironment,
} from './open-environment.ts';

/** What a request may carry. */
export interface CallOptions {
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string | Blob>>;
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  /** An API key; the desk's own where left out, none where null. */
  readonly key?: string | null;
}

/** An answer, read whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
  readonly data: Json;
}

/** Parsed JSON, as tests look into it. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Desk {
  readonly environment: TestEnvironment;
  readonly url: string;
  readonly key: string;
  readonly accountId: number;
  openUrl(): string;
  /** One request; a path without a slash is one of /api/v1/data-enrichment. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** As `call`, with the app's session and under /app/v1. */
  app(method: string, path: string, options?: CallOptions): Promise<Answer>;
  listLeftovers(): string[];
  /** Ends the server; the environment stays until the test ends. */
  stop(): Promise<void>;
}

/** The session token of every desk. */
export const sessionToken = 'a session token of the tests';

function buildForm(parts: NonNullable<CallOptions['form']>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts))
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, value instanceof File ? value.name : 'contacts.csv');
  return form;
}

/** Sends a request, reads its whole answer, and validates it against the server's OpenAPI. */
export async function send(url: string, method: string, options: CallOptions): Promise<Answer> {
  const { json, form, body = form ? buildForm(form) : undefined } = options;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(options.key ? { authorization: `Token ${options.key}` } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(json === undefined ? (body === undefined ? {} : { body }) : { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const parsed: Json = isJson ? JSON.parse(text) : null;
  const { origin, pathname, search } = new URL(url);
  await requireDescribed(origin, {
    method,
    path: pathname + search,
    json,
    status: response.status,
    contentType: response.headers.get('content-type'),
    text,
  });
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: parsed,
    data: parsed?.data,
  };
}

interface RunningDesk {
  readonly environment: TestEnvironment;
  readonly server: RunningServer;
  /** Ends the server; the environment stays. */
  stop(): Promise<void>;
  /** Ends both. The ledger must be whole. */
  close(): Promise<void>;
}

async function startDesk(
  config: Partial<ServerConfig>,
  setting: EnvironmentSetting,
): Promise<RunningDesk> {
  const environment = await openEnvironment(setting);
  const server = await startServer({
    environment,
    config: {
      port: 0,
      socketPath: null,
      uiDir: null,
      sessionToken,
      version: '1.2.3',
      rules: rulesOf(setting.policy ?? {}),
      ...config,
    },
  });
  if (server.url) noteKind(server.url, 'live');
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= server.close();
    return stopped;
  };
  return {
    environment,
    server,
    stop,
    async close() {
      await stop();
      const violations = verifyLedger(environment.database);
      await environment.close();
      expect(violations).toEqual([]);
    },
  };
}

/** The desk as one account uses it. Headers are those of its app. */
async function describeDesk(
  { environment, server, stop }: RunningDesk,
  accountId: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Desk> {
  const url = server.url ?? '';
  const { key } = await environment.writer.createKey({
    accountId,
    label: 'tests',
    providerCap: null,
  });
  const listUploads = () => readdirSync(join(environment.folder, 'uploads'));
  const before = new Set(listUploads());
  return {
    environment,
    url,
    key,
    accountId,
    stop,
    openUrl: server.openUrl,
    call: (method, path, options = {}) =>
      send(path.startsWith('/') ? url + path : `${url}/api/v1/data-enrichment/${path}`, method, {
        key,
        ...options,
      }),
    app: (method, path, options = {}) =>
      send(`${url}/app/v1/${path}`, method, {
        ...options,
        headers: { 'x-desk-session': sessionToken, ...headers, ...options.headers },
      }),
    listLeftovers: () => listUploads().filter((name) => !before.has(name)),
  };
}

/** Starts a server over an environment of its own; both end with the test. */
export async function openApiDesk(
  config: Partial<ServerConfig> = {},
  setting: EnvironmentSetting = {},
): Promise<Desk> {
  const running = await startDesk(config, setting);
  onTestFinished(running.close);
  return describeDesk(running, listAccounts(running.environment.database)[0]?.id ?? 0);
}

/** A desk that can be restarted on its folder. */
export interface RestartableDesk {
  readonly desk: Desk;
  /** Stops it, lets its folder be changed, and starts it again. Resolves with the new desk. */
  restart(meanwhile: (folder: string) => Promise<unknown>): Promise<Desk>;
}

/** Starts a server over an environment that can be restarted; both end with the test. */
export async function openRestartableDesk(
  setting: EnvironmentSetting = {},
): Promise<RestartableDesk> {
  const parent = mkdtempSync(join(tmpdir(), 'desk-restart-'));
  const folder = join(parent, 'data');
  mkdirSync(folder);
  const start = () => startDesk({}, { ...setting, folder });
  const describe = (running: RunningDesk) =>
    describeDesk(running, listAccounts(running.environment.database)[0]?.id ?? 0);
  let running = await start();
  onTestFinished(async () => {
    await running.close();
    rmSync(parent, { recursive: true });
  });
  return {
    desk: await describe(running),
    async restart(meanwhile) {
      await running.close();
      await meanwhile(folder);
      running = await start();
      return describe(running);
    },
  };
}

/** Cancels what an account left open, so that the next test finds an idle engine. */
async function cancelOpenWork({ writer, database, gate }: TestEnvironment, accountId: number) {
  const list = (sql: string) => database.prepare(sql).pluck().all(accountId);
  const isOpen = "status IN ('queued', 'running')";
  const jobs = list(
    `SELECT uuid FROM job WHERE account_id = ? AND kind <> 'monitor' AND ${isOpen}`,
  );
  for (const job_id of jobs as string[]) await writer['jobs.cancel']({ accountId, job_id });
  const runs = list(
    `SELECT monitor_job.id FROM monitor_job JOIN job ON job.id = job_id
     WHERE job.account_id = ? AND job.${isOpen}`,
  );
  for (const id of runs as number[]) await writer['monitorJobs.stop']({ accountId, id });
  const pipelines = list(`SELECT uuid FROM pipeline WHERE account_id = ? AND ${isOpen}`);
  for (const id of pipelines as string[]) await writer['pipelines.cancel']({ accountId, id });
  // Batches of cancelled work end.
  gate.open();
}

/**
 * Starts one server for a whole file. Each call of the answer returns it as a new account of
 * 100,000 credits sees it; what the account left open is cancelled after the test.
 */
export function shareApiDesk(
  config: Partial<ServerConfig> = {},
  setting: EnvironmentSetting = {},
): () => Promise<Desk> {
  let running: RunningDesk;
  beforeAll(async () => {
    running = await startDesk(config, setting);
  });
  afterAll(() => running.close());
  return async () => {
    const { environment } = running;
    environment.gate.hold();
    const { id: uuid } = await environment.writer['accounts.create']({ name: 'Local workspace' });
    const { id } = listAccounts(environment.database).find((account) => account.uuid === uuid)!;
    const units = creditUnits(firstGrantCredits * unitsPerCredit);
    await environment.writer.grant({
      accountId: id,
      units,
      subject: { kind: 'grant', id: 'first grant' },
    });
    onTestFinished(() => cancelOpenWork(environment, id));
    const stop = () => Promise.reject(new Error('a shared desk ends with its file'));
    return describeDesk({ ...running, stop }, id, { 'x-desk-account': uuid });
  };
}

/** Asserts the format of every error: status, code, and a detail of two sentences' length. */
export function expectRefusal(answer: Answer, code: ErrorCode, detail?: RegExp): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: errorTable[code].status,
    body: { success: false, error: code, detail: expect.stringMatching(detail ?? /.{10}/) },
  });
}

export const csv = (...lines: string[]) => new Blob([lines.map((line) => `${line}\r\n`).join('')]);

/** Submits rows by their emails; returns the job's id. */
export async function submit(desk: Desk, ...emails: string[]): Promise<string> {
  const rows = emails.map((email) => ({ email }));
  const answer = await desk.call('POST', 'submit/', { json: { selected_layers: ['L1'], rows } });
  expect(answer.status).toBe(202);
  return answer.data.job_id;
}
