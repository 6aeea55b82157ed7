/** What `doctor` looks at: folder, databases, ledger, directory, jobs, port, disk, keychain. */
import { existsSync, statSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Check } from '../contract/app.ts';
import { freeDiskWarningBytes, freeDiskWrongBytes, portDefault } from '../contract/limits.ts';
import { verifyLedger } from '../store/ledger.ts';
import { jobDir, listInputUuids } from './job-folder.ts';
import type { World } from './world.ts';

/** What the checks need to know beside the world. */
interface Patient {
  readonly world: World;
  /** The port that the engine listens on; null where it has only its local socket. */
  readonly port: number | null;
}
type Finding = Omit<Check, 'name'>;

const ok = (detail: string): Finding => ({ state: 'ok', detail });
const warning = (detail: string): Finding => ({ state: 'warning', detail });
const wrong = (detail: string): Finding => ({ state: 'wrong', detail });
const othersMask = 0o077;
const shownMax = 3;

async function checkFolder({ world }: Patient): Promise<Finding> {
  try {
    await access(world.folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return wrong(`${world.folder} cannot be written. Give your user the right to write there.`);
  }
  return ok(world.folder);
}

async function checkPermissions({ world }: Patient): Promise<Finding> {
  if (process.platform === 'win32') return ok('kept by the user profile');
  const isOpen = (statSync(world.folder).mode & othersMask) !== 0;
  return isOpen
    ? warning(`Other users may look into the data folder. Run: chmod -R go= '${world.folder}'`)
    : ok('for your user alone');
}

async function checkStore({ world }: Patient): Promise<Finding> {
  const found = await world.reader.findDamage({ file: 'engine.db' });
  return found.length === 0
    ? ok(`whole, ${Math.ceil(statSync(join(world.folder, 'engine.db')).size / 1024 ** 2)} MB`)
    : wrong(`engine.db is damaged (${found.join('; ')}). Restore a backup: desk restore FILE`);
}

async function checkDirectory({ world }: Patient): Promise<Finding> {
  const found = await world.reader.findDamage({ file: 'directory.db' });
  return found.length === 0
    ? ok('whole')
    : wrong(`directory.db is damaged (${found.join('; ')}). Import your files again.`);
}

async function checkLedger({ world }: Patient): Promise<Finding> {
  const violations = verifyLedger(world.database);
  return violations.length === 0
    ? ok('every balance is the sum of its entries')
    : wrong(
        `${violations.length} violations: ${violations.slice(0, shownMax).join('; ')}. ` +
          'Restore a backup: desk restore FILE',
      );
}

async function checkJobs({ world }: Patient): Promise<Finding> {
  let jobCount = 0;
  const lost: string[] = [];
  for (const uuid of listInputUuids(world.database)) {
    jobCount += 1;
    if (!existsSync(join(jobDir(world.folder, uuid), 'input.csv'))) lost.push(uuid);
  }
  return lost.length === 0
    ? ok(`the rows of all ${jobCount} are there`)
    : wrong(
        `${lost.length} of ${jobCount} jobs, pipelines and monitors have lost their rows ` +
          `(${lost.slice(0, shownMax).join(', ')}): ` +
          'their CSV cannot be written. Restore a backup, or submit their files again.',
      );
}

/** Whether a port of this machine could be listened on now. */
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
        `${portDefault} is taken by another program. Start with another one: desk serve --port N`,
      );
}

async function checkDisk({ world }: Patient): Promise<Finding> {
  const { bavail, bsize } = await statfs(world.folder);
  const freeBytes = bavail * bsize;
  const detail = `${(freeBytes / 1024 ** 3).toFixed(1)} GB free`;
  if (freeBytes < freeDiskWrongBytes)
    return wrong(`${detail}: jobs will soon stop. Free some space on this disk.`);
  return freeBytes < freeDiskWarningBytes
    ? warning(`${detail}: free some space before a large job.`)
    : ok(detail);
}

async function checkThreads({ world }: Patient): Promise<Finding> {
  const fault = world.describeFault();
  return fault === null ? ok('all of them run') : wrong(fault);
}

async function checkKeychain({ world }: Patient): Promise<Finding> {
  const { place, detail } = await world.writer.describeSecretKey(null);
  return place === 'keychain' ? ok(detail) : warning(detail);
}

const checks: Readonly<Record<string, (patient: Patient) => Promise<Finding>>> = {
  'Data folder': checkFolder,
  Permissions: checkPermissions,
  'engine.db': checkStore,
  Directory: checkDirectory,
  Ledger: checkLedger,
  Jobs: checkJobs,
  Port: checkPort,
  'Disk space': checkDisk,
  Keychain: checkKeychain,
  Threads: checkThreads,
};

/**
 * Looks at everything; a check that itself fails is `wrong` with its message, so that the list is
 * always whole. Reads alone, but for a port that is tried and left again, and a key for secrets
 * that is made where there is none.
 * @param port the port that this engine listens on, null with the local socket alone
 */
export async function runDoctor(world: World, port: number | null): Promise<Check[]> {
  const found: Check[] = [];
  for (const [name, check] of Object.entries(checks)) {
    const finding = await check({ world, port }).catch((error: Error) => wrong(error.message));
    found.push({ name, ...finding });
  }
  return found;
}
