/** Reads a finished archive back, so that a backup is not reported before it can be restored. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { EngineError } from '../contract/errors.ts';
import { unpackArchive } from './archive.ts';
import { type Manifest, manifestName } from './backup-manifest.ts';

/**
 * Compares every file of an archive with the manifest. Throws `read_only` if one differs: the disk
 * did not keep what was written.
 */
export async function verifyArchive(
  path: string,
  manifest: Manifest,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const unzipped = createGunzip();
  // The reader of the unzipped bytes receives the error.
  pipeline(createReadStream(path), unzipped, () => {});
  const missing = new Map(manifest.files.map((file) => [file.name, file]));
  for await (const { name, content } of unpackArchive(unzipped)) {
    const hash = createHash('sha256');
    for await (const piece of content) {
      hash.update(piece);
      if (name !== manifestName) onBytes(piece.length);
    }
    if (missing.get(name)?.sha256 === hash.digest('hex')) missing.delete(name);
  }
  const [lost] = missing.keys();
  if (lost !== undefined)
    throw new EngineError(
      'read_only',
      `The backup was written, but ${lost} in it differs when it is read again. Check the disk, ` +
        'then make the backup on another one.',
    );
}
