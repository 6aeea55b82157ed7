/**
 * How common names are among all people, in the directory or not: what a name says of who is meant
 * must not depend on how many people the directory holds. scripts/name-frequencies.mjs writes the
 * table.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { resourcesDir } from '../../platform/paths.ts';
import { createKeysBuilder, findText, type Keys } from '../index/index-dictionary.ts';

const kinds = ['male', 'female', 'surname'] as const;
type Kind = (typeof kinds)[number];

interface Table extends Keys {
  /** Of a million people, those with each name; 0 for fewer than the table counts. */
  readonly perMillion: Readonly<Record<Kind, Float32Array>>;
}

/** People of a million for a class of the table. */
const perMillionOf = (number: string): number => 2 ** (Number(number) / 2);

function readTable(): Table {
  const path = join(resourcesDir(), 'matching', 'name-frequencies.txt.gz');
  const lines = gunzipSync(readFileSync(path)).toString('latin1').split('\n');
  const builder = createKeysBuilder();
  const parsed = lines.filter(Boolean).map((line) => {
    const [kind, number, ...names] = line.split(' ');
    return { kind: kind as Kind, share: perMillionOf(number!), ids: names.map(builder.add) };
  });
  const lists = kinds.map((kind) => [kind, new Float32Array(builder.count())] as const);
  const perMillion = Object.fromEntries(lists) as Record<Kind, Float32Array>;
  for (const { kind, share, ids } of parsed) for (const id of ids) perMillion[kind][id] = share;
  return { slots: builder.finish().slots, perMillion };
}

let loaded: Table | null = null;

function table(): Table {
  loaded ??= readTable();
  return loaded;
}

/** The number of a folded name; -1 if the table lacks it. Throws if the table is missing. */
export const numberOfName = (folded: string): number => findText(table(), folded);

/** People of a million with a given name; 0 if it is rarer than the table counts, or none. */
export function givenPerMillion(number: number): number {
  const { male, female } = table().perMillion;
  return number < 0 ? 0 : male[number]! + female[number]!;
}

/** People of a million with a surname; 0 if it is rarer than the table counts, or none. */
export const surnamePerMillion = (number: number): number =>
  number < 0 ? 0 : table().perMillion.surname[number]!;

/** Of one sex are nearly all people with a name that the other sex has so many times less. */
const oneSexFactor = 12;

/** Whether a given name is nearly only men's and another nearly only women's. */
export function areOfTwoSexes(one: number, other: number): boolean {
  if (one < 0 || other < 0) return false;
  const { male, female } = table().perMillion;
  const sexOf = (number: number): number => {
    const [men, women] = [male[number]!, female[number]!];
    return men > women * oneSexFactor ? 1 : women > men * oneSexFactor ? -1 : 0;
  };
  return sexOf(one) * sexOf(other) < 0;
}
