// The client of PostgreSQL, which takes nothing on trust from what listens at an address: another
// program may hold the port. The password is used in SCRAM alone, which does not show it.
import { statSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { Client } from 'pg';
import { isSocket, type SharedAddress } from './shared-address.ts';

/** Why a login was refused before the password could be learned. */
export type LoginProblem =
  | 'clear_text'
  | 'md5'
  /** It asks for a login that this client does not have. */
  | 'other_login'
  /** It lets the user in without a proof that it knows the password. */
  | 'no_proof'
  /** SCRAM with so few rounds that its answer helps to guess the password. */
  | 'few_rounds'
  /** It does not know the password. */
  | 'wrong_proof'
  /** It does not speak the protocol of PostgreSQL. */
  | 'protocol';

export class LoginRefusal extends Error {
  readonly problem: LoginProblem;
  constructor(problem: LoginProblem, options?: ErrorOptions) {
    super(`login refused: ${problem}`, options);
    this.problem = problem;
  }
}

/** RFC 7677 asks servers for 4,096 at least, which is what PostgreSQL stores. */
const roundsMin = 4_096;

/** Bytes that a server may send before the login is complete. */
const loginBytesMax = 1 << 16;

/** What is used of the connection of a client. Its types leave it out. */
interface Wire {
  /** Another one once TLS has begun. */
  readonly stream: Duplex;
  attachListeners(stream: Duplex): void;
  on(event: string, act: (message: never) => void): unknown;
  emit(event: 'error', error: Error): unknown;
}

/** Whether no one else can put a socket into a folder. */
function isClosedFolder(path: string): boolean {
  const othersMayWrite = 0o002;
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (found.mode & othersMayWrite) === 0;
}

/** Whether a server must prove the password: without a certificate or an own socket folder. */
const needsProof = ({ host, tls }: SharedAddress): boolean =>
  tls === null && !(isSocket({ host }) && isClosedFolder(host));

/** Ends the connection of a server that does not keep the rules. Call before it connects. */
function guard(wire: Wire, mustProve: boolean): void {
  let isScram = false;
  let isChallenged = false;
  let isProven = false;
  let isIn = false;
  let loginBytes = 0;
  const refuse = (problem: LoginProblem, cause?: unknown) =>
    void wire.emit('error', new LoginRefusal(problem, { cause }));
  // Nothing can be written to a stream that is destroyed, whatever the client does next. The client
  // leaves that of a failed login open.
  const end = () => void wire.stream.destroy();
  wire.on('error', end);
  wire.on('errorMessage', () => isIn || end());
  wire.on('authenticationCleartextPassword', () => refuse('clear_text'));
  wire.on('authenticationMD5Password', () => refuse('md5'));
  wire.on('authenticationSASL', ({ mechanisms }: { mechanisms: readonly string[] }) => {
    isScram = mechanisms.some((name) => name.startsWith('SCRAM-SHA-256'));
    if (!isScram) refuse('other_login');
  });
  wire.on('authenticationSASLContinue', ({ data }: { data: string }) => {
    if (!isScram) refuse('protocol');
    isChallenged = isScram;
    const rounds = /(?:^|,)i=(\d+)/.exec(data)?.[1];
    if (rounds !== undefined && Number(rounds) < roundsMin) refuse('few_rounds');
  });
  wire.on('authenticationSASLFinal', () => {
    if (!isChallenged) refuse('protocol');
    // The client checks the proof next, and ends if it is wrong.
    isProven = isChallenged;
  });
  wire.on('readyForQuery', () => {
    if (mustProve && !isProven) refuse('no_proof');
    isIn = true;
  });
  const attach = wire.attachListeners.bind(wire);
  wire.attachListeners = (stream) => {
    const known = new Set(stream.listeners('data'));
    attach(stream);
    for (const read of stream.listeners('data')) {
      if (known.has(read)) continue;
      stream.off('data', read as (bytes: Buffer) => void);
      // The parser throws for what it does not know, which would end the program.
      stream.on('data', (bytes: Buffer) => {
        loginBytes += isIn ? 0 : bytes.length;
        if (loginBytes > loginBytesMax) return refuse('protocol');
        if (stream.destroyed) return;
        try {
          read(bytes);
        } catch (error) {
          const isLogin = error instanceof Error && error.message.includes('authenticationOk');
          refuse(isLogin ? 'other_login' : 'protocol', error);
        }
      });
    }
  };
}

export const guardedClient = (address: SharedAddress): typeof Client =>
  class GuardedClient extends Client {
    constructor(config?: ConstructorParameters<typeof Client>[0]) {
      super(config);
      const { connection } = this as unknown as { readonly connection: Wire };
      guard(connection, needsProof(address));
    }
  };
