// The update policy: whether the app asks, and which offers it takes.
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { signOffer } from '../../../main/updates/feed-signature.ts';
import {
  compareVersions,
  feedFolder,
  judgeOffer,
  planUpdates,
  readNotes,
} from '../../../main/updates/update-policy.ts';

const build = { feed: 'https://files.example/desk', key: 'k' };
const chosen = { isOn: true, channel: 'stable' } as const;
const off = (reason: string) => ({ isOn: false, reason });

test.each([
  ['an installed build', true, build, {}, chosen, { isOn: true, ...build, channel: 'stable' }],
  ['a copy that was not installed', false, build, {}, chosen, off('not_installed')],
  ['a build without a feed', true, { ...build, feed: null }, {}, chosen, off('no_feed')],
  ['a build without a key', true, { ...build, key: null }, {}, chosen, off('no_key')],
  ['a user who switched them off', true, build, {}, { ...chosen, isOn: false }, off('user')],
  [
    'an organisation that switched them off',
    true,
    build,
    { mode: 'off' },
    chosen,
    off('organisation'),
  ],
  [
    'an organisation that wants them',
    true,
    build,
    { mode: 'on', channel: 'beta' },
    { ...chosen, isOn: false },
    { isOn: true, ...build, channel: 'beta' },
  ],
  [
    'an organisation with a server of its own',
    true,
    { feed: null, key: null },
    { feed: 'https://own.example', key: 'own' },
    chosen,
    { isOn: true, feed: 'https://own.example', key: 'own', channel: 'stable' },
  ],
] as Parameters<typeof planCase>[])('with %s updates are planned so', planCase);

function planCase(
  _case: string,
  isInstalled: boolean,
  given: Parameters<typeof planUpdates>[1],
  rules: Parameters<typeof planUpdates>[2],
  choice: Parameters<typeof planUpdates>[3],
  plan: object,
) {
  expect(planUpdates(isInstalled, given, rules, choice)).toEqual(plan);
}

const keys = generateKeyPairSync('ed25519');
const publicKey = Buffer.from(keys.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
const context = { current: '1.2.0', key: publicKey.toString('base64'), channel: 'stable' } as const;
const files = [{ url: 'Desk-1.AppImage', sha512: 'abc' }];
const signed = (version: string) => ({
  version,
  files,
  releaseDate: 'ignored',
  signature: signOffer({ version, files }, keys.privateKey),
});
const refused = (reason: string) => ({ verdict: 'refuse', reason });

test.each([
  ['a newer version with its signature', signed('1.3.0'), { verdict: 'take' }],
  ['the same version', { version: '1.2.0', files }, { verdict: 'current' }],
  ['an older version, signed', signed('1.1.9'), refused('older')],
  ['a pre-release of this version', signed('1.2.0-beta.1'), refused('older')],
  ['a test version on the stable channel', signed('1.3.0-beta.1'), refused('wrong_channel')],
  ['no signature', { version: '1.3.0', files }, refused('unsigned')],
  [
    'the signature of another version',
    { ...signed('1.3.0'), version: '1.4.0' },
    refused('bad_signature'),
  ],
  [
    'the signature of another file',
    { ...signed('1.3.0'), files: [{ url: 'Desk-1.AppImage', sha512: 'abd' }] },
    refused('bad_signature'),
  ],
  ['a signature that is none', { ...signed('1.3.0'), signature: 'AAAA' }, refused('bad_signature')],
  ['a version that is none', signed('9'), refused('malformed')],
  ['no files', { ...signed('1.3.0'), files: [] }, refused('malformed')],
  ['nothing', null, refused('malformed')],
])('an offer with %s is judged', (_case, offer, verdict) => {
  expect(judgeOffer(offer, context)).toEqual(verdict);
});

test('a test version is taken on the beta channel, and nothing by another key', () => {
  const beta = { ...context, channel: 'beta' } as const;
  expect(judgeOffer(signed('1.3.0-beta.1'), beta)).toEqual({ verdict: 'take' });
  const other = { ...context, key: Buffer.alloc(32, 1).toString('base64') };
  expect(judgeOffer(signed('1.3.0'), other)).toEqual(refused('bad_signature'));
  const short = { ...context, key: 'AAAA' };
  expect(judgeOffer(signed('1.3.0'), short)).toEqual(refused('bad_signature'));
});

test('versions are ordered as Semantic Versioning says', () => {
  const ordered = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.1.0',
    '1.10.0',
    '2.0.0',
  ];
  for (const [at, one] of ordered.entries())
    for (const [against, other] of ordered.entries())
      expect(Math.sign(compareVersions(one, other) ?? Number.NaN)).toBe(Math.sign(at - against));
  expect(compareVersions('1.0.0+a', '1.0.0+b')).toBe(0);
  expect(compareVersions('1.0', '1.0.0')).toBeNull();
  expect(compareVersions('01.0.0', '1.0.0')).toBeNull();
});

test('release notes are shown as text', () => {
  expect(readNotes('<h1 onclick="x()">New</h1> 1 < 2 <script>y</script>')).toBe('New 1 < 2 y');
  expect(
    readNotes([
      { version: '1.3.0', note: 'A' },
      { version: '1.2.1', note: null },
    ]),
  ).toBe('1.3.0\nA\n\n1.2.1');
  expect(readNotes(undefined)).toBe('');
});

test.each([
  ['darwin', 'arm64', 'https://files.example/desk/mac/arm64'],
  ['win32', 'x64', 'https://files.example/desk/win/x64'],
  ['linux', 'x64', 'https://files.example/desk/linux/x64'],
] as const)('on %s with %s the feed is in its folder', (platform, processor, folder) => {
  for (const feed of ['https://files.example/desk', 'https://files.example/desk/'])
    expect(feedFolder(feed, platform, processor)).toBe(folder);
});
