/** Calls of backup and doctor to the threads of an environment. */

import type { AuditReads } from '../audit/create-audit-commands.ts';
import type { ReadOnly } from '../contract/engine.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { SecretKey } from '../contract/webhooks.ts';
import type { DatabaseFile } from '../platform/data-files.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { SharedCalls } from '../shared/settings/team-directory.ts';
import type { CopiesReport, DatabasePaths } from './check-copies.ts';

export interface StoreCopyCalls {
  /** Writes a consistent copy of engine.db to `path`. */
  copyStore(command: { path: string }): Promise<void>;
  /** Records a backup that was written, so that retention can delete it. */
  recordBackup(command: { path: string; bytes: number; at: string }): Promise<void>;
}

export interface DamageCalls {
  /** Damage that SQLite finds in a file; empty if it is intact. */
  findDamage(command: { file: DatabaseFile }): Promise<string[]>;
  /** Checks the copied databases of a backup. */
  checkCopies(command: { paths: DatabasePaths }): Promise<CopiesReport>;
}

/** The environment that is backed up or checked. */
export interface MaintainedEnvironment {
  readonly name: EnvironmentName;
  readonly folder: string;
  readonly database: ReadableDatabase;
  readonly directoryDatabase: ReadableDatabase;
  readonly writer: StoreCopyCalls &
    Pick<SharedCalls, 'testSharedDirectory'> & { 'webhooks.secretKey'(): Promise<SecretKey> };
  readonly reader: DamageCalls &
    AuditReads & { copyDirectory(command: { path: string }): Promise<void> };
  describeFault(): string | null;
  describeReadOnly(): ReadOnly | null;
}
