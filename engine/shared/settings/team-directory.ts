// The shared directory of an environment: setting, connection, runs of jobs, the worker.
import { hostname } from 'node:os';
import { recordAudit } from '../../audit/record-audit.ts';
import { EngineError, invalid, notFound } from '../../contract/errors.ts';
import type { LayerCode } from '../../contract/jobs/layers.ts';
import { workerRefusedMs } from '../../contract/shared/limits.ts';
import type {
  SharedDirectoryChange,
  SharedProblem,
  SharedTest,
} from '../../contract/shared/settings.ts';
import { logFailure } from '../../platform/log-failure.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import type { KeepDeps } from '../../secrets/kept-secret.ts';
import { markUnused, unmarkUnused } from '../../secrets/unused-entry.table.ts';
import { openSharedConnection, type SharedConnection } from '../connection/open-connection.ts';
import { formatSharedAddress, isSocket, parseSharedAddress } from '../connection/shared-address.ts';
import { SharedFailure, sharedFailure } from '../connection/shared-failure.ts';
import { sharedFormat } from '../generation.ts';
import { checkTables } from '../migrations/migrate-shared.ts';
import { openSharedRun, type SharedRun } from '../queue/ask-shared.ts';
import { createEndedJobs, type EndedJobs } from '../queue/ended-jobs.ts';
import { workerApplication } from '../queue/queue-worker.ts';
import { createWorkerWatch } from '../queue/worker-watch.ts';
import { openSharedPeople, type SharedPeople } from '../records/open-people.ts';
import { sharedSchema } from '../roles/create-roles.ts';
import { createTeamSearchCalls, type TeamSearchCalls } from '../search/team-calls.ts';
import { superviseTeamWorker, type TeamWorker } from '../workers/supervise-team-worker.ts';
import {
  deleteSharedDirectory,
  putSharedDirectory,
  readSharedDirectory,
  type SharedDirectoryRow,
} from './shared-directory.table.ts';
import { keepLogin, readLogin, type SharedLoginSecrets } from './shared-login.ts';

interface OwnWorkerDeps {
  readonly database: ReadableDatabase;
  /** Rejects with `secrets_unavailable`. */
  readLogin(row: SharedDirectoryRow): Promise<SharedLoginSecrets>;
}

interface OwnWorker {
  describe(): SharedTest['own_worker'];
  follow(): void;
  stop(): Promise<void>;
}

const off: SharedTest['own_worker'] = { state: 'off', detail: null };

function createOwnWorker({ database, readLogin }: OwnWorkerDeps): OwnWorker {
  let state = off;
  let worker: TeamWorker | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** Changes of the setting, one after another. */
  let last: Promise<void> = Promise.resolve();
  const refuse = (detail: string) => {
    state = { state: 'refused', detail };
  };
  const start = (address: string, { password, secret }: SharedLoginSecrets) => {
    if (secret === null) return refuse('The secret of the keys is not known.');
    const name = `${hostname()}, app`;
    worker = superviseTeamWorker({
      login: { address, password, secret, name },
      retriesRefusal: true,
      onStart() {
        if (state.state !== 'refused') state = { state: 'running', detail: null };
      },
      onReport(report) {
        if (report.kind === 'failed') refuse(report.detail);
        else if (report.kind === 'answered') state = { state: 'running', detail: null };
      },
      onEnd(how) {
        if (state.state !== 'refused')
          console.error(`The worker of the team ended (${how}). Another takes its place.`);
      },
    });
  };
  const apply = async () => {
    clearTimeout(timer);
    await worker?.stop();
    worker = null;
    state = off;
    const row = isStopped ? undefined : readSharedDirectory(database);
    if (row?.matchesHere !== 1) return;
    state = { state: 'starting', detail: null };
    try {
      const login = await readLogin(row);
      if (!isStopped) start(row.address, login);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      refuse(error.detail);
      // The keychain may be unlocked later.
      timer = setTimeout(follow, workerRefusedMs).unref();
    }
  };
  const follow = () => {
    last = last
      .then(apply)
      .catch((error: unknown) => logFailure('the worker of the team did not start', error));
  };
  follow();
  return {
    describe: () => state,
    follow,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      follow();
      await last;
    },
  };
}

type ServerState = Omit<SharedTest, 'own_worker'>;

const unknown = {
  answer_ms: null,
  people: null,
  generation: null,
  workers: null,
  waiting_batches: null,
  lag_seconds: null,
};

const describeProblem = (problem: SharedProblem, detail: string): ServerState => ({
  is_ready: false,
  problem,
  detail,
  ...unknown,
});

