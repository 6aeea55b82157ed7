/**
 * The content of an installer, packed with a stand-in for Electron's files, then run from there.
 * @module-tag full
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createPackage, extractAll, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { expect, test } from 'vitest';
import { launch, scratch } from '../launch.ts';

const root = resolve(import.meta.dirname, '../..');
const fuseCount = 9;
// The format in Electron's program: the sentinel, the version and length of the wire, one byte per
// fuse.
const fuseWire = Buffer.from(
  `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001${String.fromCharCode(fuseCount)}${'0'.repeat(fuseCount)}`,
  'latin1',
);

/** The minimal Electron distribution that the packer accepts. */
async function makeElectronDist(dir: string): Promise<string> {
  const app = join(dir, 'default-app');
  for (const folder of [app, join(dir, 'dist/resources'), join(dir, 'dist/locales')])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(app, 'main.js'), '');
  await createPackage(app, join(dir, 'dist/resources/default_app.asar'));
  for (const name of ['version', 'LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak'])
    writeFileSync(join(dir, 'dist', name), '45.3.4');
  writeFileSync(join(dir, 'dist/electron'), fuseWire);
  chmodSync(join(dir, 'dist/electron'), 0o755);
  return join(dir, 'dist');
}

async function pack(dir: string): Promise<string> {
  const output = join(dir, 'packed');
  await promisify(execFile)(
    process.execPath,
    [
      join(root, 'node_modules/electron-builder/cli.js'),
      ...['--linux', 'dir', `--${process.arch}`, '--publish', 'never'],
      `-c.electronDist=${await makeElectronDist(dir)}`,
      `-c.directories.output=${output}`,
    ],
    { cwd: root },
  );
  const folder = process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`;
  return join(output, folder);
}

test.runIf(process.platform === 'linux')(
  'the packed app has everything it needs, nothing for development, and opens its window',
  async () => {
    using place = scratch();
    const packed = await pack(place.dir);
    const archive = join(packed, 'resources/app.asar');
    const files = listPackage(archive, { isPack: false });
    const natives = files.filter((file) => file.endsWith('.node'));
    expect(natives.some((file) => file.endsWith(`linux-${process.arch}.node`))).toBe(true);
    expect(natives.filter((file) => /win32|darwin|musl/.test(file))).toEqual([]);
    const tops = new Set(files.map((file) => file.split('/').slice(1, 3).join('/')));
    const modules = [...tops].filter((name) => name.startsWith('node_modules/'));
    expect(modules.sort()).toEqual(['node_modules/@napi-rs', 'node_modules/better-sqlite3']);
    expect(
      [...tops].filter((name) => !/^(out|node_modules|package\.json)(\/|$)/.test(name)),
    ).toEqual([]);
    expect(files.filter((file) => /\.map$|\.d\.ts$/.test(file))).toEqual([]);
    for (const native of natives)
      expect(existsSync(join(packed, 'resources/app.asar.unpacked', native))).toBe(true);

    const fuses = await getCurrentFuseWire(join(packed, 'enrichment-desk'));
    expect(fuses[FuseV1Options.RunAsNode]).toBe(FuseState.DISABLE);
    expect(fuses[FuseV1Options.OnlyLoadAppFromAsar]).toBe(FuseState.ENABLE);
    expect(fuses[FuseV1Options.EnableNodeCliInspectArguments]).toBe(FuseState.DISABLE);

    const appDir = join(place.dir, 'extracted');
    extractAll(archive, appDir);
    const desk = await launch(join(place.dir, 'user-data'), { appDir });
    try {
      await desk.window.locator('#root > *').first().waitFor({ state: 'attached' });
      const status = await desk.window.evaluate(async () => (await fetch('/app/v1/state')).status);
      expect(status).toBe(200);
    } finally {
      await desk.close();
    }
  },
  120_000,
);
