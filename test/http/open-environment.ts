// Opens real environments in the test's own process: files, writer, reader and matching are those
// of the product. Jobs wait until a test releases them.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { Environment } from '../../engine/app/environment.ts';
import { startEnvironment } from '../../engine/app/start-environment.ts';
import { endStatuses } from '../../engine/contract/jobs/job.ts';
import type { TeamConfig } from '../../engine/contract/team/team-config.ts';
import { createInProcessWorkers, type Gate, type WorkerSetting } from './in-process-workers.ts';
import { createScriptedProvider, samplePeople } from './sample-people.ts';

export interface EnvironmentSetting extends Partial<WorkerSetting> {
  /** The people of its directory, as CSV; the sample people by default. */
  readonly people?: string;
  /** What the machine rules; nothing by default. */
  readonly policy?: TeamConfig;
  /** Its folder, which stays when it is closed; by default a new one, which is removed. */
  readonly folder?: string;
}

/** An environment, with functions that advance its jobs. */
export interface TestEnvironment extends Environment {
  readonly gate: Gate;
  /** Uploads, exports and directory tasks that have not ended. */
  readonly passing: ReadonlySet<unknown>;
  /** Lets a queued job match and write only its first batch, which is one row. */
  begin(jobId: string): Promise<void>;
  /** Lets jobs run until this one has ended. */
  finish(jobId: string): Promise<void>;
  /** Lets jobs run until the job of this Career Monitor job has ended. */
  finishMonitorJob(id: number): Promise<void>;
}

type Files = readonly (readonly [name: string, bytes: Buffer])[];

const makeFolder = () => mkdtempSync(join(tmpdir(), 'desk-environment-'));
const templates = new Map<string, Promise<Files>>();

/** Imports the people once, and reads the resulting files. */
async function makeTemplate(people: string): Promise<Files> {
  const folder = makeFolder();
  const peoplePath = join(folder, 'people.csv');
  const { workers } = createInProcessWorkers({ provider: null });
  const environment = await startEnvironment('live', folder, workers);
  writeFileSync(peoplePath, people);
  const options = { source: 'crm.csv', observed: '2026-11-01', trust: 0.8 };
  const report = await environment.reader.importDirectory({ peoplePath, ...options });
  if (report.rows_refused > 0) throw new Error('the people of a test are refused');
  await environment.close();
  rmSync(peoplePath);
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ name }) => [name, readFileSync(join(folder, name))] as const);
  rmSync(folder, { recursive: true });
  return files;
}

/** Writes the files of an environment with the people. */
async function writeTemplate(folder: string, people: string): Promise<void> {
  const template = templates.get(people) ?? makeTemplate(people);
  templates.set(people, template);
  for (const [name, bytes] of await template) writeFileSync(join(folder, name), bytes);
}

/** Opens a live environment in a new folder, or in one that has its files already. */
export async function openEnvironment(setting: EnvironmentSetting = {}): Promise<TestEnvironment> {
  const { people = samplePeople, provider = createScriptedProvider(), policy, now } = setting;
  const folder = setting.folder ?? makeFolder();
  if (!existsSync(join(folder, 'engine.db'))) await writeTemplate(folder, people);
  const { workers, gate, passing } = createInProcessWorkers({ provider, now });
  const environment = await startEnvironment('live', folder, workers, policy);
  const read = (jobId: string) =>
    environment.database
      .prepare('SELECT status, processed_rows AS rows FROM job WHERE uuid = ?')
      .get(jobId) as { status: string; rows: number };
  const hasEnded = (jobId: string) =>
    (endStatuses as readonly string[]).includes(read(jobId).status);
  const finish = async (jobId: string) => {
    const ended = Promise.withResolvers<void>();
    // Holds inside the event of the end, so that the next job does not start.
    const check = () => {
      if (!hasEnded(jobId)) return;
      gate.hold();
      ended.resolve();
    };
    const unsubscribe = environment.subscribe(check);
    gate.open();
    check();
    await ended.promise;
    unsubscribe();
  };
  return {
    ...environment,
    gate,
    passing,
    finish,
    async begin(jobId) {
      gate.step();
      await vi.waitUntil(() => read(jobId).rows > 0, { interval: 5, timeout: 60_000 });
    },
    finishMonitorJob(id) {
      const sql = 'SELECT uuid FROM job WHERE id = (SELECT job_id FROM monitor_job WHERE id = ?)';
      return finish(environment.database.prepare(sql).pluck().get(id) as string);
    },
    async close() {
      await environment.close();
      if (setting.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
