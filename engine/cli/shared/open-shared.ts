// Connects the commands of `desk shared` to the shared directory, with its password and secret.
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import {
  openSharedConnection,
  type SharedConnection,
} from '../../shared/connection/open-connection.ts';
import { parseSharedAddress } from '../../shared/connection/shared-address.ts';
import { secretBytes } from '../../shared/key-hash.ts';
import { type Call, type Option, readOption, requireOption } from '../kit/command.ts';
import { readOutPath, readTextFile } from '../kit/read-paths.ts';
import { badUsage } from '../kit/refusal.ts';

export const sharedOptions = {
  url: {
    value: 'URL',
    summary: 'postgres://USER@HOST/DATABASE, without a password',
    isRequired: true,
  },
} as const satisfies Readonly<Record<string, Option>>;

export const secretOptions = {
  ...sharedOptions,
  'secret-file': {
    value: 'FILE',
    summary: 'the secret of the keys, the same for all engines of the team',
    isRequired: true,
  },
} as const satisfies Readonly<Record<string, Option>>;

export async function readPassword({ terminal }: Call): Promise<string> {
  const given = process.env.PGPASSWORD;
  if (given !== undefined) return given;
  return terminal.isInteractive ? terminal.readSecret('Password: ') : '';
}

/**
 * Opens the connection of --url for some work, and closes it.
 * @param given the password, if it was read already
 * @param database another database of the server
 */
export async function withShared<Result>(
  call: Call,
  work: (connection: SharedConnection) => Promise<Result>,
  given?: string,
  database?: string,
): Promise<Result> {
  const named = parseSharedAddress(requireOption(call, 'url', 'the address of the database'));
  const address = { ...named, database: database ?? named.database };
  const password = given ?? (await readPassword(call));
  const connection = openSharedConnection({ address, password }, { statementMs: 0 });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

export function readSecretFile(call: Call): Buffer {
  const path = requireOption(call, 'secret-file', 'the file of the secret');
  const secret = Buffer.from(readTextFile(call, path).trim(), 'hex');
  if (secret.length === secretBytes) return secret;
  throw badUsage(
    `--secret-file ${path} holds no secret. It must hold the one that "desk shared init" wrote.`,
  );
}

/** Writes a new secret to --secret-file, for its owner alone. Returns whether it was missing. */
export function createSecretFile(call: Call): boolean {
  const path = readOutPath(call, 'secret-file');
  if (existsSync(path)) {
    readSecretFile(call);
    return false;
  }
  const text = `${randomBytes(secretBytes).toString('hex')}\n`;
  writeFileSync(path, text, { mode: 0o600, flag: 'wx', flush: true });
  return true;
}

export const readFolder = (call: Call): string =>
  call.resolvePath(readOption(call, 'from') ?? call.dataDir);
