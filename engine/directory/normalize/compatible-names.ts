/**
 * Decides whether two names can belong to one person; an import asks before it merges two records.
 */
import { loadNicknames, type Nicknames } from './nicknames.ts';
import { type NormalizedName, normalizeName } from './normalize-name.ts';

/** A name in a record. */
export interface GivenName {
  readonly first: string;
  readonly last: string;
}

let nicknames: Nicknames | null = null;

function areFirstsCompatible(a: NormalizedName, b: NormalizedName): boolean {
  if (!a.firstKeys.length || !b.firstKeys.length) return true;
  const table = nicknames ?? loadNicknames();
  nicknames = table;
  return a.firstKeys.some((one) =>
    b.firstKeys.some(
      (other) =>
        one === other ||
        ((one.length === 1 || other.length === 1) && one[0] === other[0]) ||
        table.direct.get(one)?.has(other) ||
        table.siblings.get(one)?.has(other),
    ),
  );
}

function areLastsCompatible(a: NormalizedName, b: NormalizedName): boolean {
  if (a.last === '' || b.last === '' || a.last === b.last) return true;
  return a.lastParts.includes(b.last) || b.lastParts.includes(a.last);
}

/**
 * The same last name or a part of it, and first names that stand for each other. A missing part is
 * compatible.
 */
export function areNamesCompatible(one: GivenName, other: GivenName): boolean {
  const a = normalizeName(one.first, one.last);
  const b = normalizeName(other.first, other.last);
  const areGenerations = a.generation === 0 || b.generation === 0 || a.generation === b.generation;
  return areGenerations && areLastsCompatible(a, b) && areFirstsCompatible(a, b);
}

/** The key of a last name, as stored in person.last_key. */
export function lastNameKey(name: GivenName): string {
  return normalizeName(name.first, name.last).last;
}
