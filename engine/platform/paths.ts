// Paths of the engine's own files: in the source tree, in the built output, in a package.
import { join } from 'node:path';

const here = import.meta.dirname;

/** Whether this is the built engine, whose bundles are all in one folder, out/engine. */
export const isBuilt = import.meta.filename.endsWith('.js');

/** The engine's folder: engine/ in the source tree, out/engine in the built output. */
export const engineDir = isBuilt ? here : join(here, '..');

const migrations = {
  store: 'migrations',
  directory: 'directory/migrations',
  shared: 'shared/migrations',
} as const;

/**
 * The folder of the numbered .sql migrations of a database.
 * @param database one of the engine's two databases, or `shared` for the shared directory
 */
export const migrationsDir = (database: keyof typeof migrations): string =>
  join(engineDir, isBuilt ? `migrations/${database}` : migrations[database]);

/** The folder of reference tables, the sample directory and team defaults. */
export const resourcesDir = (): string => join(engineDir, '..', 'resources');

/** The folder of the built interface, for use in a browser. */
export const interfaceDir = (): string =>
  join(engineDir, isBuilt ? '../renderer' : '../out/renderer');
