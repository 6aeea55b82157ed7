// An email validator with a real directory and a real name server on loopback, for tests.
import Database from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { type ValidationReason, validationReasons } from '../../engine/contract/validations.ts';
import { migrationsDir } from '../../engine/platform/paths.ts';
import { migrate } from '../../engine/platform/sqlite/migrate.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { createEmailValidator } from '../../engine/validations/email-validator.ts';
import { openMailDns } from '../../engine/validations/mail-dns.ts';
import { keepDomainFindings } from '../../engine/validations/mail-domain.table.ts';
import { type ListFolder, openListFolder } from '../directory/list-folder.ts';
import { type DnsServer, startDnsServer, type Zone } from '../dns-server.ts';

const dayMs = 86_400_000;
const today = Date.parse('2026-11-20T10:00:00.000Z');
/** The date this many days before the validator's. */
export const dayBefore = (days: number) =>
  new Date(today - days * dayMs).toISOString().slice(0, 10);

/** A domain with a mail host. */
export const takesMail: Zone = { mx: [[10, 'mx.engines.org']] };
const internet: Readonly<Record<string, Zone>> = {
  'engines.org': takesMail,
  'mx.engines.org': { a: ['203.0.113.5'] },
};

interface Setting {
  readonly zones?: Readonly<Record<string, Zone>>;
  readonly servers?: string;
  readonly isStaging?: boolean;
  /** The directory; an empty one by default. */
  readonly lists?: ListFolder;
}

/** The product's database in memory, because durability does not matter here. */
export function openInMemory(kind: 'store' | 'directory'): WritableDatabase {
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  migrate(database, migrationsDir(kind));
  return database as unknown as WritableDatabase;
}

/** A directory for imports, removed with the test. */
export function openLists(): ListFolder {
  const lists = openListFolder();
  onTestFinished(() => lists[Symbol.dispose]());
  return lists;
}

/** A validator with its own clock, its lookups, and its directory. */
export async function openJudge(setting: Setting = {}): Promise<{
  judge(...emails: string[]): Promise<ValidationReason[]>;
  statuses(...emails: string[]): Promise<string[]>;
  dns: DnsServer;
  clock: { nowMs: number };
}> {
  const dns = await startDnsServer({ ...internet, ...setting.zones });
  const database = openInMemory('store');
  const clock = { nowMs: today };
  const judge = createEmailValidator({
    database,
    directoryDatabase: setting.lists?.db ?? openInMemory('directory'),
    dns: openMailDns({ servers: setting.servers ?? dns.address, timeoutMs: 60 }),
    now: () => new Date(clock.nowMs),
    isStaging: setting.isStaging ?? false,
  });
  const judgeAll = async (emails: string[]) => {
    const { verdicts, findings } = await judge.validateEmails(emails);
    keepDomainFindings(database, findings);
    expect(verdicts.map(({ email }) => email)).toEqual(emails);
    for (const { status, reason } of verdicts)
      expect(status).toBe(validationReasons[reason].status);
    return verdicts;
  };
  return {
    judge: async (...emails) => (await judgeAll(emails)).map(({ reason }) => reason),
    statuses: async (...emails) => (await judgeAll(emails)).map(({ status }) => status),
    dns,
    clock,
  };
}