interface StateRow {
  readonly workers: number;
  readonly batches: number;
  readonly lag: number | null;
}

const stateSql = `
  SELECT (SELECT count(DISTINCT (usename, client_addr, pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = '${workerApplication}')::int
      AS workers,
    count(*)::int AS batches,
    extract(epoch FROM now() - min(created_at))::float8 AS lag
  FROM match_batch`;

const generationSql =
  'SELECT number::float8 AS number, people::float8 AS people, format FROM generation';

/** Connects, checks the tables, and reads the state. Rejects only for bugs. */
async function readState(connection: SharedConnection, nowMs: () => number): Promise<ServerState> {
  try {
    await checkTables(connection);
    const startMs = nowMs();
    await connection.use((client) => client.query('SELECT 1'));
    const answerMs = nowMs() - startMs;
    return await connection.use(async (client) => {
      const { rows } = await client.query<StateRow>(stateSql);
      const { rows: known } = await client.query<{ isThere: boolean }>(
        `SELECT to_regclass('${sharedSchema}.generation') IS NOT NULL AS "isThere"`,
      );
      const { rows: generations } = known[0]?.isThere
        ? await client.query<{ number: number; people: number; format: number }>(generationSql)
        : { rows: [] };
      const [state] = rows;
      const [generation] = generations;
      if (generation && generation.format !== sharedFormat)
        throw sharedFailure('format', connection.address);
      return {
        is_ready: true,
        problem: null,
        detail: 'The shared directory is ready.',
        answer_ms: answerMs,
        people: generation?.people ?? null,
        generation: generation?.number ?? null,
        workers: state?.workers ?? null,
        waiting_batches: state?.batches ?? null,
        lag_seconds: state?.lag ?? null,
      };
    });
  } catch (error) {
    if (error instanceof SharedFailure) return describeProblem(error.problem, error.detail);
    throw error;
  }
}

export type SharedCalls = ReturnType<typeof createCalls> & TeamSearchCalls;

export interface TeamDirectoryDeps extends KeepDeps {
  now(): Date;
  nowMs(): number;
  onChange(): void;
  hasEnded(uuid: string): boolean;
  /** How long a job tries a lost server before its rows wait; for tests. */
  readonly patienceMs?: number;
  /** How long the queue may be without a worker; for tests. */
  readonly workerPatienceMs?: number;
}

export interface SharedRunOptions {
  /** Whether its rows wait if no worker answers; otherwise it asks until it is stopped. */
  readonly leavesSilence?: boolean;
}

export interface TeamDirectory {
  readonly calls: SharedCalls;
  /** Opens the shared directory for a run of a job; undefined if there is none, or it is off. */
  openRun(
    jobUuid: string,
    layers: readonly LayerCode[],
    options?: SharedRunOptions,
  ): Promise<SharedRun | undefined>;
  /**
   * Fetches people by UUID, and companies by their ids in the team's directory. Rejects with
   * `unavailable` if there is no shared directory, or it cannot be reached.
   */
  openPeople(uuids: readonly string[], companyIds?: readonly number[]): Promise<SharedPeople>;
  /** Whether the server can be reached now; true if none is on. */
  check(): Promise<boolean>;
  /** Whether a job that waits for a worker may go on; true if no shared directory is on. */
  checkWorkers(jobUuid: string): Promise<boolean>;
  /** Deletes what jobs that have ended left at the server. Never rejects. */
  clearEnded(): Promise<void>;
  stop(): Promise<void>;
}

const noDirectory =
  "These people are of the team's directory, which this engine does not use any more. Enter it " +
  'again under Connections, Team directory.';

/** Opens the connection of a setting, and keeps it until the setting changes. */
function openConnections(deps: TeamDirectoryDeps) {
  let current: { readonly address: string; readonly opened: Promise<SharedConnection> } | null =
    null;
  const closing = new Set<Promise<void>>();
  const close = () => {
    if (!current) return;
    const ended = current.opened.then((connection) => connection.close()).catch(() => undefined);
    closing.add(ended);
    void ended.then(() => closing.delete(ended));
    current = null;
  };
  const connect = async (row: SharedDirectoryRow) => {
    const { password } = await readLogin(deps, row);
    return openSharedConnection({ address: parseSharedAddress(row.address), password });
  };
  return {
    close,
    /** Resolves to null without a setting. Rejects with `secrets_unavailable`. */
    async open(): Promise<SharedConnection | null> {
      const row = readSharedDirectory(deps.database);
      // A change closes the connection.
      if (!current || current.address !== row?.address) close();
      if (!row) return null;
      current ??= { address: row.address, opened: connect(row) };
      const own = current;
      // A login that could not be read is read again the next time.
      own.opened.catch(() => {
        if (current === own) current = null;
      });
      return own.opened;
    },
    async stop() {
      close();
      await Promise.all(closing);
    },
  };
}

