/** Why a shared directory cannot be used, and what to do next. */
import { DatabaseError } from 'pg';
import { EngineError } from '../../contract/errors.ts';
import type { SharedProblem } from '../../contract/shared/settings.ts';
import type { SharedAddress } from './shared-address.ts';

/** An expected failure of a shared directory. */
export class SharedFailure extends EngineError {
  override name = 'SharedFailure';
  readonly problem: SharedProblem;
  constructor(problem: SharedProblem, detail: string, options?: ErrorOptions) {
    super('unavailable', detail, options);
    this.problem = problem;
  }
}

type Named = Pick<SharedAddress, 'host' | 'port' | 'database' | 'user'>;

const serverOf = ({ host, port }: Named): string => `${host}:${port}`;

/** What to do about each kind of failure. No sentence has a text of the server in it. */
const sentences: Readonly<Record<SharedProblem, (address: Named) => string>> = {
  unreachable: (address) =>
    `No PostgreSQL server answers at ${serverOf(address)}. Check the address and the network, ` +
    'and that the server is running.',
  password: (address) =>
    `The server refused the password of ${address.user}. Enter it again; if it is right, ask who ` +
    'runs the server to let this user in from this machine.',
  certificate: (address) =>
    `The certificate of ${serverOf(address)} does not prove its name. Check the host in the ` +
    'address, and that sslrootcert names the certificate of its authority. Nothing was sent.',
  database: (address) =>
    `The server has no database called ${address.database}. Check its name, or create it.`,
  rights: (address) =>
    `${address.user} has no right to do this. Use a user with the right role: desk_reader to ` +
    'match, desk_queue for jobs and workers, desk_loader to load, desk_migrator to set up.',
  empty: (address) =>
    `${address.database} has no shared directory yet. Create one: desk shared init --url ADDRESS`,
  older: (address) =>
    `The tables of ${address.database} are older than this version of Enrichment Desk needs. ` +
    'Extend them, while the team works: desk shared init --url ADDRESS',
  secrets: () => 'The password cannot be read from the keychain. Unlock it, then try again.',
  format: () =>
    'The shared directory has another format than this version of Enrichment Desk reads. Install ' +
    'the version that your team uses, or load the directory again with this one.',
};

/** Creates the failure of a kind. */
export const sharedFailure = (
  problem: SharedProblem,
  address: Named,
  cause?: unknown,
): SharedFailure => new SharedFailure(problem, sentences[problem](address), { cause });

/** Codes of PostgreSQL (appendix A of its manual) by what they mean here. */
const byState: Readonly<Record<string, SharedProblem>> = {
  '28000': 'password',
  '28P01': 'password',
  '3D000': 'database',
  '42501': 'rights',
  '25006': 'rights',
  '42P01': 'empty',
  '3F000': 'empty',
  // The server is starting, stopping, or has no free connection.
  '57P01': 'unreachable',
  '57P02': 'unreachable',
  '57P03': 'unreachable',
  '53300': 'unreachable',
  // A column that a migration of this version adds.
  '42703': 'older',
};

/** What a server cannot do now, by the code or its class. A later try may succeed. */
const troubles: Readonly<Record<string, string>> = {
  '53100': 'its disk is full',
  '53200': 'it has no memory left',
  '57014': 'a statement took too long',
  '25P03': 'it took the connection for a dead one',
  '40': 'others changed the same rows',
  '53': 'it lacks resources',
  '58': 'it has a problem with its files',
};

const findTrouble = ({ code = '' }: DatabaseError): string | undefined =>
  troubles[code] ?? troubles[code.slice(0, 2)];

const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME)/;
const networkCode = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|EPIPE)/;
/** Errors of the client that have no code. */
const lostMessage =
  /Connection terminated|timeout exceeded|timeout expired|read timeout|not queryable/;

function findProblem(error: unknown): SharedProblem | null {
  if (error instanceof AggregateError) return findProblem(error.errors[0]);
  if (error instanceof DatabaseError) return byState[error.code ?? ''] ?? null;
  if (!(error instanceof Error)) return null;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (tlsCode.test(code) || error.message.includes('does not support SSL')) return 'certificate';
  return networkCode.test(code) || lostMessage.test(error.message) ? 'unreachable' : null;
}

/** An error of the client or the server as a failure; any other error as it is. */
export function explainShared(error: unknown, address: Named): unknown {
  if (error instanceof EngineError) return error;
  const problem = findProblem(error);
  if (problem) return sharedFailure(problem, address, error);
  const trouble = error instanceof DatabaseError && findTrouble(error);
  if (!trouble) return error;
  const detail = `The PostgreSQL server at ${serverOf(address)} cannot do this now: ${trouble}.`;
  return new SharedFailure('unreachable', detail, { cause: error });
}

/** Whether an error says that the server cannot be reached now, so that a later try may succeed. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof SharedFailure && error.problem === 'unreachable';
