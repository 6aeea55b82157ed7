// How installers are configured: signing by the environment, updates, a team's file, rights.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { FuseV1Options } from '@electron/fuses';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { configureBuilder } from '../../scripts/make/builder-config.mjs';
import { fuses } from '../../scripts/make/flip-fuses.mjs';
import { chooseSigning } from '../../scripts/make/signing.mjs';
import { runNpm } from '../../scripts/run-npm.mjs';
import { scratch } from '../launch.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const config = parse(read('electron-builder.yml'));

const azure = {
  DESK_AZURE_ENDPOINT: 'https://weu.codesigning.example',
  DESK_AZURE_ACCOUNT: 'desk',
  DESK_AZURE_PROFILE: 'public',
  DESK_AZURE_PUBLISHER: 'CN=Desk',
  AZURE_TENANT_ID: 't',
  AZURE_CLIENT_ID: 'c',
  AZURE_CLIENT_SECRET: 's',
};
const notary = { APPLE_API_KEY: 'key.p8', APPLE_API_KEY_ID: 'id', APPLE_API_ISSUER: 'issuer' };
const certificate = { CSC_LINK: 'certificate.p12', CSC_KEY_PASSWORD: 'secret' };

test.each([
  ['win32', { WIN_CSC_LINK: 'certificate.pfx' }, { forceCodeSigning: true }],
  ['win32', certificate, { forceCodeSigning: true }],
  [
    'win32',
    azure,
    {
      forceCodeSigning: true,
      win: {
        azureSignOptions: {
          endpoint: 'https://weu.codesigning.example',
          codeSigningAccountName: 'desk',
          certificateProfileName: 'public',
          publisherName: 'CN=Desk',
        },
      },
    },
  ],
  ['darwin', { ...certificate, ...notary }, { forceCodeSigning: true, mac: { notarize: true } }],
  ['linux', {}, {}],
])('on %s the environment %j signs with %j, without a warning', (platform, env, signing) => {
  expect(chooseSigning(platform, env)).toEqual({ config: signing, warnings: [] });
});

test.each([
  ['win32', {}, 'The installer is NOT SIGNED'],
  ['darwin', {}, 'The app is NOT SIGNED'],
  ['darwin', certificate, 'The app is NOT NOTARISED'],
])('on %s the environment %j gives the warning "%s"', (platform, env, warning) => {
  expect(chooseSigning(platform, env).warnings).toEqual([expect.stringContaining(warning)]);
});

test.each([
  ['win32', { ...azure, AZURE_CLIENT_SECRET: '' }, 'also needs AZURE_CLIENT_SECRET.'],
  ['win32', { ...azure, ...certificate }, 'Keep one of them.'],
  ['darwin', { ...certificate, ...notary, APPLE_API_KEY_ID: '' }, 'also needs APPLE_API_KEY_ID.'],
  ['darwin', notary, 'Notarisation also needs CSC_LINK or CSC_NAME.'],
])('on %s the environment %j is refused: %s', (platform, env, sentence) => {
  expect(() => chooseSigning(platform, env)).toThrow(sentence);
});

test('an unsigned app for macOS has a signature of the machine, without hardened runtime', () => {
  const { mac } = chooseSigning('darwin', {}).config;
  expect(mac).toEqual({ identity: '-', hardenedRuntime: false, notarize: false });
  expect(config.mac.hardenedRuntime).toBe(true);
});

test('the feed of updates is that of the environment; without one the address is never asked', async () => {
  const configure = async (env: Record<string, string>) =>
    (await configureBuilder(root, 'linux', env, null)).config;
  expect(await configure({ DESK_UPDATE_FEED: 'https://updates.team.example/desk/' })).toMatchObject(
    {
      publish: { provider: 'generic', url: 'https://updates.team.example/desk' },
      generateUpdatesFilesForAllChannels: true,
    },
  );
  expect(await configure({ DESK_UPDATE_FEED: '' })).toMatchObject({
    publish: { provider: 'generic', url: expect.stringContaining('https://example.invalid/') },
  });
  const plain = configure({ DESK_UPDATE_FEED: 'http://updates.team.example' });
  await expect(plain).rejects.toThrow('DESK_UPDATE_FEED must start with https://');
});

test.each([
  ['{', 'is not JSON'],
  ['[]', 'is not a'],
])('a team file with the text %j is refused: it %s', async (text, sentence) => {
  using place = scratch();
  const path = join(place.dir, 'team.json');
  writeFileSync(path, text);
  await expect(configureBuilder(root, 'linux', {}, path)).rejects.toThrow(`${path} ${sentence}`);
});

test('a team file that does not exist is refused', async () => {
  const missing = configureBuilder(root, 'linux', {}, '/nowhere/team.json');
  await expect(missing).rejects.toThrow('There is no file /nowhere/team.json.');
});

