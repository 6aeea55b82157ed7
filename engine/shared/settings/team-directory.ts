/**
 * The shared directory of an environment: its setting, its connection, and the runs of jobs over
 * it. The password is sealed by the environment's key, which is in the keychain.
 */
import { recordAudit } from '../../audit/record-audit.ts';
import { EngineError } from '../../contract/errors.ts';
import type { LayerCode } from '../../contract/jobs/layers.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import type { Secrets } from '../../secrets/encryption-key.ts';
import { SecretUnreadable } from '../../secrets/secret-box.ts';
import { openSharedConnection, type SharedConnection } from '../connection/open-connection.ts';
import { formatSharedAddress, parseSharedAddress } from '../connection/shared-address.ts';
import { openSharedPeople, type SharedPeople } from '../home/open-people.ts';
import { openSharedRun, type SharedRun } from '../queue/ask-shared.ts';
import { createTeamSearchCalls } from '../search/team-calls.ts';
import { describeProblem, readState } from './read-state.ts';
import type { SharedCalls } from './shared.commands.ts';
import {
  deleteSharedDirectory,
  putSharedDirectory,
  readSharedDirectory,
  type SharedDirectoryRow,
} from './shared-directory.table.ts';

/** What it needs from outside. */
export interface TeamDirectoryDeps {
  readonly database: WritableDatabase;
  readonly secrets: Secrets;
  now(): Date;
  nowMs(): number;
  /** Called after a change of the setting. */
  onChange(): void;
  /** How long a job tries a lost server before its rows wait; for tests. */
  readonly patienceMs?: number;
}

/** The shared directory of an environment. */
export interface TeamDirectory {
  readonly calls: SharedCalls;
  /** Opens the shared directory for a run of a job; undefined if there is none, or it is off. */
  openRun(jobUuid: string, layers: readonly LayerCode[]): Promise<SharedRun | undefined>;
  /**
   * Brings people home by UUID, and companies by their ids over there. Rejects with `unavailable`
   * if there is no shared directory, or it cannot be reached.
   */
  openPeople(uuids: readonly string[], companyIds?: readonly number[]): Promise<SharedPeople>;
  /** Whether the server can be reached now; true if none is on. */
  check(): Promise<boolean>;
  stop(): Promise<void>;
}

const identityOf = (address: string): string => `shared_directory:${address}`;

const passwordLost =
  'The password of the shared directory cannot be read any more. Enter it again under ' +
  'Connections, Team directory.';

const noDirectory =
  "These people are of the team's directory, which this engine does not use any more. Enter it " +
  'again under Connections, Team directory.';

/** Opens the connection of a setting, and keeps it until the setting changes. */
function openConnections({ database, secrets }: TeamDirectoryDeps) {
  let current: { readonly row: SharedDirectoryRow; readonly connection: SharedConnection } | null =
    null;
  const closing = new Set<Promise<void>>();
  const close = () => {
    if (!current) return;
    const ended = current.connection.close().catch(() => undefined);
    closing.add(ended);
    void ended.then(() => closing.delete(ended));
    current = null;
  };
  return {
    close,
    /** Resolves to null without a setting. */
    async open(): Promise<SharedConnection | null> {
      const row = readSharedDirectory(database);
      const isSame = row && current?.row.address === row.address;
      if (current && isSame && current.row.sealed.equals(row.sealed)) return current.connection;
      close();
      if (!row) return null;
      const box = await secrets.open();
      let password: string;
      try {
        password = box.open(row.sealed, identityOf(row.address));
      } catch (cause) {
        if (!(cause instanceof SecretUnreadable)) throw cause;
        throw new EngineError('secrets_unavailable', passwordLost, { cause });
      }
      const address = parseSharedAddress(row.address);
      current = { row, connection: openSharedConnection({ address, password }) };
      return current.connection;
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
  lostDetail: () => detail,
  forget: async () => undefined,
  stop: () => undefined,
  close: async () => undefined,
});

type Connections = ReturnType<typeof openConnections>;
type SearchCalls = ReturnType<typeof createTeamSearchCalls>['calls'];

/** The commands that change and test the setting. */
function createCalls(
  deps: TeamDirectoryDeps,
  connections: Connections,
): Omit<SharedCalls, keyof SearchCalls> {
  const { database, secrets, now } = deps;
  return {
    async changeSharedDirectory({ address: text, password, is_on: isOn }) {
      const address = formatSharedAddress(parseSharedAddress(text));
      const known = readSharedDirectory(database);
      const isKept = password === undefined && known?.address === address;
      if (!isKept && password === undefined)
        throw new EngineError('validation_error', 'Enter the password of the shared directory.');
      const sealed = isKept
        ? known.sealed
        : (await secrets.open()).seal(password ?? '', identityOf(address));
      const next = isOn ?? (known ? known.isOn === 1 : true);
      const at = now().toISOString();
      inTransaction(database, () => {
        putSharedDirectory(database, { address, sealed, isOn: Number(next), setAt: at });
        recordAudit(database, {
          ...{ action: 'shared_directory_set', accountId: null, at, subject: address },
          details: { on: [known ? known.isOn === 1 : null, next] },
        });
      });
      connections.close();
      deps.onChange();
    },
    async removeSharedDirectory() {
      const at = now().toISOString();
      inTransaction(database, () => {
        const known = readSharedDirectory(database);
        if (!known) throw new EngineError('not_found', 'There is no shared directory to remove.');
        deleteSharedDirectory(database);
        recordAudit(database, {
          ...{ action: 'shared_directory_removed', accountId: null, at, subject: known.address },
        });
      });
      connections.close();
      deps.onChange();
    },
    async testSharedDirectory() {
      try {
        const connection = await connections.open();
        return connection && (await readState(connection, deps.nowMs));
      } catch (error) {
        if (error instanceof EngineError) return describeProblem('secrets', error.detail);
        throw error;
      }
    },
  };
}

/** Creates the access. Nothing is connected before the first use. */
export function createTeamDirectory(deps: TeamDirectoryDeps): TeamDirectory {
  const { database, patienceMs } = deps;
  const connections = openConnections(deps);
  const search = createTeamSearchCalls({
    store: database,
    open: async () => (readSharedDirectory(database)?.isOn === 1 ? await connections.open() : null),
  });
  return {
    calls: { ...createCalls(deps, connections), ...search.calls },
    async openRun(jobUuid, layers) {
      if (readSharedDirectory(database)?.isOn !== 1) return undefined;
      try {
        const connection = await connections.open();
        const run = { store: database, ...(patienceMs !== undefined && { patienceMs }) };
        return connection ? openSharedRun({ connection, ...run }, jobUuid, layers) : undefined;
      } catch (error) {
        if (error instanceof EngineError) return waitingRun(error.detail);
        throw error;
      }
    },
    async openPeople(uuids, companyIds) {
      const connection = await connections.open();
      if (!connection) throw new EngineError('unavailable', noDirectory);
      return openSharedPeople(connection, database, uuids, companyIds);
    },
    async check() {
      if (readSharedDirectory(database)?.isOn !== 1) return true;
      try {
        const connection = await connections.open();
        await connection?.use((client) => client.query('SELECT 1'));
        return true;
      } catch (error) {
        if (error instanceof EngineError) return false;
        throw error;
      }
    },
    async stop() {
      await connections.stop();
      search.close();
    },
  };
}
