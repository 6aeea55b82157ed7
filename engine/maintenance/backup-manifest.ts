// The manifest of a backup, its first file: the size and hash of every other one.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { environmentNames, providerIdPattern, TimestampSchema } from '../contract/ids.ts';

export const manifestName = 'manifest.json';
/** The format version that this version writes, and the newest that it can read. */
export const backupFormat = 1;

export const isDefinitionFile = (name: string): boolean =>
  name.endsWith('.json') && providerIdPattern.test(name.slice(0, -'.json'.length));

/** The files of an input in its folder: its rows, and those that were left out. */
export const inputFiles = ['', 'left-out/'].flatMap((place) => [
  `${place}input.csv`,
  `${place}input.idx`,
]);

const databaseFiles = ['engine.db', 'directory.db'];

/** Whether a backup may contain a file of a name. An archive with any other file is refused. */
function isKnownFile(name: string): boolean {
  const [, input] = /^jobs\/[0-9a-f-]{36}\/(.+)$/.exec(name) ?? [];
  if (input !== undefined) return inputFiles.includes(input);
  const [, definition] = /^providers\/(.+)$/.exec(name) ?? [];
  return definition === undefined ? databaseFiles.includes(name) : isDefinitionFile(definition);
}

/** manifest.json: versions, and every file with its size and SHA-256 in lower-case hex. */
export const ManifestSchema = z.object({
  product: z.literal('Enrichment Desk'),
  format: z.int(),
  environment: z.enum(environmentNames),
  created_at: TimestampSchema,
  store_schema: z.int(),
  directory_schema: z.int(),
  counts: z.record(z.string(), z.int()),
  files: z.array(
    z.object({
      name: z.string().refine(isKnownFile),
      bytes: z.int().min(0),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});
export type Manifest = z.infer<typeof ManifestSchema>;

/** SHA-256 of a file in lower-case hex, and its size. Memory does not grow with the size. */
export async function hashFile(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of createReadStream(path)) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}
