/** What backup and doctor ask of the threads of an environment. */
import type { EnvironmentName } from '../contract/ids.ts';
import type { SecretKey } from '../contract/webhooks.ts';
import type { DatabaseFile } from '../platform/data-files.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';

/** Calls to the writer thread. */
export interface StoreCopyCalls {
  /** A consistent copy of engine.db at `path`. */
  copyStore(command: { path: string }): Promise<void>;
}

/** Calls to the reader thread. */
export interface DamageCalls {
  /** What SQLite finds wrong with a file: nothing where it is whole. */
  findDamage(command: { file: DatabaseFile }): Promise<string[]>;
}

/** The environment that is backed up or checked. */
export interface MaintainedEnvironment {
  readonly name: EnvironmentName;
  readonly folder: string;
  readonly database: ReadableDatabase;
  readonly directoryDatabase: ReadableDatabase;
  readonly writer: StoreCopyCalls & { describeSecretKey(command: null): Promise<SecretKey> };
  readonly reader: DamageCalls & { copyDirectory(command: { path: string }): Promise<void> };
  describeFault(): string | null;
}
