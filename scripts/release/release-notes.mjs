// `node scripts/release/release-notes.mjs VERSION`: prints the notes of a version, for its release.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readNotes } from './changelog.mjs';

const version = (process.argv[2] ?? '').replace(/^v/, '');
const root = dirname(dirname(import.meta.dirname));
const notes = readNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
if (notes === null) {
  console.error(`CHANGELOG.md has no section of the version "${version}".`);
  process.exit(1);
}
console.log(notes);
