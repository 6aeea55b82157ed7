/** The worker of an engine that matches for its team: started and stopped with the setting. */
import { hostname } from 'node:os';
import { EngineError } from '../../contract/errors.ts';
import { workerRefusedMs } from '../../contract/shared/limits.ts';
import type { SharedTest } from '../../contract/shared/settings.ts';
import { logFailure } from '../../platform/log-failure.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { superviseTeamWorker, type TeamWorker } from '../workers/supervise-team-worker.ts';
import { readSharedDirectory, type SharedDirectoryRow } from './shared-directory.table.ts';
import type { SharedLoginSecrets } from './shared-login.ts';

interface OwnWorkerDeps {
  readonly database: ReadableDatabase;
  /** Rejects with `secrets_unavailable`. */
  readLogin(row: SharedDirectoryRow): Promise<SharedLoginSecrets>;
}

export interface OwnWorker {
  describe(): SharedTest['own_worker'];
  /** Starts, restarts or stops it, as the setting says now. */
  follow(): void;
  stop(): Promise<void>;
}

const off: SharedTest['own_worker'] = { state: 'off', detail: null };

/** Creates it, and starts it if the setting says so. */
export function createOwnWorker({ database, readLogin }: OwnWorkerDeps): OwnWorker {
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