/** A run that waits: the password cannot be read now. */
const waitingRun = (detail: string): SharedRun => ({
  ask: async () => ({ kind: 'unreachable', detail }),
  loss: () => ({ reason: 'unavailable', detail }),
  hasAnswered: () => false,
  forget: async () => undefined,
  stop: () => undefined,
  close: async () => false,
});

type Connections = ReturnType<typeof openConnections>;

async function mergeSetting(
  deps: TeamDirectoryDeps,
  {
    address: text,
    password,
    secret,
    is_on: isOn,
    matches_here: matchesHere,
  }: SharedDirectoryChange,
): Promise<SharedDirectoryRow> {
  const parsed = parseSharedAddress(text);
  const address = formatSharedAddress(parsed);
  const known = readSharedDirectory(deps.database);
  const same = known?.address === address ? known : undefined;
  // A server may let the own user in by its socket file.
  if (!same && password === undefined && !isSocket(parsed))
    throw invalid('Enter the password of the shared directory.');
  const isKept = same && password === undefined && secret === undefined;
  const before = isKept || !same ? null : await readLogin(deps, same).catch(() => null);
  const login = {
    password: password ?? before?.password ?? (!same && isSocket(parsed) ? '' : undefined),
    secret: secret ?? before?.secret ?? null,
  };
  const hasSecret = isKept ? same.hasSecret === 1 : login.secret !== null;
  const matches = matchesHere ?? (hasSecret && same?.matchesHere === 1);
  if (matches && !hasSecret) throw invalid(needsSecret);
  if (!isKept && login.password === undefined)
    throw new EngineError('secrets_unavailable', 'Enter the password of the shared directory too.');
  const kept = isKept
    ? same
    : await keepLogin(
        deps,
        address,
        { ...login, password: login.password ?? '' },
        same?.entry ?? null,
      );
  return {
    ...(kept.entry === null
      ? { entry: null, sealed: kept.sealed }
      : { entry: kept.entry, sealed: null }),
    address,
    hasSecret: Number(hasSecret),
    matchesHere: Number(matches),
    isOn: Number(isOn ?? (known ? known.isOn === 1 : true)),
    setAt: deps.now().toISOString(),
  };
}

const needsSecret =
  "Matching on this computer needs the secret of the team's keys. Enter the text of its secret " +
  'file.';

/** Marks the entry of a setting as unused. Call in the transaction that replaces it. */
function dropEntry({ database }: TeamDirectoryDeps, keptEntry: string | null): void {
  const entry = readSharedDirectory(database)?.entry ?? null;
  if (entry !== null && entry !== keptEntry) markUnused(database, entry);
}

function createCalls(
  deps: TeamDirectoryDeps,
  connections: Connections,
  { worker, apply }: { readonly worker: OwnWorker; apply(): void },
) {
  const { database, keychain, now } = deps;
  /** Deletes an entry; where the keychain does not respond, it stays marked. */
  const deleteEntry = async (entry: string | null | undefined) => {
    if (!entry) return;
    const isGone = await keychain.delete(entry).then(
      () => true,
      () => false,
    );
    if (isGone) unmarkUnused(database, entry);
  };
  return {
    /**
     * Rejects with `validation_error` for an address that is not allowed or has no password, and
     * for a worker without a secret, and with `secrets_unavailable`.
     */
    async changeSharedDirectory(change: SharedDirectoryChange) {
      const row = await mergeSetting(deps, change);
      const known = readSharedDirectory(database);
      inTransaction(database, () => {
        dropEntry(deps, row.entry);
        putSharedDirectory(database, row);
        if (row.entry !== null) unmarkUnused(database, row.entry);
        recordAudit(database, {
          action: 'shared_directory_set',
          accountId: null,
          at: row.setAt,
          subject: row.address,
          details: {
            on: [known ? known.isOn === 1 : null, row.isOn === 1],
            matches_here: [known ? known.matchesHere === 1 : null, row.matchesHere === 1],
          },
        });
      });
      if (known?.entry !== row.entry) await deleteEntry(known?.entry);
      apply();
    },
    async removeSharedDirectory(_command: null) {
      const at = now().toISOString();
      const known = readSharedDirectory(database);
      inTransaction(database, () => {
        if (!known) throw notFound('There is no shared directory to remove.');
        dropEntry(deps, null);
        deleteSharedDirectory(database);
        recordAudit(database, {
          action: 'shared_directory_removed',
          accountId: null,
          at,
          subject: known.address,
        });
      });
      await deleteEntry(known?.entry);
      apply();
    },
    /** Never rejects because of the server. Null without a setting. */
    async testSharedDirectory(_command: null): Promise<SharedTest | null> {
      const own_worker = worker.describe();
      try {
        const connection = await connections.open();
        return connection && { ...(await readState(connection, deps.nowMs)), own_worker };
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        return { ...describeProblem('secrets', error.detail), own_worker };
      }
    },
  };
}

