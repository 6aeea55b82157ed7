/**
 * Decides whether two names can belong to one person; an import asks before it merges two records.
 */
import { loadNicknames, type Nicknames } from './nicknames.ts';
import { type NormalizedName, normalizeName } from './normalize-name.ts';

export interface GivenName {
  readonly first: string;
  readonly last: string;
}

let nicknames: Nicknames | null = null;

function nicknameTable(): Nicknames {
  nicknames ??= loadNicknames();
  return nicknames;
}

function areFirstsCompatible(a: NormalizedName, b: NormalizedName): boolean {
  if (!a.firstKeys.length || !b.firstKeys.length) return true;
  const table = nicknameTable();
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

const everyName = '*';
const noFirst = '';
const ofInitial = (key: string): string => `${key[0]}${everyName}`;

/** Keys of a name, of which a compatible name of the same last name has one in listSoughtKeys. */
export function listHeldKeys({ first, last }: GivenName): string[] {
  const { firstKeys } = normalizeName(first, last);
  if (firstKeys.length === 0) return [noFirst, everyName];
  return [...firstKeys, ...firstKeys.map(ofInitial), everyName];
}

/** The keys under which listHeldKeys has every name that is compatible with a name. */
export function listSoughtKeys({ first, last }: GivenName): Set<string> {
  const { firstKeys } = normalizeName(first, last);
  if (firstKeys.length === 0) return new Set([everyName]);
  const { direct, siblings } = nicknameTable();
  const ofKey = (key: string): string[] =>
    key.length === 1
      ? [ofInitial(key)]
      : [key, key[0]!, ...(direct.get(key) ?? []), ...(siblings.get(key) ?? [])];
  return new Set([noFirst, ...firstKeys.flatMap(ofKey)]);
}

/** The key of a last name, as stored in person.last_key. */
export function lastNameKey(name: GivenName): string {
  return normalizeName(name.first, name.last).last;
}
