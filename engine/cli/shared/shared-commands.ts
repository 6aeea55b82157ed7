// `desk shared init`, `load`, `update`, `undo` and `status`: the directory of a team.
import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sharedBuckets } from '../../contract/shared/limits.ts';
import { importDirectory } from '../../directory/import/import-directory.ts';
import { openDirectory, openDirectoryReadable } from '../../directory/open-directory.ts';
import { requireDatabases } from '../../maintenance/check-databases.ts';
import { lockWhenFree } from '../../platform/folder-handover.ts';
import { migrationsDir } from '../../platform/paths.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { openStore } from '../../platform/sqlite/open-store.ts';
import type { SharedConnection } from '../../shared/connection/open-connection.ts';
import { parseSharedAddress } from '../../shared/connection/shared-address.ts';
import type { Distribution } from '../../shared/layout/distribute-tables.ts';
import { layoutOf, type SharedLayout } from '../../shared/layout/shared-layout.ts';
import {
  type LoadProgress,
  type LoadReport,
  loadDirectory,
  undoLastLoad,
} from '../../shared/load/load-directory.ts';
import { migrateShared } from '../../shared/migrations/migrate-shared.ts';
import { readSharedStatus, type SharedStatus } from '../../shared/read-status.ts';
import { createTeamDatabase } from '../../shared/roles/create-database.ts';
import {
  type Call,
  type Command,
  type Outcome,
  readOption,
  requireOption,
} from '../kit/command.ts';
import { formatBytes, formatCount, formatNumber, formatTable } from '../kit/format-text.ts';
import { createProgress, type Progress } from '../kit/progress.ts';
import { readInPath, readOutPath } from '../kit/read-paths.ts';
import { badUsage } from '../kit/refusal.ts';
import { stopOnInterrupt } from '../kit/stop-on-interrupt.ts';
import {
  createSecretFile,
  readFolder,
  readPassword,
  readSecretFile,
  secretOptions,
  sharedOptions,
  withShared,
} from './open-shared.ts';

/** How --distributed and --buckets distribute the tables; null for one table each. */
function readDistribution(call: Call): Distribution | null {
  const text = readOption(call, 'buckets');
  if (call.values.distributed !== true) {
    if (text !== undefined) throw badUsage('--buckets needs --distributed.');
    return null;
  }
  if (text === undefined) return { buckets: null };
  const buckets = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (buckets < 2 || buckets > sharedBuckets.max)
    throw badUsage(`--buckets ${text} is not a number from 2 to ${sharedBuckets.max}.`);
  return { buckets };
}

const describeLayout = ({ buckets }: SharedLayout): string[] => {
  if (!buckets) return [];
  const count = formatNumber(buckets.values.length, 'bucket');
  return [
    buckets.isOnCitus
      ? `People are in ${count}, which are shards of Citus.`
      : `People are in ${count}, which are partitions on this server: it has no Citus extension.`,
  ];
};

/** The database of every server, from which another one is created. */
const maintenanceDatabase = 'postgres';

const runInit = async (call: Call): Promise<Outcome> => {
  const distribution = readDistribution(call);
  readOutPath(call, 'secret-file');
  const password = await readPassword(call);
  const create = async (connection: SharedConnection): Promise<Outcome> => {
    const migrations = await migrateShared(connection, migrationsDir('shared'), distribution);
    const layout = await connection.use(layoutOf);
    const isNew = createSecretFile(call);
    if (isNew)
      call.terminal.note('Copy the secret file to every engine and worker of the team; keep it.');
    return {
      json: {
        migrations,
        secret_created: isNew,
        ...(layout.buckets && {
          buckets: layout.buckets.values.length,
          is_on_citus: layout.buckets.isOnCitus,
        }),
      },
      lines: [
        migrations === 0
          ? 'The tables already exist.'
          : `${formatNumber(migrations, 'migration')} done.`,
        ...describeLayout(layout),
      ],
    };
  };
  if (call.values.create === true) {
    const { database } = parseSharedAddress(requireOption(call, 'url', 'the address'));
    const add = (connection: SharedConnection) => createTeamDatabase(connection, database);
    await withShared(call, add, password, maintenanceDatabase);
  }
  return withShared(call, create, password);
};

const labels: Readonly<Record<LoadProgress['phase'], string>> = {
  people: 'Reading people',
  tables: 'Writing tables and keys',
};

/**
 * Creates the databases of an engine in a new folder: one with people alone would be refused as
 * damaged. Throws `database_missing` if the folder has lost them.
 */
function prepareFolder(folder: string): void {
  if (existsSync(join(folder, 'directory.db'))) return;
  requireDatabases('live', folder);
  openStore(folder).close();
}

