// The sample in the product: real, openly licensed data, and contacts to try it with.
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { resourcesDir } from '../../platform/paths.ts';
import { createPrivateFolder } from '../../platform/private-files.ts';

export const sampleSource = 'Sample directory';

export interface SampleFiles {
  /** People, gzipped CSV. */
  readonly people: string;
  /** Companies, gzipped CSV. */
  readonly companies: string;
  /** A contact list to enrich, plain CSV. */
  readonly contacts: string;
}

export function sampleFiles(): SampleFiles {
  const dir = join(resourcesDir(), 'sample');
  return {
    people: join(dir, 'people.csv.gz'),
    companies: join(dir, 'companies.csv.gz'),
    contacts: join(dir, 'sample-contacts.csv'),
  };
}

/** Unpacks the sample's lists to a folder (created if missing), for importDirectory. */
export async function unpackSample(
  dir: string,
): Promise<{ readonly people: string; readonly companies: string }> {
  createPrivateFolder(dir);
  const packed = sampleFiles();
  const unpacked = { people: join(dir, 'people.csv'), companies: join(dir, 'companies.csv') };
  for (const kind of ['people', 'companies'] as const)
    await pipeline(
      createReadStream(packed[kind]),
      createGunzip(),
      createWriteStream(unpacked[kind], { mode: 0o600 }),
    );
  return unpacked;
}
