// Packs the app with a stand-in for Electron's files, and reads the pack.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getRawHeader, listPackage } from '@electron/asar';
import { configureBuilder } from '../../scripts/make/builder-config.mjs';
import { makeElectronDist, type System } from './stand-in.ts';

const root = resolve(import.meta.dirname, '../..');

export interface PackedApp {
  /** The folder with the program, or the bundle on macOS. */
  readonly folder: string;
  readonly resources: string;
  readonly archive: string;
  /** What `@electron/fuses` reads. */
  readonly program: string;
  /** Paths in the archive, without a leading slash. */
  readonly files: string[];
}

const layouts = {
  linux: { target: 'LINUX', folder: 'linux', app: '', program: 'enrichment-desk' },
  win32: { target: 'WINDOWS', folder: 'win', app: '', program: 'Enrichment Desk.exe' },
  darwin: {
    target: 'MAC',
    folder: 'mac',
    app: 'Enrichment Desk.app/Contents',
    program: 'Enrichment Desk.app',
  },
} as const;

function findFolder(system: System, arch: 'x64' | 'arm64'): string {
  if (system === 'darwin') return arch === 'x64' ? 'mac' : 'mac-arm64';
  return `${layouts[system].folder}${arch === 'x64' ? '' : `-${arch}`}-unpacked`;
}

/**
 * Packs the folder of the app for a system.
 * @param dir absolute folder for the stand-in and the pack
 * @param options the configuration of a team and the address of the feed of updates, if any
 */
export async function packApp(
  system: System,
  arch: 'x64' | 'arm64',
  dir: string,
  { teamFile = null, updateUrl }: { teamFile?: string | null; updateUrl?: string } = {},
): Promise<PackedApp> {
  const { config } = await configureBuilder(
    root,
    system,
    { DESK_UPDATE_FEED: updateUrl },
    teamFile,
  );
  const { Arch, build, Platform } = await import('electron-builder');
  const { target, app, program } = layouts[system];
  const electronDist = await makeElectronDist(system, dir);
  await build({
    projectDir: root,
    targets: Platform[target].createTarget('dir', Arch[arch]),
    config: {
      ...config,
      electronDist,
      directories: { output: join(dir, 'packed') },
      // The stand-in has no code that could be signed.
      ...(system === 'darwin' && { mac: { identity: null, notarize: false } }),
    },
    publish: 'never',
  });
  const folder = join(dir, 'packed', findFolder(system, arch));
  const resources = join(folder, app, system === 'darwin' ? 'Resources' : 'resources');
  const archive = join(resources, 'app.asar');
  const files = listPackage(archive, { isPack: false }).map((path) =>
    path.replaceAll('\\', '/').slice(1),
  );
  return { folder, resources, archive, program: join(folder, program), files };
}

/** Bytes of the header of an archive, which its integrity is computed from. */
export const readHeader = (archive: string): string => getRawHeader(archive).headerString;

export const readPacked = (...path: string[]): string => readFileSync(join(...path), 'utf8');
