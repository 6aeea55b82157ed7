// A real engine with both environments, and functions for requests to either.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Engine, startEngine } from '../../engine/app/main.ts';
import type { AppEvent } from '../../engine/contract/events.ts';
import { type EnvironmentName, environmentPaths } from '../../engine/contract/ids.ts';
import type { ResultRow, StatusData } from '../../engine/contract/jobs/job.ts';
import { noteKind } from './described-api.ts';
import { type Answer, type CallOptions, type Json, send, sessionToken } from './open-api-desk.ts';

export interface EnvironmentClient {
  readonly base: string;
  /** One request with the app's session; a path of the environment, "api/v1/…" or "app/v1/…". */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** A request of /api/v1/data-enrichment with a key. */
  rest(key: string, method: string, path: string, json?: unknown): Promise<Answer>;
  makeKey(): Promise<string>;
  /** Listens to events from now on: those of the first account, unless headers name another. */
  listen(headers?: Readonly<Record<string, string>>): Promise<EventReader>;
  /** Submits rows and waits for the job's end. */
  run(rows: readonly Json[], layers?: readonly string[]): Promise<StatusData>;
  results(jobId: string): Promise<ResultRow[]>;
}

export interface EventReader {
  /** The next matching event; throws if the stream ends before. */
  next<Event extends AppEvent>(fits: (event: AppEvent) => event is Event): Promise<Event>;
  readonly received: readonly AppEvent[];
  close(): Promise<void>;
}

type JobEvent = Extract<AppEvent, { type: 'job' }>;

/** Whether an event reports the end of a job. */
export const isEnd =
  (jobId: string) =>
  (event: AppEvent): event is JobEvent =>
    event.type === 'job' && event.job.ready && event.job.job_id === jobId;

const session = { 'x-desk-session': sessionToken };

async function readEvents(
  base: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  const response = await fetch(`${base}/app/v1/events`, { headers: { ...session, ...headers } });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  const received: AppEvent[] = [];
  let text = '';
  return {
    received,
    async next(fits) {
      for (let at = 0; ; at += 1) {
        while (at >= received.length) {
          const { value = '', done } = await reader.read();
          if (done) throw new Error('the events ended before the one that was waited for');
          const lines = (text + value).split('\n\n');
          text = lines.pop() ?? '';
          for (const line of lines)
            if (line.startsWith('data: ')) received.push(JSON.parse(line.slice(6)) as AppEvent);
        }
        const event = received[at]!;
        if (fits(event)) return event;
      }
    },
    close: () => reader.cancel(),
  };
}

function openDoor(url: string, environment: EnvironmentName): EnvironmentClient {
  const base = url + environmentPaths[environment];
  const call: EnvironmentClient['call'] = (method, path, options = {}) =>
    send(`${base}/${path}`, method, {
      ...options,
      headers: { ...(options.key === undefined ? session : {}), ...options.headers },
    });
  const enrich = 'api/v1/data-enrichment';
  return {
    base,
    call,
    rest: (key, method, path, json) => call(method, `${enrich}/${path}`, { key, json }),
    async makeKey() {
      const made = await call('POST', 'app/v1/keys', { json: { label: 'tests' } });
      return made.data.key;
    },
    listen: (headers) => readEvents(base, headers),
    async run(rows, layers = ['L1', 'L2', 'L3', 'L4', 'MPA']) {
      const events = await readEvents(base);
      const json = { selected_layers: layers, rows };
      const submitted = await call('POST', `${enrich}/submit/`, { json });
      expect(submitted.status).toBe(202);
      const { job } = await events.next(isEnd(submitted.data.job_id));
      await events.close();
      return job;
    },
    async results(jobId) {
      return (await call('GET', `${enrich}/result/${jobId}/?limit=1000`)).data.results;
    },
  };
}

export interface Environments {
  readonly dataDir: string;
  readonly url: string;
  readonly live: EnvironmentClient;
  readonly staging: EnvironmentClient;
  /** Stops the engine and starts another on the same folder, at the given port if there is one. */
  restart(meanwhile?: () => void, port?: number): Promise<Environments>;
  remove(): Promise<void>;
}

function presentEnvironments(dataDir: string, engine: Engine): Environments {
  const url = engine.url ?? '';
  noteKind(url, 'live and staging');
  return {
    dataDir,
    url,
    live: openDoor(url, 'live'),
    staging: openDoor(url, 'staging'),
    async restart(meanwhile, port) {
      await engine.close();
      meanwhile?.();
      return startEnvironments(dataDir, port);
    },
    async remove() {
      await engine.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function startEnvironments(
  dataDir = mkdtempSync(join(tmpdir(), 'desk-environment-')),
  port = 0,
): Promise<Environments> {
  const config = { dataDir, port, socket: false, uiDir: null, sessionToken };
  return presentEnvironments(dataDir, await startEngine(config));
}

/** A new account with credits; returns the headers that select it. */
export async function openAccountAt(
  { call }: EnvironmentClient,
  credits: number,
): Promise<Readonly<Record<string, string>>> {
  const { data } = await call('POST', 'app/v1/accounts', { json: { name: 'Acme' } });
  const headers = { 'x-desk-account': data.id };
  await call('PATCH', `app/v1/accounts/${data.id}`, { json: { has_budget: true } });
  if (credits > 0)
    await call('POST', 'app/v1/wallet/grants', { json: { credits: `${credits}` }, headers });
  return headers;
}

export const contact = (mailbox: string) => ({ email: `${mailbox}@sandbox.example` });

let slowOnes = 0;

/** Contacts that the sandbox has not answered before: each of them takes a second. */
export const slowContacts = (count: number) =>
  Array.from({ length: count }, () => {
    slowOnes += 1;
    return contact(`slow+${slowOnes}`);
  });
