// The feed of a release, laid out by its script and served as files: newer, older, tampered and
// unsigned packages, asked by the classes of electron-updater for each system and processor. What
// only Electron proves: that the app quits and the new one starts, and the installers of Windows
// and macOS (docs/updates.md).
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { NodeHttpExecutor } from 'builder-util/out/nodeHttpExecutor.js';
import {
  configureRequestOptions,
  configureRequestUrl,
  type DownloadOptions,
} from 'builder-util-runtime';
import { AppImageUpdater } from 'electron-updater/out/AppImageUpdater.js';
import type { AppUpdater } from 'electron-updater/out/AppUpdater.js';
import { MacUpdater } from 'electron-updater/out/MacUpdater.js';
import { NsisUpdater } from 'electron-updater/out/NsisUpdater.js';
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { judgeOffer } from '../../../main/updates/update-policy.ts';
import { type UpdateClient, Updates } from '../../../main/updates/updates.ts';
import { layOutFeed } from '../../../scripts/release/feed.mjs';
import { showPublicKey, signFeed } from '../../../scripts/sign-feed.mjs';
import { makeTemporaryFolder } from '../../migrations/temporary-store.ts';

const keys = generateKeyPairSync('ed25519');
const x = keys.publicKey.export({ format: 'jwk' }).x ?? '';
const key = Buffer.from(x, 'base64url').toString('base64');
/** A program, so that the test sees that the installed one is the offered one. */
const program = (version: string) => `#!/bin/sh\n# ${version}\nexit 0\n`;

/** Downloads with Node as Electron's executor does with its own network. */
class Executor extends NodeHttpExecutor {
  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const request = { headers: options.headers ?? {} };
      configureRequestUrl(url, request);
      configureRequestOptions(request);
      const callback = (error: Error | null) => (error ? reject(error) : resolve(destination));
      this.doDownload(
        request,
        { destination, options, onCancel, callback, responseHandler: null },
        0,
      );
    });
  }
}

// MacUpdater hands the file to Electron's own updater, which only a Mac has.
const nativeUpdater = [
  "const { EventEmitter } = require('node:events');",
  'exports.autoUpdater = Object.assign(new EventEmitter(), { setFeedURL() {} });',
].join('\n');
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron'
      ? { url: 'file:///native-updater.cjs', format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url === 'file:///native-updater.cjs'
      ? { source: nativeUpdater, format: 'commonjs', shortCircuit: true }
      : next(url, context),
});
afterAll(() => hooks.deregister());

interface Target {
  readonly platform: NodeJS.Platform;
  readonly processor: string;
  readonly part: string;
  /** What electron-builder calls the channel files after the channel. */
  readonly suffix: string;
  readonly ending: string;
  readonly Updater: new (options: undefined, adapter: never) => AppUpdater;
}
const targets: readonly Target[] = (['arm64', 'x64'] as const).flatMap((processor) => [
  {
    platform: 'linux',
    processor,
    part: `linux-${processor}`,
    suffix: processor === 'x64' ? '-linux' : '-linux-arm64',
    ending: `linux-${processor === 'x64' ? 'x86_64' : processor}.AppImage`,
    Updater: AppImageUpdater,
  },
  {
    platform: 'win32',
    processor,
    part: `win-${processor}`,
    suffix: '',
    ending: `win-${processor}.exe`,
    Updater: NsisUpdater,
  },
  {
    platform: 'darwin',
    processor,
    part: `mac-${processor}`,
    suffix: '-mac',
    ending: `mac-${processor}.zip`,
    Updater: MacUpdater,
  },
]);
const [usual] = targets as [Target];

interface Offer {
  readonly version: string;
  readonly isSigned?: boolean;
  readonly channel?: string;
  /** What the server sends instead of the signed file. */
  readonly sent?: string;
  readonly stagingPercentage?: number;
}

