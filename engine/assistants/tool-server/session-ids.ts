// Ids of the tool server's sessions: a UUID and a MAC over it and its account. An id is valid only
// for its account, and stays authentic across restarts although its session is lost.
//
//   issued ──session lives──> live ──DELETE──> ended (remembered while the engine runs)
//      └────restart, eviction───> authentic (served without a session)
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endedToolSessionsMax } from '../../contract/limits/assistants.ts';

export interface SessionIds {
  issue(owner: string): string;
  /** Whether an id was issued to this owner and has not been ended. */
  isAuthentic(id: string, owner: string): boolean;
  end(id: string): void;
}

const secretFile = 'tool-sessions.key';
const secretBytes = 32;

/**
 * The secret of a data folder, created on first use: a file that only its owner can read. Without
 * it, as after a restore, clients start new sessions. It grants no access by itself.
 */
export function readSessionSecret(folder: string): Buffer {
  const path = join(folder, secretFile);
  try {
    const kept = readFileSync(path);
    if (kept.length === secretBytes) return kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(secretBytes);
  writeFileSync(path, secret, { mode: 0o600 });
  return secret;
}

export function createSessionIds(secret: Buffer): SessionIds {
  const ended = new Set<string>();
  const sign = (uuid: string, owner: string) =>
    createHmac('sha256', secret).update(`${uuid}\0${owner}`).digest();
  return {
    issue(owner) {
      const uuid = randomUUID();
      return `${uuid}.${sign(uuid, owner).toString('base64url')}`;
    },
    isAuthentic(id, owner) {
      const [uuid = '', code = ''] = id.split('.');
      const [actual, expected] = [Buffer.from(code, 'base64url'), sign(uuid, owner)];
      return (
        !ended.has(id) && actual.length === expected.length && timingSafeEqual(actual, expected)
      );
    },
    end(id) {
      ended.add(id);
      const [oldest] = ended;
      if (ended.size > endedToolSessionsMax && oldest !== undefined) ended.delete(oldest);
    },
  };
}
