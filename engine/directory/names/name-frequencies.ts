// Names by number: what a name says must not depend on how many people the directory holds.
import { type NameKind, nameKinds, readNameTable } from '../../spreadsheet/name-table.ts';
import { createKeysBuilder, findText, type Keys } from '../index/index-dictionary.ts';

interface Table extends Keys {
  /** Of a million people, those with each name; 0 for fewer than the table counts. */
  readonly perMillion: Readonly<Record<NameKind, Float32Array>>;
}

function readTable(): Table {
  const builder = createKeysBuilder();
  const parsed = readNameTable().map(({ kind, perMillion: share, names }) => ({
    kind,
    share,
    ids: names.map(builder.add),
  }));
  const lists = nameKinds.map((kind) => [kind, new Float32Array(builder.count())] as const);
  const perMillion = Object.fromEntries(lists) as Record<NameKind, Float32Array>;
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
