// Stand-ins for Electron's downloads, which electron-builder packs as it packs the real ones.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPackage } from '@electron/asar';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';

const electronVersion = '45.3.4';
const fuseCount = 9;
/**
 * The format in Electron's program: the sentinel, the version and length of the wire, one byte per
 * fuse.
 */
const fuseWire = Buffer.from(
  `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001${String.fromCharCode(fuseCount)}${'0'.repeat(fuseCount)}`,
  'latin1',
);

function write(path: string, content: string | Buffer = electronVersion): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

async function addCommonFiles(dist: string, resources: string): Promise<void> {
  const app = join(dist, '../default-app');
  write(join(app, 'main.js'), '');
  mkdirSync(resources, { recursive: true });
  await createPackage(app, join(resources, 'default_app.asar'));
  for (const name of ['version', 'LICENSE', 'LICENSES.chromium.html']) write(join(dist, name));
}

async function makeLinux(dist: string): Promise<void> {
  await addCommonFiles(dist, join(dist, 'resources'));
  write(join(dist, 'locales/en-US.pak'));
  write(join(dist, 'electron'), fuseWire);
  for (const name of ['chrome-sandbox', 'chrome_crashpad_handler']) write(join(dist, name));
  chmodSync(join(dist, 'electron'), 0o755);
}

/** A program of Windows without code: a version resource, and the fuses as another resource. */
function makeProgram(): Buffer {
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const version = Resource.VersionInfo.createEmpty();
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' });
  version.outputToResourceEntries(resources.entries);
  const bin = fuseWire.buffer.slice(
    fuseWire.byteOffset,
    fuseWire.byteOffset + fuseWire.byteLength,
  ) as ArrayBuffer;
  resources.entries.push({ type: 10, id: 1, lang: 1033, codepage: 1200, bin });
  resources.outputResource(program);
  return Buffer.from(program.generate());
}

async function makeWindows(dist: string): Promise<void> {
  await addCommonFiles(dist, join(dist, 'resources'));
  write(join(dist, 'locales/en-US.pak'));
  write(join(dist, 'electron.exe'), makeProgram());
}

const writePlist = (values: Record<string, string>): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>${Object.entries(values)
    .map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
    .join('')}</dict></plist>\n`;

function addBundle(folder: string, name: string): void {
  const plist = writePlist({
    CFBundleName: name,
    CFBundleExecutable: name,
    CFBundleIdentifier: `com.github.${name.replaceAll(' ', '.')}`,
    CFBundlePackageType: 'APPL',
  });
  write(join(folder, `${name}.app/Contents/Info.plist`), plist);
  write(join(folder, `${name}.app/Contents/MacOS/${name}`));
}

async function makeMac(dist: string): Promise<void> {
  const contents = join(dist, 'Electron.app/Contents');
  addBundle(dist, 'Electron');
  await addCommonFiles(dist, join(contents, 'Resources'));
  write(join(contents, 'Resources/electron.icns'));
  write(join(contents, 'Resources/en.lproj/locale.pak'));
  const framework = join(contents, 'Frameworks/Electron Framework.framework');
  write(join(framework, 'Electron Framework'), fuseWire);
  write(join(framework, 'Versions/A/Resources/en.lproj/locale.pak'));
  for (const suffix of ['', ' (GPU)', ' (Plugin)', ' (Renderer)'])
    addBundle(join(contents, 'Frameworks'), `Electron Helper${suffix}`);
}

const makers = { linux: makeLinux, win32: makeWindows, darwin: makeMac } as const;

export type System = keyof typeof makers;

/**
 * Writes the smallest distribution of Electron that electron-builder packs for a system.
 * @param dir absolute; is created
 * @returns the folder for the option `electronDist`
 */
export async function makeElectronDist(system: System, dir: string): Promise<string> {
  const dist = join(dir, 'dist');
  await makers[system](dist);
  return dist;
}
