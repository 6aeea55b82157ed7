// Connections to a shared directory.
import { readFileSync } from 'node:fs';
import { checkServerIdentity } from 'node:tls';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { EngineError } from '../../contract/errors.ts';
import {
  sharedArrivalMs,
  sharedConnectionsMax,
  sharedConnectMs,
  sharedKeepAliveMs,
  sharedLockMs,
  sharedStatementMs,
} from '../../contract/shared/limits.ts';
import { guardedClient } from './guarded-client.ts';
import type { SharedAddress } from './shared-address.ts';
import { explainShared } from './shared-failure.ts';

export interface SharedLogin {
  readonly address: SharedAddress;
  readonly password: string;
}

export interface SharedConnection {
  readonly address: SharedAddress;
  readonly pool: Pool;
  /** Calls `act` with a connection. Rejects with SharedFailure if the failure is expected. */
  use<Result>(act: (client: PoolClient) => Promise<Result>): Promise<Result>;
  /** A transaction, rolled back if the call rejects. @param begin the statement that begins it */
  transact<Result>(act: (client: PoolClient) => Promise<Result>, begin?: string): Promise<Result>;
  close(): Promise<void>;
}

function readAuthorities(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new EngineError('validation_error', `sslrootcert: ${path} cannot be read.`, { cause });
  }
}

function tlsOptions({ host, tls }: SharedAddress): PoolConfig['ssl'] {
  if (!tls) return false;
  const { authorities } = tls;
  return {
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(authorities === 'system' ? {} : { ca: readAuthorities(authorities) }),
    // The name in the address, also if it is an IP address.
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
  };
}

export interface ConnectionOptions {
  readonly connectionsMax?: number;
  /** The longest statement in milliseconds; 0 for none, as loading needs. */
  readonly statementMs?: number;
  /** How long a statement waits for a lock of others, in milliseconds. */
  readonly lockMs?: number;
  readonly arrivalMs?: number;
}

/**
 * Every query reads by an index in milliseconds: to start other processes for it, or to compile it,
 * would take longer. The planner thinks otherwise, as it expects more of a list of ids.
 */
const sessionOptions = ['search_path=desk', 'max_parallel_workers_per_gather=0', 'jit=off'];

/** Opens a pool. Connects at the first use. Throws `validation_error` for an unreadable CA file. */
export function openSharedConnection(
  { address, password }: SharedLogin,
  {
    connectionsMax = sharedConnectionsMax,
    statementMs = sharedStatementMs,
    lockMs = sharedLockMs,
    arrivalMs = sharedArrivalMs,
  }: ConnectionOptions = {},
): SharedConnection {
  const { host, port, database, user } = address;
  const pool = new Pool({
    host,
    port,
    database,
    user,
    ssl: tlsOptions(address),
    Client: guardedClient(address),
    // A function, so that the client takes none from the environment or a file.
    password: () => password,
    // A server with a certificate proves in SCRAM that no one else presents it.
    enableChannelBinding: address.tls !== null,
    max: connectionsMax,
    connectionTimeoutMillis: sharedConnectMs,
    // Notices a server that vanished while its answer is awaited, as by a network that is gone.
    keepAlive: true,
    keepAliveInitialDelayMillis: sharedKeepAliveMs,
    statement_timeout: statementMs,
    // What is sent into a network that is gone is repeated by the system for 15 minutes.
    ...(statementMs > 0 && { query_timeout: statementMs + arrivalMs }),
    application_name: 'enrichment-desk',
    options: [...sessionOptions, `lock_timeout=${lockMs}`].map((one) => `-c ${one}`).join(' '),
    allowExitOnIdle: true,
  });
  // A connection that the server ends is replaced at the next use; what it was used for rejects.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const use: SharedConnection['use'] = async (act) => {
    let client: PoolClient | null = null;
    try {
      client = await pool.connect();
      const result = await act(client);
      client.release();
      return result;
    } catch (error) {
      // A connection in an unknown state is not used again.
      client?.release(true);
      throw explainShared(error, address);
    }
  };
  return {
    address,
    pool,
    use,
    transact: (act, begin = 'BEGIN') =>
      use(async (client) => {
        await client.query(begin);
        const result = await act(client);
        await client.query('COMMIT');
        return result;
      }),
    close: () => pool.end(),
  };
}
