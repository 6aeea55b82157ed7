// How common names are among all people. bench/train/name-frequencies.mjs writes the table.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { resourcesDir } from '../platform/paths.ts';

export const nameKinds = ['male', 'female', 'surname'] as const;
export type NameKind = (typeof nameKinds)[number];

/** Names, folded, that so many of a million people have. */
export interface NameClass {
  readonly kind: NameKind;
  readonly perMillion: number;
  readonly names: readonly string[];
}

/** People of a million for a class of the table. */
const perMillionOf = (number: string): number => 2 ** (Number(number) / 2);

/** The table. Throws if it is missing. */
export function readNameTable(): NameClass[] {
  const path = join(resourcesDir(), 'matching', 'name-frequencies.txt.gz');
  const lines = gunzipSync(readFileSync(path)).toString('latin1').split('\n');
  return lines.filter(Boolean).map((line) => {
    const [kind, number, ...names] = line.split(' ');
    return { kind: kind as NameKind, perMillion: perMillionOf(number ?? ''), names };
  });
}
