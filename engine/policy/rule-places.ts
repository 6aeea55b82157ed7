// The places of an organisation's rules on each system.
import { readFileSync } from 'node:fs';
import { dirname, join, posix, win32 } from 'node:path';
import { engineDir } from '../platform/paths.ts';

declare const __DESK_APP_ID__: string | undefined;

/** The id: inserted by the build, or read from electron-builder.yml in the source tree. */
export const readAppId = (): string =>
  typeof __DESK_APP_ID__ === 'string'
    ? __DESK_APP_ID__
    : (/^appId: (\S+)$/m.exec(
        readFileSync(join(engineDir, '../electron-builder.yml'), 'utf8'),
      )?.[1] ?? '');

/** The key of the Windows registry; its value `Policy` has the rules as JSON. */
export const registryKey = 'HKLM\\SOFTWARE\\Policies\\Enrichment Desk';
/** The managed preferences of the app on macOS; `Policy` has the rules as JSON. */
export const preferencesPath = (): string => `/Library/Managed Preferences/${readAppId()}.plist`;

/**
 * Where the policy file is: in a folder of the system that only an administrator can write to. It
 * does not depend on variables that a user sets, except for the name of the folder on Windows.
 */
export function policyPath(
  platform: NodeJS.Platform = process.platform,
  programData = process.env.ProgramData ?? 'C:\\ProgramData',
): string {
  if (platform === 'win32') return win32.join(programData, 'Enrichment Desk', 'policy.json');
  if (platform === 'darwin') return '/Library/Application Support/Enrichment Desk/policy.json';
  return posix.join('/etc', 'enrichment-desk', 'policy.json');
}

/** What the places of `team.json` depend on. */
export interface InstalledApp {
  readonly platform: NodeJS.Platform;
  /** The engine's folder, absolute. In an installed app it is inside app.asar. */
  readonly engineDir: string;
  /** The path of the AppImage that runs, if one does. */
  readonly appImage: string | undefined;
}

const ownApp = (engineDir: string): InstalledApp => ({
  platform: process.platform,
  engineDir,
  appImage: process.env.APPIMAGE,
});

/**
 * Where `team.json` may be next to the app, the strongest first: in the folder of resources and
 * next to the program of an installed app (on macOS next to the bundle, of an AppImage next to its
 * file); otherwise in the folder of the package.
 */
export function listTeamPlaces(engineDir: string, app: InstalledApp = ownApp(engineDir)): string[] {
  const archive = /^(.*)[\\/]app\.asar[\\/]/.exec(app.engineDir);
  if (!archive?.[1]) {
    const isBuilt = /[\\/]out[\\/]engine$/.test(app.engineDir);
    return [join(app.engineDir, isBuilt ? '../..' : '..', 'team.json')];
  }
  const resources = archive[1];
  const folder =
    app.platform === 'darwin'
      ? dirname(dirname(dirname(resources)))
      : app.appImage === undefined
        ? dirname(resources)
        : dirname(app.appImage);
  return [join(resources, 'team.json'), join(folder, 'team.json')];
}
