// The email and password of an account for the authorization page. The password is stored as a
// scrypt hash. Timing reveals neither the email nor the password.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { recordAudit } from '../audit/record-audit.ts';
import { invalid } from '../contract/errors.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { deleteLogin, findLogin, putLogin } from './login.table.ts';

/** The OWASP parameters for 32 MiB: N = 2^15, r = 8, p = 3. */
const costs = { log2: 15, blocks: 8, lanes: 3 };
const hashBytes = 32;
const saltBytes = 16;

function derive(password: string, salt: Buffer, used = costs): Promise<Buffer> {
  const { log2, blocks, lanes } = used;
  const options = { N: 2 ** log2, r: blocks, p: lanes, maxmem: 256 * 2 ** log2 * blocks };
  // Normalised, so that the same characters match however they were typed.
  const text = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, hashBytes, options, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}

/** A scrypt hash of a password with a random salt. Takes a fraction of a second. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, salt);
  const { log2, blocks, lanes } = costs;
  const texts = [salt, hash].map((bytes) => bytes.toString('base64url'));
  return ['scrypt', log2, blocks, lanes, ...texts].join('$');
}

/** Compared if an email has no login, so that the check takes the same time. */
const nobodys = `scrypt$15$8$3$${'A'.repeat(22)}$${'A'.repeat(43)}`;

async function isPassword(password: string, kept: string): Promise<boolean> {
  const [, log2, blocks, lanes, salt = '', hash = ''] = kept.split('$');
  const used = { log2: Number(log2), blocks: Number(blocks), lanes: Number(lanes) };
  const wanted = Buffer.from(hash, 'base64url');
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64url'), used), wanted);
}

export const foldEmail = (email: string): string => email.trim().toLowerCase();

/** The account of an email and its password; null if either is wrong. */
export async function checkLogin(
  database: ReadableDatabase,
  email: string,
  password: string,
): Promise<number | null> {
  const login = findLogin(database, foldEmail(email));
  const isRight = await isPassword(password, login?.passwordHash ?? nobodys);
  return login && isRight ? login.accountId : null;
}

/** Sets the login of an account. Throws `validation_error` if another account has the email. */
export function setLogin(
  database: WritableDatabase,
  command: { accountId: number; email: string; passwordHash: string },
  now: Date,
): void {
  const email = foldEmail(command.email);
  const other = findLogin(database, email);
  if (other && other.accountId !== command.accountId)
    throw invalid(`Another account uses ${email}. Use another email, or remove that login first.`);
  const { accountId } = command;
  const at = now.toISOString();
  inTransaction(database, () => {
    putLogin(database, { ...command, email, setAt: at });
    recordAudit(database, { action: 'login_set', at, accountId });
  });
}

export function removeLogin(database: WritableDatabase, accountId: number, now: Date): void {
  inTransaction(database, () => {
    if (!deleteLogin(database, accountId)) return;
    recordAudit(database, { action: 'login_removed', at: now.toISOString(), accountId });
  });
}
