/**
 * First names that stand for each other: the bundled table of nicknames and the written short
 * forms, in both directions.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesDir } from '../../platform/paths.ts';
import { nameKey } from './normalize-name.ts';
import { writtenShortForms } from './written-short-forms.ts';

/** First-name key → keys that stand for it. */
export interface Nicknames {
  /** Pairs of the table and pairs of a name and a written short form, in both directions. */
  readonly direct: ReadonlyMap<string, ReadonlySet<string>>;
  /** Pairs of the table alone, in both directions: names that people go by. */
  readonly spoken: ReadonlyMap<string, ReadonlySet<string>>;
  /** Pairs of the table in its direction: a name → its short forms. */
  readonly shortForms: ReadonlyMap<string, ReadonlySet<string>>;
  /** Short forms of the same name: Bob and Rob, Bob and Robt. */
  readonly siblings: ReadonlyMap<string, ReadonlySet<string>>;
}

/** No names that stand for each other. */
export const noNicknames: Nicknames = {
  direct: new Map(),
  spoken: new Map(),
  shortForms: new Map(),
  siblings: new Map(),
};

function addPair(pairs: Map<string, Set<string>>, a: string, b: string): void {
  const known = pairs.get(a);
  if (known) known.add(b);
  else pairs.set(a, new Set([b]));
}

/**
 * Reads the table `name,nickname` of resources/reference, which ships with the engine. Throws if it
 * is missing.
 */
export function loadNicknames(): Nicknames {
  const text = readFileSync(join(resourcesDir(), 'reference', 'ref_nicknames.csv'), 'utf8');
  const direct = new Map<string, Set<string>>();
  const spoken = new Map<string, Set<string>>();
  const shortForms = new Map<string, Set<string>>();
  const allForms = new Map<string, Set<string>>();
  const add = (name: string, form: string): void => {
    addPair(direct, name, form);
    addPair(direct, form, name);
    addPair(allForms, name, form);
  };
  for (const line of text.split(/\r?\n/).slice(1)) {
    const [name = '', nickname = ''] = line.split(',').map(nameKey);
    if (name === '' || nickname === '' || name === nickname) continue;
    add(name, nickname);
    addPair(spoken, name, nickname);
    addPair(spoken, nickname, name);
    addPair(shortForms, name, nickname);
  }
  for (const [name, forms] of writtenShortForms) for (const form of forms) add(name, form);
  const siblings = new Map<string, Set<string>>();
  for (const forms of allForms.values())
    for (const a of forms)
      for (const b of forms) if (a !== b && !direct.get(a)?.has(b)) addPair(siblings, a, b);
  return { direct, spoken, shortForms, siblings };
}
