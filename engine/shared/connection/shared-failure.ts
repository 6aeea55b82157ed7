// Why a shared directory cannot be used, and what to do next.
import { DatabaseError } from 'pg';
import { EngineError } from '../../contract/errors.ts';
import type { SharedProblem } from '../../contract/shared/settings.ts';
import { type LoginProblem, LoginRefusal } from './guarded-client.ts';
import { isSocket, type SharedAddress } from './shared-address.ts';

export class SharedFailure extends EngineError {
  override name = 'SharedFailure';
  readonly problem: SharedProblem;
  constructor(problem: SharedProblem, detail: string, options?: ErrorOptions) {
    super('unavailable', detail, options);
    this.problem = problem;
  }
}

type Named = Pick<SharedAddress, 'host' | 'port' | 'database' | 'user'>;

const serverOf = ({ host, port }: Named): string =>
  isSocket({ host }) ? `${host}/.s.PGSQL.${port}` : `${host}:${port}`;

/** What has one sentence; that of a login depends on what the server did. */
type KnownProblem = Exclude<SharedProblem, 'login'>;

/** What to do about each kind of failure. No sentence has a text of the server in it. */
const sentences: Readonly<Record<KnownProblem, (address: Named) => string>> = {
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
    'read, desk_jobs for jobs, desk_queue for jobs and workers, desk_loader to load, ' +
    'desk_migrator to set up.',
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

export const sharedFailure = (
  problem: KnownProblem,
  address: Named,
  cause?: unknown,
): SharedFailure => new SharedFailure(problem, sentences[problem](address), { cause });

const useScram = (user: string): string =>
  'If it is your server, set password_encryption = scram-sha-256, then set the password of ' +
  `${user} again, and write scram-sha-256 as the method in pg_hba.conf.`;
const elseAnother = 'If it is not, another program uses its port: check that your server runs.';

/** What a server did in place of a login by SCRAM, and what to do. */
const logins: Readonly<Record<LoginProblem, (address: Named) => string>> = {
  clear_text: (address) =>
    `What answers at ${serverOf(address)} asks for the password in clear text, so it was not ` +
    `sent. ${useScram(address.user)} ${elseAnother}`,
  md5: (address) =>
    `What answers at ${serverOf(address)} asks for an MD5 hash of the password, from which the ` +
    `password can be found, so it was not sent. ${useScram(address.user)} ${elseAnother}`,
  other_login: (address) =>
    `What answers at ${serverOf(address)} asks for a login that Enrichment Desk does not have, ` +
    `so nothing was sent. ${useScram(address.user)} ${elseAnother}`,
  no_proof: (address) =>
    `What answers at ${serverOf(address)} asks for no password, so it does not prove that it is ` +
    `your server, and nothing was sent. If it is, write scram-sha-256 in place of trust in ` +
    `pg_hba.conf. ${elseAnother}`,
  few_rounds: (address) =>
    `What answers at ${serverOf(address)} stores the password so that it can be guessed, so ` +
    'nothing was sent. If it is your server, set scram_iterations = 4096 or more, then set the ' +
    `password of ${address.user} again. ${elseAnother}`,
  wrong_proof: (address) =>
    `What answers at ${serverOf(address)} does not prove that it knows the password of ` +
    `${address.user}, so it is not your server. Check the address, and that your server runs.`,
  protocol: (address) =>
    `What answers at ${serverOf(address)} does not speak the protocol of PostgreSQL. Check the ` +
    'host and the port, and that your server runs.',
};

/** What is wrong with the TLS of a server, by the code of the error. */
function explainCertificate({ code = '', message }: NodeJS.ErrnoException): string | null {
  if (/does not support SSL/.test(message))
    return 'offers no TLS. Switch it on: ssl = on in postgresql.conf';
  if (/establishing an SSL/.test(message))
    return 'does not begin TLS as PostgreSQL does. Check the host and the port';
  if (code === 'CERT_HAS_EXPIRED')
    return 'has a certificate that has expired. Give the server a new one, or check the clock here';
  if (code === 'CERT_NOT_YET_VALID')
    return 'has a certificate that is not valid yet. Check the clocks of both machines';
  return null;
}

/** Codes of PostgreSQL (appendix A of its manual) by what they mean here. */
const byState: Readonly<Record<string, KnownProblem>> = {
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

/** A statement waited for a lock of others for too long. */
const lockNotAvailable = '55P03';

export const isLockTimeout = (error: unknown): boolean =>
  error instanceof SharedFailure &&
  error.cause instanceof DatabaseError &&
  error.cause.code === lockNotAvailable;

/** What a server cannot do now, by the code or its class. A later try may succeed. */
const troubles: Readonly<Record<string, string>> = {
  '53100': 'its disk is full',
  '53200': 'it has no memory left',
  '57014': 'a statement took too long',
  [lockNotAvailable]: 'another login, or a load that runs, keeps what it needs locked',
  '25P03': 'it took the connection for a dead one',
  '40': 'others changed the same rows',
  '53': 'it lacks resources',
  '58': 'it has a problem with its files',
};

const findTrouble = ({ code = '' }: DatabaseError): string | undefined =>
  troubles[code] ?? troubles[code.slice(0, 2)];

const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME)/;
/** ENOENT and EACCES are of a socket file. */
const networkCode = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENET|EPIPE|ENOENT|EACCES)/;
/** Errors of the client that have no code. */
const lostMessage =
  /Connection terminated|timeout exceeded|timeout expired|read timeout|not queryable/;

function findLogin(error: unknown): LoginProblem | null {
  if (error instanceof LoginRefusal) return error.problem;
  // What the client finds in the messages of SCRAM.
  const isProof = error instanceof Error && /^SASL: SCRAM-SERVER-FINAL/.test(error.message);
  if (isProof) return 'wrong_proof';
  const isScram = error instanceof Error && /^SASL: (?!.*non-empty)/.test(error.message);
  return isScram ? 'protocol' : null;
}

function findProblem(error: unknown): KnownProblem | null {
  if (error instanceof AggregateError) return findProblem(error.errors[0]);
  if (error instanceof DatabaseError) return byState[error.code ?? ''] ?? null;
  if (!(error instanceof Error)) return null;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (tlsCode.test(code) || / SSL connection/.test(error.message)) return 'certificate';
  if (/^SASL: .*non-empty string/.test(error.message)) return 'password';
  return networkCode.test(code) || lostMessage.test(error.message) ? 'unreachable' : null;
}

/** An error of the client or the server as a failure; any other error as it is. */
export function explainShared(error: unknown, address: Named): unknown {
  if (error instanceof EngineError) return error;
  const login = findLogin(error);
  if (login) return new SharedFailure('login', logins[login](address), { cause: error });
  const problem = findProblem(error);
  const certificate = problem === 'certificate' && explainCertificate(error as Error);
  if (certificate)
    return new SharedFailure(
      'certificate',
      `The server at ${serverOf(address)} ${certificate}. Nothing was sent.`,
      { cause: error },
    );
  if (problem) return sharedFailure(problem, address, error);
  const trouble = error instanceof DatabaseError && findTrouble(error);
  if (!trouble) return error;
  const detail =
    `The PostgreSQL server at ${serverOf(address)} cannot do this now: ${trouble}. ` +
    'Try again later; if it stays so, ask who runs the server.';
  return new SharedFailure('unreachable', detail, { cause: error });
}

/** Whether an error says that the server cannot be reached now, so that a later try may succeed. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof SharedFailure && error.problem === 'unreachable';
