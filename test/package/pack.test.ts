/**
 * What an installer of each system contains: packed with a stand-in for Electron's files, and read
 * back. A system's own binaries of the keychain library are here only if this system is it.
 * @module-tag full
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { extractFile } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { NtExecutable, NtExecutableResource } from 'resedit';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fuses } from '../../scripts/make/flip-fuses.mjs';
import { scratch } from '../launch.ts';
import { type PackedApp, packApp, readHeader, readPacked } from './pack-app.ts';
import type { System } from './stand-in.ts';

const root = resolve(import.meta.dirname, '../..');

/** Nothing for development, and of the natives only those of the system, outside the archive. */
function expectFiles({ files, resources, folder }: PackedApp, system: System, arch: string): void {
  const natives = files.filter((path) => path.endsWith('.node'));
  const sqlite = `node_modules/better-sqlite3/prebuilds/${system}-${arch}.node`;
  const others = natives.filter((path) => path !== sqlite);
  expect(natives).toContain(sqlite);
  const isHere = system === process.platform && arch === process.arch;
  expect(others.map((path) => path.replace(/-(gnu|msvc)?\//, '/')).length).toBe(isHere ? 1 : 0);
  for (const native of natives)
    expect(existsSync(join(resources, 'app.asar.unpacked', native))).toBe(true);
  const tops = new Set(files.map((path) => path.split('/').slice(0, 2).join('/')));
  expect([...tops].filter((name) => name.startsWith('node_modules/')).sort()).toEqual([
    'node_modules/@napi-rs',
    'node_modules/better-sqlite3',
  ]);
  expect([...tops].filter((name) => !/^(out|node_modules|package\.json)(\/|$)/.test(name))).toEqual(
    [],
  );
  expect(files.filter((path) => /\.map$|\.d\.ts$|\.cc?$|\.gyp$/.test(path))).toEqual([]);
  for (const part of ['main/index.js', 'preload/preload.cjs', 'engine/utility.js'])
    expect(files).toContain(`out/${part}`);
  expect(existsSync(join(resources, 'default_app.asar'))).toBe(false);
  const notices = readPacked(resources, 'THIRD-PARTY-NOTICES.txt');
  expect(notices).toBe(readFileSync(join(root, 'out/third-party-notices.txt'), 'utf8'));
  expect(existsSync(folder)).toBe(true);
}

async function expectFuses({ program }: PackedApp): Promise<void> {
  const wire = await getCurrentFuseWire(program);
  const read = Object.entries(fuses).map(([fuse, isOn]) => {
    const state = wire[Number(fuse) as FuseV1Options];
    return [FuseV1Options[Number(fuse)], String.fromCharCode(state ?? 0), isOn ? '1' : '0'];
  });
  expect(read.map(([name, state]) => [name, state])).toEqual(
    read.map(([name, , wanted]) => [name, wanted]),
  );
  // Every fuse of the wire is one of them.
  expect(Object.keys(wire).filter((key) => key !== 'version')).toEqual(Object.keys(fuses));
}

const hashOf = ({ archive }: PackedApp): string =>
  createHash('sha256').update(readHeader(archive)).digest('hex');

test('Linux: the content, every fuse, and a size below the budget', async () => {
  using place = scratch();
  const packed = await packApp('linux', 'x64', place.dir);
  expect(packed.files.filter((path) => /\bteam\.json$/.test(path))).toEqual([]);
  expectFiles(packed, 'linux', 'x64');
  await expectFuses(packed);
  // Electron validates archives on macOS and Windows only.
  expect(statSync(packed.archive).size).toBeLessThan(25_000_000);
});

test('Windows: the content, every fuse, and the hash of the archive in the program', async () => {
  using place = scratch();
  const packed = await packApp('win32', 'arm64', place.dir);
  expectFiles(packed, 'win32', 'arm64');
  await expectFuses(packed);
  const program = NtExecutable.from(readFileSync(packed.program));
  const { entries } = NtExecutableResource.from(program);
  const integrity = entries.find(({ type, id }) => type === 'INTEGRITY' && id === 'ELECTRONASAR');
  // The stand-in also has Electron's own page, which the real download loses before.
  expect(JSON.parse(new TextDecoder().decode(integrity?.bin))).toContainEqual({
    file: 'resources\\app.asar',
    alg: 'SHA256',
    value: hashOf(packed),
  });
});

test('macOS: the content, every fuse, the hash of the archive, file types and links', async () => {
  using place = scratch();
  const packed = await packApp('darwin', 'arm64', place.dir);
  expectFiles(packed, 'darwin', 'arm64');
  await expectFuses(packed);
  const plist = readPacked(packed.program, 'Contents/Info.plist').replace(/>\s+</g, '><');
  expect(plist).toContain(`<key>hash</key><string>${hashOf(packed)}</string>`);
  expect(plist).toContain('<key>CFBundleURLSchemes</key><array><string>desk</string></array>');
  for (const extension of ['csv', 'xlsx']) expect(plist).toContain(`<string>${extension}</string>`);
  expect(plist.match(/<key>LSHandlerRank<\/key><string>Alternate<\/string>/g)).toHaveLength(2);
});

test('a team file is inside the archive, and the address of updates next to it', async () => {
  using place = scratch();
  const teamFile = join(place.dir, 'our team.json');
  writeFileSync(teamFile, '{}');
  const updateUrl = 'https://updates.team.example/desk/';
  const packed = await packApp('linux', 'x64', place.dir, { teamFile, updateUrl });
  expect(parse(readPacked(packed.resources, 'app-update.yml'))).toMatchObject({
    provider: 'generic',
    url: 'https://updates.team.example/desk',
  });
  expect(extractFile(packed.archive, 'out/resources/team.json').toString()).toBe('{}');
  expect(packed.files.filter((path) => /\bteam\.json$/.test(path))).toHaveLength(1);
  expectFiles(packed, 'linux', 'x64');
});