async function importLists(call: Call, folder: string, progress: Progress): Promise<string | null> {
  const [people] = call.positionals;
  const companies = readOption(call, 'companies');
  if (people === undefined && companies === undefined) return null;
  const peoplePath = people === undefined ? undefined : readInPath(call, people);
  const companiesPath = companies === undefined ? undefined : readInPath(call, companies);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = await lockWhenFree(folder, { asks: true, onWait: call.terminal.note });
  let db: WritableDatabase | null = null;
  try {
    prepareFolder(folder);
    db = openDirectory(folder);
    await importDirectory(
      db,
      {
        peoplePath,
        companiesPath,
        source: readOption(call, 'source'),
      },
      (done, total, name) => progress.show({ label: name, done, total, unit: 'rows' }),
    );
    return readOption(call, 'source') ?? basename(people ?? companies ?? '');
  } finally {
    db?.close();
    lock.release();
  }
}

const describeLoad = ({ people, changedPeople, importId, generation }: LoadReport): Outcome => ({
  json: { import_id: importId, generation, people, changed_people: changedPeople },
  lines: [
    `${formatCount(changedPeople)} of ${formatCount(people)} people changed: ` +
      `import ${importId}, generation ${generation}.`,
  ],
});

const runLoad =
  (expects: 'empty' | 'people') =>
  (call: Call): Promise<Outcome> =>
    withShared(call, async (connection) => {
      const secret = readSecretFile(call);
      const folder = readFolder(call);
      const progress = createProgress(call.terminal);
      const source = (await importLists(call, folder, progress)) ?? folder;
      if (!existsSync(join(folder, 'directory.db')))
        throw badUsage(`${folder} has no directory.db. Name lists, or another folder with --from.`);
      const db = openDirectoryReadable(folder);
      try {
        const stopped = 'The shared directory is as it was.';
        const report = await stopOnInterrupt(call, stopped, (signal) =>
          loadDirectory(connection, db, {
            secret,
            source,
            expects,
            signal,
            onProgress: ({ phase, done, total }) =>
              progress.show({ label: labels[phase], done, total, unit: 'people' }),
          }),
        );
        return describeLoad(report);
      } finally {
        progress.end();
        db.close();
      }
    });

const runUndo = (call: Call): Promise<Outcome> =>
  withShared(call, async (connection) => {
    const { importId, generation, people } = await undoLastLoad(connection, readSecretFile(call));
    return {
      json: { import_id: importId, generation, people },
      lines: [
        `Import ${importId} is undone: ${formatCount(people)} people, ` +
          `generation ${generation}.`,
      ],
    };
  });

function describeStatus(status: SharedStatus): string[] {
  const imports = status.imports.map((one) => [
    `  ${one.import_id}`,
    one.undone_at === null ? 'loaded' : 'undone',
    one.source,
    one.created_at,
    `${formatCount(one.changed_people)} changed`,
  ]);
  const buckets = status.buckets === null ? '' : ` in ${status.buckets} buckets`;
  return [
    ...(imports.length === 0 ? [] : ['Imports:', ...formatTable(imports)]),
    `${formatCount(status.people)} people, ${formatCount(status.companies)} companies, ` +
      `${formatBytes(status.bytes)}${buckets}, ` +
      `generation ${status.generation}.`,
  ];
}

const runStatus = (call: Call): Promise<Outcome> =>
  withShared(call, async (connection) => {
    const status = await readSharedStatus(connection);
    return { json: status, lines: describeStatus(status) };
  });

const loadOptions = {
  ...secretOptions,
  from: { value: 'DIR', summary: 'the folder whose directory.db is loaded (default: --data-dir)' },
  companies: { value: 'FILE', summary: 'a list of companies to import into it first' },
  source: { value: 'NAME', summary: "the name of the lists' source" },
} as const;
const loadNotes = [
  'Lists are imported into the directory.db of --from first, by the same rules as any import.',
  'The password is read from PGPASSWORD, or asked for.',
];

export const sharedCommands: readonly Command[] = [
  {
    name: 'shared init',
    summary: "Create the tables of a team's directory on PostgreSQL",
    options: {
      ...secretOptions,
      create: { summary: 'create the database first, closed to logins that are not let in' },
      distributed: { summary: 'put people into buckets: shards where the server has Citus' },
      buckets: {
        value: 'N',
        summary: `how many, for --distributed (default: ${sharedBuckets.usual}); never changes`,
      },
    },
    notes: ['Repeating it adds what a newer version needs.'],
    run: runInit,
  },
  {
    name: 'shared load',
    summary: "Fill a team's directory from a directory or from lists",
    args: '[PEOPLE.csv]',
    options: loadOptions,
    notes: loadNotes,
    run: runLoad('empty'),
  },
  {
    name: 'shared update',
    summary: "Update a team's directory with what changed in a directory",
    args: '[PEOPLE.csv]',
    options: loadOptions,
    notes: [...loadNotes, 'Only people who changed are written. It can be undone.'],
    run: runLoad('people'),
  },
  {
    name: 'shared undo',
    summary: "Undo the last load or update of a team's directory",
    options: secretOptions,
    run: runUndo,
  },
  {
    name: 'shared status',
    summary: "Show what a team's directory holds, and its loads",
    options: sharedOptions,
    run: runStatus,
  },
];
