// Decides whether two names can belong to one person; an import asks before it merges two records.
import { foldText, isAscii, writeDigraphs } from './fold-text.ts';
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

/** A name as it is written, and with ä, ö, ü, ø and å as two letters if it has one of them. */
function listSpellings({ first, last }: GivenName): GivenName[] {
  if (isAscii(first) && isAscii(last)) return [{ first, last }];
  const written = { first: writeDigraphs(first), last: writeDigraphs(last) };
  const isSame =
    foldText(written.first) === foldText(first) && foldText(written.last) === foldText(last);
  return isSame ? [{ first, last }] : [{ first, last }, written];
}

const normalizeSpellings = (name: GivenName): NormalizedName[] =>
  listSpellings(name).map(({ first, last }) => normalizeName(first, last));

function areNormalizedCompatible(a: NormalizedName, b: NormalizedName): boolean {
  const areGenerations = a.generation === 0 || b.generation === 0 || a.generation === b.generation;
  return areGenerations && areLastsCompatible(a, b) && areFirstsCompatible(a, b);
}

/** The same last name or a part, and first names that stand for each other, or are missing. */
export function areNamesCompatible(one: GivenName, other: GivenName): boolean {
  const others = normalizeSpellings(other);
  return normalizeSpellings(one).some((a) => others.some((b) => areNormalizedCompatible(a, b)));
}

/** Whether two names differ at most in accents, capitals and the spelling of letters such as ö. */
export function areSpelledAlike(one: GivenName, other: GivenName): boolean {
  const fold = ({ first, last }: GivenName) => `${foldText(first)}|${foldText(last)}`;
  const others = listSpellings(other).map(fold);
  return listSpellings(one).some((name) => others.includes(fold(name)));
}

/** A key with one letter for each pair that may stand for ä, ö, ü, ø or å. */
const joinDigraphs = (key: string): string => key.replace(/[aou]e|aa/g, (pair) => pair[0]!);

const everyName = '*';
const noFirst = '';
const ofInitial = (key: string): string => `${key[0]}${everyName}`;

const listFirstKeys = (name: GivenName): string[] =>
  normalizeSpellings(name).flatMap(({ firstKeys }) => firstKeys);

/** Keys of a name, of which a compatible name of the same last name has one in listSoughtKeys. */
export function listHeldKeys(name: GivenName): string[] {
  const firstKeys = listFirstKeys(name);
  if (firstKeys.length === 0) return [noFirst, everyName];
  return [...firstKeys, ...firstKeys.map(ofInitial), everyName];
}

/** The keys under which listHeldKeys has every name that is compatible with a name. */
export function listSoughtKeys(name: GivenName): Set<string> {
  const firstKeys = listFirstKeys(name);
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

/**
 * The keys that the last name of a row may have in person.last_key, its own first: that of
 * "Müller" is also "mueller", that of "Mueller" also "muller".
 */
export function listLastKeys(name: GivenName): string[] {
  return [...new Set(keysOfSpellings(normalizeSpellings(name)))];
}

function keysOfSpellings(spellings: readonly NormalizedName[]): string[] {
  const keys = spellings.map(({ last }) => last);
  return [...keys, joinDigraphs(keys[0] ?? '')];
}

/**
 * The keys of a last name and of its parts; '' if it is unknown. The last names of compatible names
 * have one in common, unless one of them is unknown.
 */
export function listLastPartKeys(name: GivenName): string[] {
  const spellings = normalizeSpellings(name);
  const parts = spellings.flatMap(({ lastParts }) => lastParts);
  return [...new Set(keysOfSpellings(spellings).concat(parts))];
}