/** A run that deletes what it leaves at its end, also if the setting changes at that moment. */
function clearAtEnd(
  run: SharedRun,
  jobUuid: string,
  ended: EndedJobs,
  clearEnded: () => Promise<void>,
): SharedRun {
  ended.open(jobUuid);
  return {
    ...run,
    async close(hasEnded) {
      const isClear = await run.close(hasEnded);
      ended.close(jobUuid, { isClear, hasEnded });
      if (hasEnded && !isClear) await clearEnded();
      return isClear;
    },
  };
}

function createRuns(deps: TeamDirectoryDeps, connections: Connections) {
  const { database, patienceMs, workerPatienceMs } = deps;
  const ended = createEndedJobs(deps.hasEnded);
  const isOn = () => readSharedDirectory(database)?.isOn === 1;
  let isStopped = false;
  let watch = createWorkerWatch(workerPatienceMs);
  const openWatched = (
    connection: SharedConnection,
    jobUuid: string,
    layers: readonly LayerCode[],
    leavesSilence: boolean,
  ): SharedRun => {
    const options = { store: database, ...(patienceMs !== undefined && { patienceMs }) };
    const watched = { connection, ...options, watch: leavesSilence ? watch : undefined };
    const run = clearAtEnd(openSharedRun(watched, jobUuid, layers), jobUuid, ended, clearEnded);
    void ended.clear(connection);
    return run;
  };
  /** Resolves to what `act` does; true if none is on, false if it cannot be used now. */
  const checkBy = async (act: (connection: SharedConnection) => Promise<boolean>) => {
    if (isStopped || !isOn()) return true;
    try {
      const connection = await connections.open();
      return connection ? await act(connection) : true;
    } catch (error) {
      if (error instanceof EngineError) return false;
      throw error;
    }
  };
  const clearEnded = async () => {
    await checkBy(async (connection) => {
      await ended.clear(connection);
      return true;
    });
  };
  const calls: Pick<TeamDirectory, 'openRun' | 'check' | 'checkWorkers' | 'clearEnded'> = {
    async openRun(jobUuid, layers, { leavesSilence = false } = {}) {
      if (!isOn()) return undefined;
      try {
        const connection = await connections.open();
        return connection ? openWatched(connection, jobUuid, layers, leavesSilence) : undefined;
      } catch (error) {
        if (error instanceof EngineError) return waitingRun(error.detail);
        throw error;
      }
    },
    check: () =>
      checkBy((connection) =>
        connection.use(async (client) => {
          await client.query('SELECT 1');
          return true;
        }),
      ),
    checkWorkers: (jobUuid) => checkBy((connection) => watch.mayGoOn(connection, jobUuid)),
    clearEnded,
  };
  return {
    calls,
    stop() {
      isStopped = true;
    },
    /** Forgets what is known of workers: another server has others. */
    reset() {
      watch = createWorkerWatch(workerPatienceMs);
    },
  };
}

/** Creates the access. Nothing but a worker of the engine connects before the first use. */
export function createTeamDirectory(deps: TeamDirectoryDeps): TeamDirectory {
  const { database } = deps;
  const connections = openConnections(deps);
  const runs = createRuns(deps, connections);
  const worker = createOwnWorker({ database, readLogin: (row) => readLogin(deps, row) });
  const search = createTeamSearchCalls({
    store: database,
    open: async () => (readSharedDirectory(database)?.isOn === 1 ? await connections.open() : null),
  });
  const apply = () => {
    connections.close();
    runs.reset();
    worker.follow();
    deps.onChange();
  };
  return {
    calls: { ...createCalls(deps, connections, { worker, apply }), ...search.calls },
    ...runs.calls,
    async openPeople(uuids, companyIds) {
      const connection = await connections.open();
      if (!connection) throw new EngineError('unavailable', noDirectory);
      return openSharedPeople(connection, database, uuids, companyIds);
    },
    async stop() {
      runs.stop();
      await Promise.all([worker.stop(), connections.stop()]);
      search.close();
    },
  };
}
