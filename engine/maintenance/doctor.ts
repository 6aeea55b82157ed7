// The checks of `doctor`: folder, databases, ledger, jobs, records, port, disk, clock, keychain.
import { statSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { EngineError } from '../contract/errors.ts';
import { freeDiskWarningBytes, freeDiskWrongBytes } from '../contract/limits/maintenance.ts';
import { portDefault } from '../contract/limits/platform.ts';
import type { Check } from '../contract/maintenance.ts';
import { getJobById } from '../jobs/job.table.ts';
import { verifyLedger } from '../ledger/ledger.ts';
import { getMonitor } from '../monitors/monitor.table.ts';
import { requirePipelineById } from '../pipelines/pipeline.table.ts';
import type { DatabaseFile } from '../platform/data-files.ts';
import { describeChmod, describeClosed, findOtherUsers } from '../platform/private-files.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { findSystemRefusal } from '../platform/sqlite/system-refusal.ts';
import { describeClockStop, findClockStop } from '../platform/trusted-clock.ts';
import { findInputFault } from '../spreadsheet/input-folders.ts';
import type { MaintainedEnvironment } from './backup.ts';
import { describeRemedy, findLoss } from './check-databases.ts';
import { listInputs } from './list-inputs.ts';

type Damage = readonly [record: string, damage: string | null | undefined];

function listIds(database: ReadableDatabase, table: 'job' | 'monitor' | 'pipeline') {
  const sql = `SELECT id, account_id AS accountId FROM ${table} WHERE deleted_at IS NULL`;
  return statement<{ id: number; accountId: number }>(database, sql).all();
}

/** Reads every record, and yields each with its damage; null or undefined if it is whole. */
function* listDamage(database: ReadableDatabase): Generator<Damage> {
  for (const { id } of listIds(database, 'job')) {
    const job = getJobById(database, id);
    yield [`job ${job?.uuid}`, job?.damage];
  }
  for (const { id } of listIds(database, 'pipeline')) {
    const { uuid, damage } = requirePipelineById(database, id);
    yield [`pipeline ${uuid}`, damage];
  }
  for (const { id, accountId } of listIds(database, 'monitor'))
    yield [`monitor ${id}`, getMonitor(database, accountId, id)?.damage];
}

export interface Patient {
  readonly environment: MaintainedEnvironment;
  /** The port that the engine listens on; null if it has only its local socket. */
  readonly port: number | null;
  /** Whether other users could read the folder before this engine locked it. */
  readonly wasOpen: boolean;
  /** The organisation's rules, in a few words; none by default. */
  readonly rules?: string;
}
type Finding = Omit<Check, 'name'>;

const ok = (detail: string): Finding => ({ state: 'ok', detail });
const warning = (detail: string): Finding => ({ state: 'warning', detail });
const wrong = (detail: string): Finding => ({ state: 'wrong', detail });
const shownMax = 3;

async function checkFolder({ environment }: Patient): Promise<Finding> {
  try {
    await access(environment.folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const refusal = findSystemRefusal(error, join(environment.folder, 'engine.db'));
    return wrong(refusal?.detail ?? `${environment.folder} cannot be used (${String(error)}).`);
  }
  return ok(environment.folder);
}

async function checkPermissions({ environment, wasOpen }: Patient): Promise<Finding> {
  if (process.platform === 'win32') return ok('kept by the user profile');
  const { folder } = environment;
  const others = findOtherUsers(folder);
  if (others === 'write')
    return wrong(`Other users can write to the data folder. ${describeChmod(folder)}`);
  if (others === 'read')
    return warning(`Other users can read the data folder. ${describeChmod(folder)}`);
  return wasOpen ? warning(describeClosed(folder)) : ok('only your user has access');
}

/** What is wrong with a database file; null if it is intact. */
async function findDatabaseFault(
  environment: MaintainedEnvironment,
  file: DatabaseFile,
): Promise<string | null> {
  const loss = findLoss(environment.folder, file);
  if (loss) return `is ${loss}`;
  const found = await environment.reader.findDamage({ file });
  return found.length === 0 ? null : `is damaged (${found.join('; ')})`;
}

/** The size of a database, and how much of it is free: `desk retention run` returns that. */
function describeSize(path: string, database: ReadableDatabase): string {
  const read = (pragma: string) => Number(database.pragma(pragma, { simple: true }));
  const freeBytes = read('freelist_count') * read('page_size');
  const inMegabytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MB`;
  return `whole, ${inMegabytes(statSync(path).size)}, ${inMegabytes(freeBytes)} of it free`;
}

async function checkStore({ environment }: Patient): Promise<Finding> {
  const fault = await findDatabaseFault(environment, 'engine.db');
  return fault === null
    ? ok(describeSize(join(environment.folder, 'engine.db'), environment.database))
    : wrong(`engine.db ${fault}. ${describeRemedy(environment.name)}`);
}

async function checkDirectory({ environment }: Patient): Promise<Finding> {
  const fault = await findDatabaseFault(environment, 'directory.db');
  return fault === null
    ? ok(describeSize(join(environment.folder, 'directory.db'), environment.directoryDatabase))
    : wrong(`directory.db ${fault}. ${describeRemedy(environment.name)}`);
}

async function checkLedger({ environment }: Patient): Promise<Finding> {
  const violations = verifyLedger(environment.database);
  return violations.length === 0
    ? ok('every balance is the sum of its entries')
    : wrong(
        `${violations.length} violations: ${violations.slice(0, shownMax).join('; ')}. ` +
          describeRemedy(environment.name),
      );
}

async function checkAudit({ environment }: Patient): Promise<Finding> {
  const { entries, head, fault } = await environment.reader.verifyAudit({});
  if (fault)
    return wrong(
      `Entry ${fault.entry} does not match: ${fault.what}. The entries before it are intact. ` +
        'Compare the log with an earlier export or backup.',
    );
  return ok(head === null ? 'empty' : `the chain of ${entries} entries is intact, up to ${head}`);
}

async function checkJobs({ environment }: Patient): Promise<Finding> {
  let count = 0;
  const faults: string[] = [];
  for (const { owner, uuid, rowCount } of listInputs(environment.database)) {
    count += 1;
    const fault = await findInputFault(environment.folder, uuid, rowCount);
    if (fault !== null) faults.push(`${owner} ${uuid}: ${fault}`);
  }
  return faults.length === 0
    ? ok(`the rows of all ${count} are whole`)
    : wrong(
        `${faults.length} of ${count} jobs, pipelines and monitors have damaged rows ` +
          `(${faults.slice(0, shownMax).join('; ')}): ` +
          'their CSV cannot be written. Restore a backup, or submit their files again.',
      );
}

async function checkRecords({ environment }: Patient): Promise<Finding> {
  let count = 0;
  const damaged: string[] = [];
  for (const [record, damage] of listDamage(environment.database)) {
    count += 1;
    if (damage) damaged.push(`${record} (${damage})`);
    await setImmediate();
  }
  return damaged.length === 0
    ? ok(`all ${count} can be read`)
    : wrong(
        `${damaged.length} of ${count} jobs, pipelines and monitors are damaged ` +
          `(${damaged.slice(0, shownMax).join('; ')}). The others are not affected. ` +
          'Set the schedule of a monitor again; otherwise restore a backup: desk restore FILE.',
      );
}

const isPortFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
      server.close(() => resolve(true)),
    );
  });

async function checkPort({ port }: Patient): Promise<Finding> {
  if (port !== null) return ok(`listening on 127.0.0.1:${port}`);
  return (await isPortFree(portDefault))
    ? ok(`${portDefault} is free for desk serve`)
    : warning(
        `${portDefault} is in use by another program. Start with another port: desk serve --port N`,
      );
}

async function checkDisk({ environment }: Patient): Promise<Finding> {
  const { bavail, bsize } = await statfs(environment.folder);
  const freeBytes = bavail * bsize;
  const detail = `${(freeBytes / 1024 ** 3).toFixed(1)} GB free`;
  if (freeBytes < freeDiskWrongBytes)
    return wrong(`${detail}: jobs will soon stop. Free some space on this disk.`);
  return freeBytes < freeDiskWarningBytes
    ? warning(`${detail}: free some space before a large job.`)
    : ok(detail);
}

async function checkWriting({ environment }: Patient): Promise<Finding> {
  const readOnly = environment.describeReadOnly();
  return readOnly === null ? ok('possible') : wrong(readOnly.detail);
}

async function checkThreads({ environment }: Patient): Promise<Finding> {
  const fault = environment.describeFault();
  return fault === null ? ok('all of them are running') : wrong(fault);
}

async function checkKeychain({ environment }: Patient): Promise<Finding> {
  const { place, detail } = await environment.writer['webhooks.secretKey']();
  return place === 'keychain' ? ok(detail) : warning(detail);
}

/** A clock far ahead stops every deletion by age (platform/trusted-clock.ts). */
async function checkClock({ environment }: Patient): Promise<Finding> {
  const now = new Date();
  const lastAt = findClockStop(environment.database, now);
  return lastAt ? warning(describeClockStop(lastAt, now)) : ok(now.toISOString());
}

const checkRules = async ({ rules = 'sets no rules' }: Patient): Promise<Finding> => ok(rules);

/** A worker answers a batch in seconds; one that waits longer has too few workers. */
const lagSecondsMax = 60;

async function checkShared({ environment }: Patient): Promise<Finding> {
  const found = await environment.writer.testSharedDirectory(null);
  if (!found) return ok('none is set up');
  if (!found.is_ready) return wrong(found.detail);
  if (found.workers === 0)
    return warning(
      'It is ready, but no worker is connected. Start one: desk shared worker --url ADDRESS',
    );
  const lagSeconds = Math.round(found.lag_seconds ?? 0);
  return lagSeconds > lagSecondsMax
    ? warning(
        `It is ready, but batches wait, the oldest for ${lagSeconds} seconds. Check the workers ` +
          `(${found.workers} connected), or start more.`,
      )
    : ok(`${found.people ?? 0} people, ${found.workers} connected`);
}

const checks: Readonly<Record<string, (patient: Patient) => Promise<Finding>>> = {
  'Data folder': checkFolder,
  Permissions: checkPermissions,
  'engine.db': checkStore,
  Directory: checkDirectory,
  'Team directory': checkShared,
  Ledger: checkLedger,
  'Audit log': checkAudit,
  Jobs: checkJobs,
  Records: checkRecords,
  Port: checkPort,
  'Disk space': checkDisk,
  Writing: checkWriting,
  Clock: checkClock,
  Keychain: checkKeychain,
  Threads: checkThreads,
  Organisation: checkRules,
};

function describeFailure(error: unknown, { name }: MaintainedEnvironment): Finding {
  const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
  if (!refusal) return wrong(String((error as Error).message ?? error));
  return refusal.code === 'database_damaged'
    ? wrong(`A database is damaged. ${describeRemedy(name)}`)
    : wrong(refusal.detail);
}

/**
 * Runs all checks. A check that fails itself is `wrong` with its message, so that the list is
 * always complete. Only reads, except that it tries a port, and creates the encryption key if there
 * is none.
 */
export async function runDoctor(patient: Patient): Promise<Check[]> {
  const found: Check[] = [];
  for (const [name, check] of Object.entries(checks)) {
    const finding = await check(patient).catch((error) =>
      describeFailure(error, patient.environment),
    );
    found.push({ name, ...finding });
  }
  return found;
}
