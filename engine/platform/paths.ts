// Knows where the engine's own files are: in the source tree, in the built output, in a package.
import { join } from 'node:path';

const here = import.meta.dirname;
// A bundle stands in out/engine with everything beside it; the source stands in engine/.
const isBuilt = import.meta.filename.endsWith('.js');

/**
 * The folder of the numbered .sql migrations of a database.
 * @param database which of the engine's two databases
 */
export const migrationsDir = (database: 'store' | 'directory'): string =>
  isBuilt ? join(here, 'migrations', database) : join(here, database, 'migrations');

/** The folder of reference tables, the sample directory and team defaults. */
export const resourcesDir = (): string => join(here, '..', 'resources');

/** The folder of the built interface, for the browser shell. */
export const interfaceDir = (): string =>
  isBuilt ? join(here, '..', 'renderer') : join(here, '..', 'out', 'renderer');
