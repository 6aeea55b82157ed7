// Words of organisations that organisation-tokens.ts writes in one form. Data, compared folded.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesDir } from '../../../platform/paths.ts';
import { readForms, readWords } from '../../../platform/read-words.ts';
import { wordForms } from '../company-words.ts';
import { foldToAscii } from '../fold-text.ts';

/** Word → its canonical form. */
const translatedForms = readForms('organisation-words');
const ownForm = (word: string): string | undefined =>
  translatedForms.get(word) ?? wordForms.get(word);

interface Group {
  /** They say what an organisation works on, not only what it is. */
  readonly isSector: boolean;
  readonly words: string[];
}

/** The words of what an organisation is, in the languages of the generated table, by group. */
function readGroups(): ReadonlyMap<string, Group> {
  const path = join(resourcesDir(), 'reference', 'organisation_words.csv');
  const groups = new Map<string, Group>();
  for (const line of readFileSync(path, 'utf8').trim().split('\n').slice(1)) {
    const [word, group, says] = line.split(',') as [string, string, string];
    const known = groups.get(group) ?? { isSector: says === 'sector', words: [] };
    known.words.push(foldToAscii(word));
    groups.set(group, known);
  }
  return groups;
}

/** The form that most words of a group have in the lists above; without one, the group's name. */
function formOfGroup(group: string, words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) {
    const form = ownForm(word);
    if (form !== undefined) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return best?.[0] ?? group;
}

interface KindWords {
  /** Word → its canonical form, of the lists and of the table. */
  readonly forms: ReadonlyMap<string, string>;
  /** Canonical forms that say what an organisation is, never which. */
  readonly kinds: ReadonlySet<string>;
  /** Those of them that say what it works on. */
  readonly sectors: ReadonlySet<string>;
}

let kindWords: KindWords | null = null;
/** Read when first needed, because not every thread reads names of organisations. */
function readKindWords(): KindWords {
  if (kindWords !== null) return kindWords;
  const forms = new Map([...wordForms, ...translatedForms]);
  const kinds = new Set<string>();
  const sectors = new Set<string>();
  for (const [group, { isSector, words }] of readGroups()) {
    const form = formOfGroup(group, words);
    for (const word of words) if (!forms.has(word)) forms.set(word, form);
    for (const one of [form, ...words.map((word) => forms.get(word)!)]) {
      if (isSector && !kinds.has(one)) sectors.add(one);
      kinds.add(one);
    }
  }
  for (const [name, words] of readWords('sector-words')) {
    const form = forms.get(name) ?? name;
    for (const word of [name, ...words.map(foldToAscii)])
      if (!forms.has(word)) forms.set(word, form);
    if (!kinds.has(form)) sectors.add(form);
    kinds.add(form);
  }
  kindWords = { forms, kinds, sectors };
  return kindWords;
}

/** The canonical form of a folded word; the word if it has no other. */
export const formOfWord = (word: string): string => readKindWords().forms.get(word) ?? word;

/** Folded spelling → its canonical form, in all languages of the tables. */
export const wordSpellings = (): ReadonlyMap<string, string> => readKindWords().forms;

/** Whether a canonical form says what an organisation is: "systems", "universities". */
export const isKindWord = (form: string): boolean => readKindWords().kinds.has(form);

/** Whether a canonical form says what an organisation works on: "bank", "universities". */
export const isSectorWord = (form: string): boolean => readKindWords().sectors.has(form);

/** Words at the end of a name that say what it is, never who. */
export const legalWords: ReadonlySet<string> = new Set(
  (
    'inc incorporated llc llp lp corp corporation co company ltd limited plc gmbh ag sa sas srl ' +
    'bv nv ab se kg kgaa ug ohg oy ev eg pty pc pllc holdings org edu com net ' +
    'group gruppe groupe grupo gruppo grupa groep koncern konzern'
  ).split(' '),
);

const states = readWords('states');
/** Code of a state → its name. */
export const stateNames: ReadonlyMap<string, string> = new Map(
  states.map(([code, [name = '']]) => [code, name]),
);

/** Other ways to write a state → its code. */
export const stateAbbreviations: ReadonlyMap<string, string> = new Map(
  states.flatMap(([code, [, ...others]]) => others.map((other) => [other, code])),
);

/** Runs of folded words → what they are written as. */
export const phrases: readonly (readonly [phrase: string, form: string])[] = readWords(
  'organisation-phrases',
).flatMap(([form, runs]) => runs.map((run): [string, string] => [run, form]));
