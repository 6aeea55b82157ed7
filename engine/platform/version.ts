// The product's version, in a separate file so that `desk --version` does not load the engine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineDir } from './paths.ts';

declare const __DESK_VERSION__: string | undefined;

/** The version: inserted by the build, or read from package.json in the source tree. */
export const readVersion = (): string =>
  typeof __DESK_VERSION__ === 'string'
    ? __DESK_VERSION__
    : (JSON.parse(readFileSync(join(engineDir, '../package.json'), 'utf8')).version as string);
