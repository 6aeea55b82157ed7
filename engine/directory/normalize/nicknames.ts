// First names that stand for each other: the table of nicknames and the written short forms.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesDir } from '../../platform/paths.ts';
import { readWords } from '../../platform/read-words.ts';
import { nameKey } from './normalize-name.ts';

/** First-name key → keys that stand for it. */
export interface Nicknames {
  /** Pairs of the tables and pairs of a name and a written short form, in both directions. */
  readonly direct: ReadonlyMap<string, ReadonlySet<string>>;
  /** Pairs of the table alone, in both directions: names that people go by. */
  readonly spoken: ReadonlyMap<string, ReadonlySet<string>>;
  /** Pairs of the table in its direction: a name → its short forms. */
  readonly shortForms: ReadonlyMap<string, ReadonlySet<string>>;
  /** Short forms of the same name: Bob and Rob, Bob and Robt. */
  readonly siblings: ReadonlyMap<string, ReadonlySet<string>>;
  /** The pairs of `direct`, then those of `siblings`, by the places of their names in `names`. */
  readonly numbered: NumberedPairs;
}

export interface NumberedPairs {
  readonly names: readonly string[];
  readonly owners: Uint32Array;
  /** Twice the number of the other name; 1 more if the names are siblings. */
  readonly values: Uint32Array;
}

function numberPairs(lists: readonly ReadonlyMap<string, ReadonlySet<string>>[]): NumberedPairs {
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const known = numbers.get(name) ?? numbers.size;
    numbers.set(name, known);
    return known;
  };
  const owners: number[] = [];
  const values: number[] = [];
  for (const [sibling, pairs] of lists.entries())
    for (const [name, others] of pairs)
      for (const other of others) {
        owners.push(numberOf(name));
        values.push(numberOf(other) * 2 + sibling);
      }
  return {
    names: [...numbers.keys()],
    owners: Uint32Array.from(owners),
    values: Uint32Array.from(values),
  };
}

export const noNicknames: Nicknames = {
  direct: new Map(),
  spoken: new Map(),
  shortForms: new Map(),
  siblings: new Map(),
  numbered: numberPairs([]),
};

function addPair(pairs: Map<string, Set<string>>, a: string, b: string): void {
  const known = pairs.get(a);
  if (known) known.add(b);
  else pairs.set(a, new Set([b]));
}

const readTable = (file: string): string[] =>
  readFileSync(join(resourcesDir(), 'reference', file), 'utf8').split(/\r?\n/);

/** Calls with each pair of forms of one name; a line is `spellings, languages | pet forms`. */
function forEachForm(add: (name: string, form: string) => void): void {
  for (const line of readTable('ref_given_names.txt')) {
    if (line.startsWith('#')) continue;
    const [forms = [], petForms = []] = line
      .split('|')
      .map((part) => part.split(' ').filter(Boolean));
    for (const [at, form] of forms.entries())
      for (const other of [...forms.slice(at + 1), ...petForms])
        if (other !== form) add(form, other);
  }
}

/** Reads the tables of resources/reference. Throws if one is missing. */
export function loadNicknames(): Nicknames {
  const kept = remembered?.deref();
  if (kept) return kept;
  const read = readNicknames();
  remembered = new WeakRef(read);
  return read;
}

/** The tables are needed while an index is built, and not between. */
let remembered: WeakRef<Nicknames> | null = null;

function readNicknames(): Nicknames {
  const direct = new Map<string, Set<string>>();
  const spoken = new Map<string, Set<string>>();
  const shortForms = new Map<string, Set<string>>();
  const allForms = new Map<string, Set<string>>();
  const add = (name: string, form: string): void => {
    addPair(direct, name, form);
    addPair(direct, form, name);
    addPair(allForms, name, form);
  };
  for (const line of readTable('ref_nicknames.csv').slice(1)) {
    const [name = '', nickname = ''] = line.split(',').map(nameKey);
    if (name === '' || nickname === '' || name === nickname) continue;
    add(name, nickname);
    addPair(spoken, name, nickname);
    addPair(spoken, nickname, name);
    addPair(shortForms, name, nickname);
  }
  for (const [name, forms] of readWords('short-forms')) for (const form of forms) add(name, form);
  forEachForm((name, form) => {
    addPair(direct, name, form);
    addPair(direct, form, name);
  });
  const siblings = new Map<string, Set<string>>();
  for (const forms of allForms.values())
    for (const a of forms)
      for (const b of forms) if (a !== b && !direct.get(a)?.has(b)) addPair(siblings, a, b);
  return { direct, spoken, shortForms, siblings, numbered: numberPairs([direct, siblings]) };
}
