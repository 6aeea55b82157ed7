/** First names that stand for each other: the bundled table of nicknames, in both directions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesDir } from '../../platform/paths.ts';
import { nameKey } from './normalize-name.ts';

/** First-name key → keys that stand for it. */
export interface Nicknames {
  /** Pairs of the table, in both directions. */
  readonly direct: ReadonlyMap<string, ReadonlySet<string>>;
  /** Pairs of the table in its direction: a name → its short forms. */
  readonly shortForms: ReadonlyMap<string, ReadonlySet<string>>;
  /** Short forms of the same name: Bob and Rob. */
  readonly siblings: ReadonlyMap<string, ReadonlySet<string>>;
}

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
  const shortForms = new Map<string, Set<string>>();
  for (const line of text.split(/\r?\n/).slice(1)) {
    const [name = '', nickname = ''] = line.split(',').map(nameKey);
    if (name === '' || nickname === '' || name === nickname) continue;
    addPair(direct, name, nickname);
    addPair(direct, nickname, name);
    addPair(shortForms, name, nickname);
  }
  const siblings = new Map<string, Set<string>>();
  for (const forms of shortForms.values())
    for (const a of forms)
      for (const b of forms) if (a !== b && !direct.get(a)?.has(b)) addPair(siblings, a, b);
  return { direct, shortForms, siblings };
}
