// Finds the legal form that a name states before or after the name: "GmbH", "Joint Stock Company",
// "株式会社". The table is generated from one source by scripts/reference/generate-legal-forms.mjs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { leadingForms } from '../../contract/company-words.ts';
import { resourcesDir } from '../../platform/paths.ts';
import { readWords } from '../../platform/read-words.ts';
import { isAscii } from './fold-text.ts';

const ideograms = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

interface Phrase {
  readonly words: readonly string[];
  readonly form: string;
}

/** Two Latin letters are initials more often, "Smith A O": only shortForms has such forms. */
const canEnd = (words: readonly string[]): boolean =>
  words.length > 1 || words[0]!.length > 2 || !isAscii(words[0]!);
const canBegin = (words: readonly string[]): boolean =>
  words.length > 1 || !isAscii(words[0]!) || leadingForms.has(words[0]!);

function* readTable(): Generator<readonly [alias: string, form: string]> {
  const path = join(resourcesDir(), 'reference', 'legal_forms.csv');
  const [, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  for (const [form, aliases] of readWords('legal-forms'))
    for (const alias of aliases) yield [alias, form];
  for (const line of lines) {
    const comma = line.lastIndexOf(',');
    yield [line.slice(0, comma), line.slice(comma + 1)];
  }
}

const joinedForm =
  /(?<=\p{Ll}{2})(?:AG|GmbH|SE|SA|SpA|SRL|KG|AB|BV|NV|LLC|LLP|PLC|Inc\.?|Ltd\.?)$/u;
/** Lower-case endings of joined forms. */
const lastLetters = new Set('cd.');

/** A name with a space before a legal form that has none: "AcmeAG" is "Acme AG". */
export function separateForm(name: string): string {
  const last = name.charCodeAt(name.length - 1);
  const isCapital = last >= 65 && last <= 90;
  return isCapital || lastLetters.has(name.charAt(name.length - 1))
    ? name.replace(joinedForm, ' $&')
    : name;
}

/** The words of a name between the legal forms before and after it, and those forms. */
export interface BareName {
  /** Position of the first word of the name, and of the first word after it. */
  readonly from: number;
  readonly to: number;
  /** Standard forms, in the order of their removal. */
  readonly forms: readonly string[];
}

/** `split` makes the words of a name; `shortForms` are removed from the end, too. */
export function createLegalForms(
  split: (name: string) => readonly string[],
  shortForms: ReadonlySet<string>,
) {
  const [ending, beginning] = [new Map<string, Phrase[]>(), new Map<string, Phrase[]>()];
  const glued: Phrase[] = [];
  const add = (map: Map<string, Phrase[]>, key: string, phrase: Phrase): void => {
    const known = map.get(key);
    if (known) known.push(phrase);
    else map.set(key, [phrase]);
  };
  for (const word of shortForms) add(ending, word, { words: [word], form: word });
  const isShort = (word: string): boolean => shortForms.has(word);
  for (const [alias, form] of readTable()) {
    const words = split(alias);
    if (words.length === 0 || words.every(isShort)) continue;
    const phrase = { words, form };
    if (canEnd(words)) add(ending, words.at(-1)!, phrase);
    if (canBegin(words)) add(beginning, words[0]!, phrase);
    if (words.length === 1 && words[0]!.length > 1 && ideograms.test(alias)) glued.push(phrase);
  }
  for (const word of leadingForms)
    if (!beginning.get(word)?.some(({ words }) => words.length === 1))
      add(beginning, word, { words: [word], form: word });
  for (const map of [ending, beginning])
    for (const phrases of map.values()) phrases.sort((a, b) => b.words.length - a.words.length);
  glued.sort((a, b) => b.words[0]!.length - a.words[0]!.length);

  /** The longest phrase at one end of the words; null if none of several words is left then. */
  const findAt = (
    phrases: readonly Phrase[] | undefined,
    found: readonly string[],
    to: number,
    isEnd: boolean,
  ): Phrase | null => {
    if (phrases === undefined) return null;
    for (const phrase of phrases) {
      const length = phrase.words.length;
      if (length >= to) continue;
      const from = isEnd ? to - length : 0;
      let same = 0;
      while (same < length && found[from + same] === phrase.words[same]) same++;
      if (same === length) return phrase;
    }
    return null;
  };

  return {
    words: new Set(
      [...ending.values()].flatMap((phrases) => phrases.flatMap(({ words }) => words)),
    ),
    /** Whether folded words may state a form: seldom true without one. */
    mayState: (found: readonly string[]): boolean =>
      beginning.has(found[0] ?? '') || found.some((word) => ending.has(word)),
    /** null if a name states no form, as most do. Never removes the last word of a name. */
    strip(found: readonly string[]): BareName | null {
      let [from, to] = [0, found.length];
      if (to < 2) return null;
      if (!ending.has(found[to - 1]!) && !beginning.has(found[0]!)) return null;
      const forms: string[] = [];
      let phrase = findAt(ending.get(found[to - 1]!), found, to, true);
      while (phrase !== null) {
        to -= phrase.words.length;
        forms.push(phrase.form);
        phrase = findAt(ending.get(found[to - 1]!), found, to, true);
      }
      phrase = findAt(beginning.get(found[0]!), found, to, false);
      if (phrase !== null) {
        from = phrase.words.length;
        forms.push(phrase.form);
      }
      return { from, to, forms };
    },
    /** Separates a form in ideograms from the name that it touches: 株式会社山田 is two words. */
    unglue(word: string): readonly string[] {
      for (const { words } of glued) {
        const form = words[0]!;
        if (word.length <= form.length) continue;
        if (word.startsWith(form)) return [form, word.slice(form.length)];
        if (word.endsWith(form)) return [word.slice(0, -form.length), form];
      }
      return [word];
    },
  };
}
