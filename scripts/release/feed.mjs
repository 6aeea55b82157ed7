// `node scripts/release/feed.mjs FOLDER OUT`: lays out the feed of updates of all systems, and
// writes the checksums of a release. FOLDER has one folder per system and processor (such as
// mac-arm64), as release.yml uploads them. DESK_UPDATE_PRIVATE_KEY signs the feed.
import { createHash, createPrivateKey } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { parse, stringify } from 'yaml';

const signer = join(dirname(import.meta.dirname), 'sign-feed.mjs');

/** The description of the newest version of a channel, such as latest-mac.yml or beta.yml. */
const isChannelFile = (name) => /^(latest|beta|alpha)(-[a-z0-9-]+)?\.yml$/.test(name);
/** What is offered for download: installers, and the npm package. */
const isInstaller = (name) => /\.(dmg|zip|exe|AppImage|deb|rpm|tgz)$/.test(name);

async function hashFile(path, algorithm, encoding) {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path), hash);
  return hash.digest(encoding);
}

/** Reads a channel file. Throws unless every file that it names is in its folder with its hash. */
async function readChannel(folder, name) {
  const channel = parse(readFileSync(join(folder, name), 'utf8'));
  if (!(channel.files?.length > 0)) throw new Error(`${join(folder, name)} names no files.`);
  for (const { url, sha512 } of channel.files) {
    if (!readdirSync(folder).includes(url))
      throw new Error(`${name} names ${url}, which is absent.`);
    if ((await hashFile(join(folder, url), 'sha512', 'base64')) !== sha512)
      throw new Error(`${url} does not have the hash that ${name} states.`);
  }
  return channel;
}

/**
 * The folder of a part in the feed, where its apps ask (main/updates/update-policy.ts).
 * @param {string} part such as mac-arm64
 */
function feedFolderOf(part) {
  if (!/^(linux|mac|win)-(arm64|x64)$/.test(part))
    throw new Error(`${part} is no system and processor, such as mac-arm64.`);
  return part.replace('-', '/');
}

async function signText(text, privateKey) {
  if (!privateKey) return text;
  const { signFeed } = await import(pathToFileURL(signer).href);
  return signFeed(text, createPrivateKey(privateKey));
}

/**
 * Writes `OUT/feed` with a folder for each system and processor, which has its channel files and
 * what they name, and `OUT/release` with every installer and SHA256SUMS.
 * @param {string} folder absolute
 * @param {string} out absolute
 * @param {string | undefined} privateKey PEM of the key that signs the channel files
 */
export async function layOutFeed(folder, out, privateKey) {
  const release = join(out, 'release');
  mkdirSync(release, { recursive: true });
  const sums = [];
  const versions = new Set();
  for (const part of readdirSync(folder).sort()) {
    const from = join(folder, part);
    const names = readdirSync(from).sort();
    for (const name of names.filter(isInstaller)) {
      copyFileSync(join(from, name), join(release, name));
      sums.push(`${await hashFile(join(from, name), 'sha256', 'hex')}  ${name}`);
    }
    if (!names.some(isChannelFile)) continue;
    const to = join(out, 'feed', feedFolderOf(part));
    mkdirSync(to, { recursive: true });
    for (const name of names)
      if (isChannelFile(name)) {
        const channel = await readChannel(from, name);
        versions.add(channel.version);
        const text = stringify(channel, { lineWidth: 0 });
        writeFileSync(join(to, name), await signText(text, privateKey));
      } else if (isInstaller(name) || name.endsWith('.blockmap'))
        copyFileSync(join(from, name), join(to, name));
  }
  if (sums.length === 0) throw new Error(`There are no installers in ${folder}.`);
  if (versions.size > 1)
    throw new Error(`The channel files name the versions ${[...versions].join(', ')}.`);
  writeFileSync(join(release, 'SHA256SUMS'), `${sums.join('\n')}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, out] = process.argv.slice(2);
  const privateKey = process.env.DESK_UPDATE_PRIVATE_KEY;
  if (!privateKey)
    console.error('The feed is NOT SIGNED: apps refuse it. Set DESK_UPDATE_PRIVATE_KEY.');
  await layOutFeed(folder, out, privateKey);
}
