/**
 * The smoke test of the desktop shell: from an empty installation to the saved sample. With
 * DESK_EXPECT_HOST=electron it fails on the stand-in.
 * @module-tag full
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findElectron } from '../../scripts/electron-binary.mjs';
import { scratch } from '../launch.ts';
import { openDesk } from '../open-desk.ts';
import { trySample } from './try-sample.ts';

const root = resolve(import.meta.dirname, '../..');

test('the window opens, the sample is priced with one click, enriched, and saved', async () => {
  const desk = await openDesk('desktop');
  onTestFinished(() => desk.close());
  expect(desk.host).toBe(process.env.DESK_EXPECT_HOST ?? desk.host);
  expect(await trySample(desk)).toBeGreaterThan(0);
  const saved = join(desk.dir, 'enriched.csv');
  await desk.saveCsv(saved);
  expect(readFileSync(saved, 'utf8')).toMatch(/Enrichment status.*\r\n(.*\r\n)*.*,enriched,/);
});

test.runIf(findElectron() === null)(
  'the script of the release uses an app through its window',
  () => {
    const args = ['scripts/release/use-app.mjs', process.execPath, 'test/double/run.ts'];
    const run = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect(run.stdout).toMatch(
      /^The app [\d.]+ enriched its sample: \d+ of 60 rows enriched.*\n+The app quit\.\n$/,
    );
    expect(run.status).toBe(0);
    args[2] = 'test/double/missing.ts';
    const missing = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect(missing.stderr).toContain('it ended with 1 before its window opened');
    expect(missing.status).toBe(1);
  },
);

/**
 * Makes an AppImage of a version: a program that starts the stand-in in a copy of the build.
 * @returns its path
 */
function makeAppImage(folder: string, version: string): string {
  const app = join(folder, version, 'resources/app.asar');
  cpSync(join(root, 'out'), join(app, 'out'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ ...manifest, version }));
  const appImage = join(folder, version, `enrichment-desk-${version}-linux.AppImage`);
  const lines = [
    '#!/bin/sh',
    'export APPIMAGE="$(readlink -f "$0")"',
    `cd '${app}' && exec '${process.execPath}' '${root}/test/double/run.ts' "$@"`,
    '',
  ];
  writeFileSync(appImage, lines.join('\n'), { mode: 0o755 });
  return appImage;
}

test.runIf(findElectron() === null && process.platform === 'linux')(
  'the script of the release updates an installed app, which starts again with the same data',
  () => {
    using place = scratch();
    const [before, after] = ['0.0.1', '0.0.2'].map((version) => makeAppImage(place.dir, version));
    const sha512 = createHash('sha512')
      .update(readFileSync(after ?? ''))
      .digest('base64');
    const url = basename(after ?? '');
    const size = statSync(after ?? '').size;
    const suffix = process.arch === 'x64' ? '' : `-${process.arch}`;
    const offer = { version: '0.0.2', files: [{ url, sha512, size }], path: url, sha512 };
    const dist = join(place.dir, 'dist');
    mkdirSync(dist);
    cpSync(after ?? '', join(dist, url));
    writeFileSync(join(dist, `latest-linux${suffix}.yml`), JSON.stringify(offer));
    const part = `linux-${process.arch}`;
    const folders = ['CONFIG', 'DATA', 'CACHE'].map((name) => [
      `XDG_${name}_HOME`,
      join(place.dir, name),
    ]);
    const run = spawnSync(
      process.execPath,
      ['scripts/release/update-app.mjs', before ?? '', part, dist],
      {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, ...Object.fromEntries(folders), DESK_PORT: '0' },
      },
    );
    expect(run.stderr).not.toContain('did not work');
    expect(run.stdout.split('\n').filter((line) => /^The (app|installer) /.test(line))).toEqual([
      'The app 0.0.1 is installed.',
      `The app asked for /linux/${process.arch}/latest-linux${suffix}.yml: sent.`,
      `The app asked for /linux/${process.arch}/${url}: sent.`,
      'The installer started the app again.',
      'The app 0.0.2 opened its window with the same data, and quit.',
    ]);
    expect(run.status).toBe(0);
  },
);