test('each system has its installers', () => {
  expect({ linux: config.linux.target, win: config.win.target, mac: config.mac.target }).toEqual({
    linux: ['AppImage', 'deb', 'rpm'],
    win: ['nsis'],
    mac: ['dmg', 'zip'],
  });
  expect(config.nsis).toMatchObject({ oneClick: false, perMachine: false, allowElevation: true });
  const named = [config.mac.icon, config.win.icon, config.nsis.include, config.afterPack];
  const paths = [...named, config.mac.entitlements, config.mac.entitlementsInherit];
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('no system packs the configuration of a team that an earlier build left', () => {
  for (const { files } of [config.linux, config.win, config.mac])
    expect(files).toContain('!out/resources/team.json');
});

test('the hardened runtime allows compiling at run time and nothing else', () => {
  const keys = [...read('scripts/make/entitlements.mac.plist').matchAll(/<key>(.*)<\/key>/g)];
  expect(keys.map(([, key]) => key)).toEqual(['com.apple.security.cs.allow-jit']);
});

test('on no system the app becomes the default for spreadsheets', () => {
  // electron-builder's own associations would, on Windows.
  expect(config).not.toHaveProperty('fileAssociations');
  expect(config.win).not.toHaveProperty('fileAssociations');
  for (const { rank } of config.mac.fileAssociations) expect(rank).toBe('Alternate');
  const lines = read('scripts/make/installer.nsh').split('\n');
  const written = lines.filter((line) => /WriteReg.*\\\.(csv|xlsx)/.test(line));
  expect(written).toHaveLength(2);
  for (const line of written) expect(line).toContain('\\OpenWithProgids"');
});

test('windows on Linux belong to the entry of the package, by its name', () => {
  const { name, desktopName } = JSON.parse(read('package.json'));
  expect(desktopName).toBe(`${name}.desktop`);
  expect([config.linux.syncDesktopName, config.deb.packageName]).toEqual([true, name]);
});

test('the app has no key for cookies, for which macOS would ask the keychain', () => {
  expect(fuses[FuseV1Options.EnableCookieEncryption]).toBe(false);
});

test('the uninstaller removes what the app wrote for the user; an update keeps it', () => {
  const [, , uninstall = ''] = read('scripts/make/installer.nsh').split('!macro ');
  const [, ofUser = ''] = /\$\{ifNot\} \$\{isUpdated\}([\s\S]*?)\$\{endIf\}/.exec(uninstall) ?? [];
  const removed = ofUser.replaceAll(/[${}]/g, '').match(/Delete.*/g);
  expect(removed).toEqual([
    'DeleteRegValue HKCU "DESK_RUN" "APP_ID"',
    'DeleteRegValue HKCU "DESK_APPROVED" "APP_ID"',
    'DeleteRegKey HKCU "DESK_CLASSES\\desk"',
  ]);
  expect(uninstall.replace(ofUser, '')).not.toContain('HKCU');
});

test('the uninstaller removes every key that the installer writes', () => {
  const [, install = '', uninstall = ''] = read('scripts/make/installer.nsh').split('!macro ');
  const keys = [...install.matchAll(/WriteRegStr SHCTX "([^"]+)"/g)].map(([, key = '']) => key);
  const removed = [...uninstall.matchAll(/DeleteReg\w+ SHCTX "([^"]+)"/g)].map(([, key]) => key);
  expect(keys.length).toBeGreaterThan(5);
  const left = keys.filter((key) => !removed.some((gone = '') => key.startsWith(gone)));
  expect(left).toEqual([]);
});

test('the binary for another processor is the one of the lock file; another is refused', async () => {
  using place = scratch();
  const name = '@napi-rs/keyring-win32-arm64-msvc';
  const write = (path: string, content: string) => {
    mkdirSync(join(place.dir, path, '..'), { recursive: true });
    writeFileSync(join(place.dir, path), content);
  };
  write('source/package.json', JSON.stringify({ name, version: '2.1.2' }));
  write('source/keyring.node', 'binary');
  const packing = runNpm(['pack', '--json'], { cwd: join(place.dir, 'source') });
  const [packed] = JSON.parse(packing) as [{ filename: string; integrity: string }];
  const server = createServer(({ url = '' }, response) => {
    if (url.endsWith('.tgz'))
      return response.end(readFileSync(join(place.dir, 'source', packed.filename)));
    const dist = { tarball: `http://${registry}/keyring.tgz`, integrity: packed.integrity };
    const versions = { '2.1.2': { name, version: '2.1.2', dist } };
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: '2.1.2' }, versions }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const registry = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const add = (folder: string, integrity: string) => {
    const locked = { [`node_modules/${name}`]: { version: '2.1.2', integrity } };
    write(`${folder}/package-lock.json`, JSON.stringify({ packages: locked }));
    const natives = JSON.stringify(join(root, 'scripts/make/natives.mjs'));
    const source = `(await import(${natives})).addNative(process.cwd(), 'win32', 'arm64')`;
    return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source], {
      cwd: join(place.dir, folder),
      env: {
        ...process.env,
        npm_config_registry: `http://${registry}`,
        npm_config_cache: join(place.dir, 'cache'),
      },
    });
  };
  await add('same', packed.integrity);
  const binary = join(place.dir, 'same/node_modules', name, 'keyring.node');
  expect(readFileSync(binary, 'utf8')).toBe('binary');
  const other = `sha512-${Buffer.alloc(64).toString('base64')}`;
  await expect(add('other', other)).rejects.toThrow('does not have the hash of package-lock.json');
  expect(existsSync(join(place.dir, 'other/node_modules'))).toBe(false);
});
