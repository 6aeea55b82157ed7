// Refreshes the lists of domains of free and of disposable mail in resources/reference before a
// release: `npx node scripts/reference/refresh-mail-domains.mjs`.
//
// The lists are those of two kept packages, which are downloaded into a temporary folder and never
// run. A domain of disposable mail is not repeated in the list of free mail.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, '../../resources/reference');
const sources = {
  free: { name: 'free-email-domains', file: 'domains.json' },
  disposable: {
    name: 'disposable-email-domains-js',
    file: 'dist/dict/disposable_email_blocklist.json',
  },
};
const domain = /^(?:[a-z0-9_-]+\.)+[a-z0-9-]{2,}$/;

/**
 * The lines of both tables.
 * @param {readonly string[]} free
 * @param {readonly string[]} disposable
 */
export function uniteMailDomains(free, disposable) {
  /** @type {(list: Iterable<string>) => string[]} */
  const clean = (list) =>
    [...new Set([...list].map((name) => name.trim().toLowerCase()))]
      .filter((name) => domain.test(name))
      .sort();
  const thrownAway = clean(disposable);
  const known = new Set(thrownAway);
  return { free: clean(free).filter((name) => !known.has(name)), disposable: thrownAway };
}

/**
 * The domains that a package lists, and its version.
 * @param {string} place
 * @param {{ name: string, file: string }} source
 */
function download(place, { name, file }) {
  const options = { cwd: place, encoding: /** @type {const} */ ('utf8') };
  const packed = execFileSync('npm', ['pack', `${name}@latest`, '--ignore-scripts'], options);
  const archive = packed.trim().split('\n').at(-1) ?? '';
  execFileSync('tar', ['-xzf', archive, `package/${file}`], options);
  const list = JSON.parse(readFileSync(join(place, 'package', file), 'utf8'));
  console.log(`${archive}: ${list.length} domains`);
  return list;
}

if (process.argv[1] === import.meta.filename) {
  const place = mkdtempSync(join(tmpdir(), 'mail-domains-'));
  try {
    const free = download(place, sources.free);
    const lists = uniteMailDomains(free, download(place, sources.disposable));
    for (const [kind, list] of Object.entries(lists)) {
      const bytes = gzipSync(`${list.join('\n')}\n`, { level: 9 });
      writeFileSync(join(folder, `${kind}_mail_domains.txt.gz`), bytes);
      console.log(`${kind}: ${list.length} domains, ${bytes.length} bytes`);
    }
  } finally {
    rmSync(place, { recursive: true });
  }
}
