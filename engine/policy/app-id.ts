/** The id by which systems know the app: `appId` of electron-builder.yml. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineDir } from '../platform/paths.ts';

declare const __DESK_APP_ID__: string | undefined;

/** The id: inserted by the build, or read from electron-builder.yml in the source tree. */
export const readAppId = (): string =>
  typeof __DESK_APP_ID__ === 'string'
    ? __DESK_APP_ID__
    : (/^appId: (\S+)$/m.exec(
        readFileSync(join(engineDir, '../electron-builder.yml'), 'utf8'),
      )?.[1] ?? '');
