/** How installers are configured: signing by the environment, updates, a team's file, rights. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configureBuilder } from '../../scripts/make/builder-config.mjs';
import { chooseSigning } from '../../scripts/make/signing.mjs';
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

test('the feed of updates has a folder for each system and processor, or there is none', async () => {
  const configure = async (env: Record<string, string>) =>
    (await configureBuilder(root, 'linux', env, null)).config;
  expect(await configure({ DESK_UPDATE_URL: 'https://updates.team.example/desk/' })).toMatchObject({
    publish: { provider: 'generic', url: `https://updates.team.example/desk/\${os}/\${arch}` },
    generateUpdatesFilesForAllChannels: true,
  });
  expect(await configure({})).toMatchObject({ publish: null });
  const plain = configure({ DESK_UPDATE_URL: 'http://updates.team.example' });
  await expect(plain).rejects.toThrow('DESK_UPDATE_URL must start with https://');
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

test('the uninstaller removes every key that the installer writes', () => {
  const [, install = '', uninstall = ''] = read('scripts/make/installer.nsh').split('!macro ');
  const keys = [...install.matchAll(/WriteRegStr SHCTX "([^"]+)"/g)].map(([, key = '']) => key);
  const removed = [...uninstall.matchAll(/DeleteReg\w+ SHCTX "([^"]+)"/g)].map(([, key]) => key);
  expect(keys.length).toBeGreaterThan(5);
  const left = keys.filter((key) => !removed.some((gone = '') => key.startsWith(gone)));
  expect(left).toEqual([]);
});
