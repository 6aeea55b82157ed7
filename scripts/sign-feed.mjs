// Signs the files of a feed of updates: node scripts/sign-feed.mjs dist/latest-linux.yml …
// DESK_UPDATE_PRIVATE_KEY is the private Ed25519 key as PEM. Without files it prints a new pair.
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { signOffer } from '../main/updates/feed-signature.ts';

const unquote = (text) => text.trim().replace(/^(['"])(.*)\1$/, '$2');

/** The version and the files of a feed, as electron-builder writes it. */
function readOffer(text) {
  const version = unquote(/^version: *(.+)$/m.exec(text)?.[1] ?? '');
  const list = /^files:\n((?:[ -].*\n?)*)/m.exec(text)?.[1] ?? '';
  const files = list
    .split(/^ *- /m)
    .slice(1)
    .map((entry) => ({
      url: unquote(/^ *url: *(.+)$/m.exec(entry)?.[1] ?? ''),
      sha512: unquote(/^ *sha512: *(.+)$/m.exec(entry)?.[1] ?? ''),
    }));
  if (!version || files.length === 0 || files.some(({ url, sha512 }) => !url || !sha512))
    throw new Error('it has no version, or a file without url or sha512');
  return { version, files };
}

/** The text of a feed with the signature of a key, which replaces an earlier one. */
export function signFeed(text, privateKey) {
  const unsigned = `${text.replace(/^signature: .*\n?/m, '').trimEnd()}\n`;
  return `${unsigned}signature: ${signOffer(readOffer(unsigned), privateKey)}\n`;
}

/** The public key as DESK_UPDATE_KEY and team configurations have it: 32 bytes in base64. */
export const showPublicKey = (key) =>
  Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x, 'base64url').toString('base64');

function run(paths) {
  if (paths.length === 0) {
    const { privateKey } = generateKeyPairSync('ed25519');
    console.log(privateKey.export({ type: 'pkcs8', format: 'pem' }).trim());
    console.log(`DESK_UPDATE_KEY=${showPublicKey(privateKey)}`);
    return;
  }
  const pem = process.env.DESK_UPDATE_PRIVATE_KEY;
  if (!pem) throw new Error('Set DESK_UPDATE_PRIVATE_KEY to the private key of the feed.');
  const key = createPrivateKey(pem);
  for (const path of paths) {
    writeFileSync(path, signFeed(readFileSync(path, 'utf8'), key));
    console.log(`signed ${path} for ${showPublicKey(key)}`);
  }
}

if (import.meta.main) run(process.argv.slice(2));
