/** What PostgreSQL stores of a password (RFC 5802, RFC 7677), so that it is not sent. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const rounds = 4_096;
const saltBytes = 16;
const keyBytes = 32;

/** @param password printable ASCII, which SCRAM leaves as it is */
export function scramVerifier(password: string): string {
  const salt = randomBytes(saltBytes);
  const salted = pbkdf2Sync(password, salt, rounds, keyBytes, 'sha256');
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  const serverKey = sign('Server Key').toString('base64');
  return `SCRAM-SHA-256$${rounds}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
