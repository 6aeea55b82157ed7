// Sets every fuse of Electron's program, as electron-builder's step before signing.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';

/** Every fuse, so that a fuse that a later Electron adds is a failure and not a default. */
export const fuses = {
  /** The engine is a utility process, so the program never has to be Node. */
  [FuseV1Options.RunAsNode]: false,
  /** The app has no cookies. Their key would make macOS ask for the keychain. */
  [FuseV1Options.EnableCookieEncryption]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
};

/** What the program is called in a pack of each system. */
const programs = {
  linux: ({ executableName }) => executableName,
  win32: ({ appInfo }) => `${appInfo.productFilename}.exe`,
  darwin: ({ appInfo }) => `${appInfo.productFilename}.app`,
};

/**
 * Sets the fuses of a pack, and removes Electron's own page from it.
 * @param {import('app-builder-lib').AfterPackContext} context
 */
export default async function afterPack(context) {
  const { appOutDir, electronPlatformName, packager } = context;
  rmSync(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
  // Not packager.addElectronFuses: its copy of @electron/fuses is older and does not know them all.
  await flipFuses(join(appOutDir, programs[electronPlatformName](packager)), {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    // Changed bytes invalidate the signature without which no program starts on Apple silicon.
    resetAdHocDarwinSignature: electronPlatformName === 'darwin' && process.platform === 'darwin',
    ...fuses,
  });
}
