// `node scripts/release/feed.mjs FOLDER OUT`: lays out the files of all systems as a feed for a
// plain web server, and writes their checksums. FOLDER has one folder for each system and processor
// (such as mac-arm64), as the jobs of release.yml upload them.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';

/** The description of the newest version of a channel, such as latest-mac.yml or beta.yml. */
const isChannelFile = (name) => /^(latest|beta|alpha)(-[a-z0-9-]+)?\.yml$/.test(name);
/** What is offered for download: installers, and the npm package. */
const isInstaller = (name) => /\.(dmg|zip|exe|AppImage|deb|rpm|tgz)$/.test(name);

async function hashFile(path, algorithm, encoding) {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(path), hash);
  return hash.digest(encoding);
}

/** Throws unless every file that a channel file names is in its folder with its hash. */
async function checkChannel(folder, name) {
  const { files = [] } = parse(readFileSync(join(folder, name), 'utf8'));
  if (files.length === 0) throw new Error(`${join(folder, name)} names no files.`);
  for (const { url, sha512 } of files) {
    if (!readdirSync(folder).includes(url))
      throw new Error(`${name} names ${url}, which is absent.`);
    if ((await hashFile(join(folder, url), 'sha512', 'base64')) !== sha512)
      throw new Error(`${url} does not have the hash that ${name} states.`);
  }
}

/**
 * Writes `OUT/feed/<os>/<arch>/…` with the channel files and what they name, and
 * `OUT/release/…` with every installer and SHA256SUMS.
 * @param {string} folder absolute
 * @param {string} out absolute
 */
export async function layOutFeed(folder, out) {
  const sums = [];
  mkdirSync(join(out, 'release'), { recursive: true });
  for (const part of readdirSync(folder).sort()) {
    const from = join(folder, part);
    const names = readdirSync(from).sort();
    const [system, arch] = part.split('-');
    const feed = join(out, 'feed', system, arch ?? '');
    const hasChannel = names.some(isChannelFile);
    if (hasChannel) mkdirSync(feed, { recursive: true });
    for (const name of names) {
      if (isChannelFile(name)) await checkChannel(from, name);
      const isOffered = isInstaller(name);
      if (hasChannel && (isOffered || isChannelFile(name) || name.endsWith('.blockmap')))
        copyFileSync(join(from, name), join(feed, name));
      if (!isOffered) continue;
      copyFileSync(join(from, name), join(out, 'release', name));
      sums.push(`${await hashFile(join(from, name), 'sha256', 'hex')}  ${name}`);
    }
  }
  if (sums.length === 0) throw new Error(`There are no installers in ${folder}.`);
  writeFileSync(join(out, 'release/SHA256SUMS'), `${sums.join('\n')}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder, out] = process.argv.slice(2);
  await layOutFeed(folder, out);
}