/** Lays an offer out with the script of the release, for all targets. Returns the feed's folder. */
async function layOutOffer(offer: Offer): Promise<string> {
  const { version, isSigned = true, channel = 'latest', sent } = offer;
  const folder = makeTemporaryFolder();
  const sha512 = createHash('sha512').update(program(version)).digest('base64');
  for (const { part, suffix, ending } of targets) {
    const path = `desk-${version}-${ending}`;
    const from = join(folder, 'parts', part);
    mkdirSync(from, { recursive: true });
    writeFileSync(join(from, path), program(version));
    const files = [{ url: path, sha512, size: Buffer.byteLength(program(version)) }];
    const releaseDate = '2026-11-23T00:00:00.000Z';
    const releaseNotes = '<b>Faster</b> search';
    const text = JSON.stringify({ version, files, path, sha512, releaseDate, releaseNotes });
    writeFileSync(join(from, `${channel}${suffix}.yml`), text);
  }
  const pem = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await layOutFeed(join(folder, 'parts'), join(folder, 'out'), isSigned ? pem : undefined);
  const feed = join(folder, 'out/feed');
  for (const name of readdirSync(feed, { recursive: true }) as string[]) {
    const path = join(feed, name);
    if (name.endsWith('.yml') && offer.stagingPercentage !== undefined)
      appendFileSync(path, `stagingPercentage: ${offer.stagingPercentage}\n`);
    if (/\.(AppImage|exe|zip)$/.test(name) && sent !== undefined) writeFileSync(path, sent);
  }
  return feed;
}

