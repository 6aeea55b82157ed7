// Writes resources/reference/public_suffixes.txt.gz from the data of tldts (MIT), which has the
// rules of publicsuffix.org (MPL 2.0), those of companies that rent out names included:
// `npx node scripts/reference/generate-public-suffixes.mjs`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const root = join(import.meta.dirname, '../..');
const dataPath = join(root, 'node_modules/tldts/dist/es6/src/data/trie.js');

/**
 * The rules of more than one label, sorted: "co.uk", "*.ck", and "!www.ck", which is no suffix
 * although a rule covers it. Without a rule, the last label is the suffix.
 */
export async function listPublicSuffixes() {
  const { nodeFlags, edgeStart, edgeLength, edgeChild, labelText, rulesRoot, exceptionsRoot } =
    await import(dataPath);
  /** @type {number[]} */
  const offsets = [];
  let offset = 0;
  for (const length of edgeLength) {
    offsets.push(offset);
    offset += length;
  }
  /** @type {string[]} */
  const rules = [];
  /** @type {(node: number, suffix: string, mark: string) => void} */
  const walk = (node, suffix, mark) => {
    if (suffix.includes('.') && nodeFlags[node] !== 0) rules.push(mark + suffix);
    for (let edge = edgeStart[node]; edge < edgeStart[node + 1]; edge++) {
      const label = labelText.slice(offsets[edge], offsets[edge] + edgeLength[edge]);
      walk(edgeChild[edge], suffix === '' ? label : `${label}.${suffix}`, mark);
    }
  };
  walk(rulesRoot, '', '');
  walk(exceptionsRoot, '', '!');
  return rules.sort().join('\n').concat('\n');
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(
    join(root, 'resources/reference/public_suffixes.txt.gz'),
    gzipSync(await listPublicSuffixes(), { level: 9 }),
  );