/** Serves an offer as a static web server does, and lists the files that were asked for. */
async function openFeed(offer: Offer) {
  const folder = await layOutOffer(offer);
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const [path = ''] = url.split('?');
    asked.push(path);
    const file = join(folder, path);
    if (existsSync(file) && statSync(file).isFile()) response.end(readFileSync(file));
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Runs the updater as on another processor, whose files it chooses by this property. */
function becomeProcessor(processor: string): void {
  const own = Object.getOwnPropertyDescriptor(process, 'arch');
  Object.defineProperty(process, 'arch', { ...own, value: processor });
  onTestFinished(() => void Object.defineProperty(process, 'arch', own ?? {}));
}

/** An installed app of version 1.2.0 that asks a feed. */
async function openApp(
  offer: Offer,
  plan: { channel?: 'stable' | 'beta'; backUp?: Error; target?: Target } = {},
) {
  const { platform, processor, Updater } = plan.target ?? usual;
  becomeProcessor(processor);
  const feed = await openFeed(offer);
  const folder = makeTemporaryFolder();
  const appImage = join(folder, 'Desk.AppImage');
  writeFileSync(appImage, program('1.2.0'));
  chmodSync(appImage, 0o755);
  vi.stubEnv('APPIMAGE', appImage);
  onTestFinished(() => void vi.unstubAllEnvs());
  const config = join(folder, 'app-update.yml');
  writeFileSync(config, 'updaterCacheDirName: desk\n');
  mkdirSync(join(folder, 'data'));
  const adapter = {
    version: '1.2.0',
    name: 'desk',
    isPackaged: true,
    appUpdateConfigPath: config,
    userDataPath: join(folder, 'data'),
    baseCachePath: join(folder, 'cache'),
    whenReady: async () => undefined,
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  };
  const steps: string[] = [];
  const updates = new Updates({
    current: '1.2.0',
    platform,
    processor,
    async loadClient() {
      const client = new Updater(undefined, adapter as never);
      client.logger = null;
      // MacUpdater serves the downloaded file to Electron's own updater.
      const mac = client as unknown as { closeServerIfExists?(): void };
      onTestFinished(() => mac.closeServerIfExists?.());
      const _testOnlyOptions = { platform, isUseDifferentialDownload: false };
      Object.assign(client, { httpExecutor: new Executor(), _testOnlyOptions });
      // Only Electron can quit; the installation of an AppImage before it is real.
      client.quitAndInstall = (isSilent, isForceRunAfter) => {
        const installer = client as AppImageUpdater;
        steps.push(`install ${installer.install(isSilent, isForceRunAfter)}`);
      };
      return client as unknown as UpdateClient;
    },
    async backUp() {
      steps.push('backup');
      if (plan.backUp) throw plan.backUp;
    },
    stopEngine: async () => void steps.push('batch written, engine ended'),
    relaunch: () => void steps.push('relaunch'),
    now: () => new Date('2026-11-23T10:00:00Z'),
  });
  const channel = plan.channel ?? 'stable';
  updates.configure({ isOn: true, feed: feed.url, key, channel });
  const listDownloads = () =>
    existsSync(join(folder, 'cache/desk/pending'))
      ? readdirSync(join(folder, 'cache/desk/pending')).filter((name) => /^desk-/.test(name))
      : [];
  return { ...feed, updates, appImage, steps, listDownloads };
}

test('a newer signed version is downloaded and replaces the app after a backup', {
  tags: ['posix'],
}, async () => {
  const { updates, appImage, steps, listDownloads } = await openApp({ version: '1.3.0' });
  const states: string[] = [];
  updates.onChange(({ state }) => states.push(state));
  await updates.check();
  expect(updates.state).toMatchObject({
    state: 'ready',
    version: '1.3.0',
    notes: 'Faster search',
    current: '1.2.0',
    checked_at: '2026-11-23T10:00:00.000Z',
  });
  expect([...new Set(states)]).toEqual(['checking', 'downloading', 'ready']);
  expect(listDownloads()).toEqual(['desk-1.3.0-linux-arm64.AppImage']);
  // Nothing changes before the user asks for it.
  expect([steps, readFileSync(appImage, 'utf8')]).toEqual([[], program('1.2.0')]);
  await updates.check();
  expect(updates.state.state).toBe('ready');
  await updates.restart();
  expect(steps).toEqual(['backup', 'batch written, engine ended', 'install true']);
  expect(readFileSync(appImage, 'utf8')).toBe(program('1.3.0'));
});

test.each([
  ['an older version', { version: '1.1.0' }, /offers an older version/],
  ['a package without a signature', { version: '1.3.0', isSigned: false }, /has no signature/],
  ['a test version', { version: '1.3.0-beta.1' }, /offers a test version/],
])('%s is refused before it is downloaded', async (_case, offer, sentence) => {
  const { updates, asked, listDownloads } = await openApp(offer);
  await updates.check();
  expect(updates.state).toMatchObject({
    state: 'refused',
    version: offer.version,
    sentence: expect.stringMatching(sentence),
  });
  expect(asked).toEqual(['/linux/arm64/latest-linux-arm64.yml']);
  expect(listDownloads()).toEqual([]);
  await updates.restart();
  expect(updates.state.state).toBe('refused');
});

test.each(targets.map((target) => [target.part, target] as const))(
  'the app of %s finds its version in the feed of a release, and refuses another file',
  async (part, target) => {
    const good = await openApp({ version: '1.3.0' }, { target });
    await good.updates.check();
    expect(good.updates.state).toMatchObject({ state: 'ready', version: '1.3.0' });
    const name = `desk-1.3.0-${target.ending}`;
    const folder = `/${part.replace('-', '/')}`;
    expect(good.asked).toEqual([`${folder}/latest${target.suffix}.yml`, `${folder}/${name}`]);
    const tampered = await openApp({ version: '1.3.0', sent: program('6.6.6') }, { target });
    await tampered.updates.check();
    expect(tampered.updates.state).toMatchObject({
      state: 'refused',
      sentence: expect.stringMatching(/not the one that was signed/),
    });
    expect(tampered.listDownloads()).toEqual([]);
    const unsigned = await openApp({ version: '1.3.0', isSigned: false }, { target });
    await unsigned.updates.check();
    expect([unsigned.updates.state.state, unsigned.asked]).toEqual([
      'refused',
      [`${folder}/latest${target.suffix}.yml`],
    ]);
  },
);

test('a package that is not the signed one is deleted', async () => {
  const offer = { version: '1.3.0', sent: program('1.3.0').replace('exit 0', 'evil 0') };
  const { updates, appImage, listDownloads, steps } = await openApp(offer);
  await updates.check();
  expect(updates.state).toMatchObject({
    state: 'refused',
    sentence: expect.stringMatching(/not the one that was signed/),
  });
  expect(listDownloads()).toEqual([]);
  await updates.restart();
  expect([steps, readFileSync(appImage, 'utf8')]).toEqual([[], program('1.2.0')]);
});

test.each([
  ['the same version', { version: '1.2.0', isSigned: false }, 'stable', 'idle'],
  [
    'a version whose rollout has not begun',
    { version: '1.3.0', stagingPercentage: 0 },
    'stable',
    'idle',
  ],
  ['a version for everybody', { version: '1.3.0', stagingPercentage: 100 }, 'stable', 'ready'],
  ['a test version on its channel', { version: '1.3.0-beta.1', channel: 'beta' }, 'beta', 'ready'],
] as const)('with %s the state is right', async (_case, offer, channel, state) => {
  const { updates } = await openApp(offer, { channel });
  await updates.check();
  expect(updates.state.state).toBe(state);
});

test('a feed that does not answer is said, and is asked again', async () => {
  const { updates } = await openApp({ version: '1.3.0', channel: 'beta' });
  await updates.check();
  expect(updates.state).toMatchObject({
    state: 'failed',
    sentence: expect.stringMatching(/^The update check failed: /),
  });
  updates.configure({ isOn: false, reason: 'organisation' });
  await updates.check();
  expect(updates.state).toMatchObject({ state: 'off', channel: null, checked_at: null });
});

test('without a backup nothing is stopped, and the update stays ready', async () => {
  const backUp = new Error('Free disk space.');
  const { updates, steps } = await openApp({ version: '1.3.0' }, { backUp });
  await updates.check();
  await updates.restart();
  expect(updates.state).toMatchObject({
    state: 'ready',
    sentence: 'The update waits, as no backup could be made. Free disk space.',
  });
  expect(steps).toEqual(['backup']);
});

test('the app starts again if the installer cannot replace it', async () => {
  const { updates, steps } = await openApp({ version: '1.3.0' });
  await updates.check();
  vi.stubEnv('APPIMAGE', 'no/absolute/path');
  await updates.restart();
  expect(steps).toEqual(['backup', 'batch written, engine ended', 'relaunch', 'install false']);
});

test('a feed that electron-builder wrote is signed by the script, again and again', () => {
  const text = [
    'version: 1.3.0',
    'files:',
    '  - url: Enrichment Desk-1.3.0.AppImage',
    '    sha512: q1+/==',
    '    size: 12',
    '    blockMapSize: 3',
    "  - url: 'desk_1.3.0_amd64.deb'",
    '    sha512: "deb=="',
    'path: Enrichment Desk-1.3.0.AppImage',
    'sha512: q1+/==',
    "releaseDate: '2026-11-23T00:00:00.000Z'",
    '',
  ].join('\n');
  const once = signFeed(text, keys.privateKey);
  expect(signFeed(once, keys.privateKey)).toBe(once);
  expect(showPublicKey(keys.privateKey)).toBe(key);
  const context = { current: '1.2.0', key, channel: 'stable' } as const;
  const parse = (feed: string) => parseUpdateInfo(feed, 'latest.yml', new URL('http://127.0.0.1'));
  expect(judgeOffer(parse(once), context)).toEqual({ verdict: 'take' });
  const altered = once.replace('deb==', 'evil=');
  expect(judgeOffer(parse(altered), context)).toEqual({
    verdict: 'refuse',
    reason: 'bad_signature',
  });
  expect(() => signFeed('version: 1.3.0\nfiles: []\n', keys.privateKey)).toThrow(/no version/);
});
