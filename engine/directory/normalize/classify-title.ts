// Classifies job titles by function and level. The first line of the table that fits decides.
import { createBoundedCache } from '../../platform/bounded-cache.ts';
import { readWords } from '../../platform/read-words.ts';

/** What a title says; null if the table has no line for it. */
export interface TitleClass {
  readonly jobFunction: string | null;
  readonly jobLevel: string | null;
  /** The function is that of a level alone: a director of something that the table lacks. */
  readonly isLevelAlone: boolean;
}

/** The words of a level alone are those of no function: a director of anything. */
type Rule = readonly [label: string, words: readonly string[], isLevelAlone: boolean];

/** Phrases that would decide wrongly → a word: an owner of a product owns no company. */
const maskedPhrases: readonly (readonly [phrase: RegExp, word: string])[] = [
  [
    /(?<= (?:product|process|service|data|systems?|platform|solution|application|feature|task|risk|control|technical)) owner(?= )/g,
    ' fieldexpert',
  ],
  [
    / principal (?=(?:\S+ )?(?:engineer|architect|consultant|scientist|developer|designer|research|researcher|analyst|programmer|software|data|product|technical|technologist|specialist|investigator|advisor|associate|security|systems|cloud|ux)[a-z]* )/g,
    ' fieldexpert ',
  ],
  [
    / partner (?=(?:manager|marketing|success|account|development|sales|relations|relationship|program|programs|programme|enablement|operations|engineer|solutions|support|lead|specialist|executive|director)[a-z]* )/g,
    ' ',
  ],
  [
    / (?:(?:hr|people|human resources|finance|it) )?(?:business|channel|talent) partner(?= )/g,
    ' hr fieldexpert',
  ],
  [/ lead (?=(?:generation|gen|qualification|nurturing|management)[a-z]* )/g, ' sales specialist '],
  [/ head (?:nurse|chef|cook|coach|waiter|cashier|gardener|barista|bartender)(?= )/g, ' manager'],
  [/ office of (?:the )?\S+/g, ' office'],
  [/ sous chef(?= )/g, ' fieldexpert'],
  [/ scrum master(?= )/g, ' fieldexpert'],
  [
    / (team|gruppen|schicht|projekt|filial|markt|bau)leit(?:er|erin|ung|ende|ender)(?= )/g,
    ' $1 manager',
  ],
  [
    / (?:sales|service|services|support|account|customer|client|development|medical|marketing|field|technical|regional|area|inside|outside|care|claims|insurance|hr|resources|benefits|product|business|manufacturers?|pharmaceutical|delivery|leasing|banking|financial|loan|member|patient|parts|export|import|brand|event|union) representative(?= )/g,
    ' sales specialist',
  ],
];
const anyMaskedPhrase = new RegExp(maskedPhrases.map(([{ source }]) => source).join('|'));
/** A task that somebody had before. */
const formerTask =
  /(?:^|[,;|/(])\s*(?:ex[\s-]|former(?:ly)?\s|previous(?:ly)?\s|retired\s|ehemalig\p{L}*\s|früher\p{L}*\s|ancien(?:ne)?\s|antigu[oa]\s|già\s|voormalig\s|były\s|бывший\s|元)[^,;|/)]*/giu;

/** What an entry says whose words are those of a level alone. */
const alone = ' (level alone)';
const readRules = (list: string): readonly Rule[] =>
  readWords(list).map(([name, words]) => [name.replace(alone, ''), words, name.endsWith(alone)]);
/** The fewest letters that "*" before a word matches. */
const openLettersMin = 2;
const levelRules = readRules('job-levels');
const functionRules = readRules('job-functions');

/** Every job level of the table, without duplicates. */
export const jobLevels: readonly string[] = [...new Set(levelRules.map(([label]) => label))];
export const jobFunctions: readonly string[] = [...new Set(functionRules.map(([label]) => label))];

// Titles without accents or dots are folded without Unicode tables, which cost eight times more.
const plainTitle = /^[\w ,&'()/-]*$/;

/** A title's words in lower case, one space between them. */
function foldTitle(title: string): string {
  const lower = title.toLowerCase();
  if (plainTitle.test(lower)) return lower.replace(/[^a-z0-9]+/g, ' ').trim();
  return (
    lower
      .replace(/[äöü]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? letter)
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      // C.E.O. is one word.
      .replace(/\b([a-z])\.(?=[a-z]\b)/g, '$1')
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  );
}

const spaceless =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Arabic}ー ]+$/u;

/** A word of a rule: "*" before it matches two letters or more, behind it any letters. */
interface RuleWord {
  readonly core: string;
  readonly isOpen: boolean;
  readonly isCut: boolean;
}

interface Phrase {
  readonly rule: number;
  readonly words: readonly RuleWord[];
}

/** Titles have few different words. */
const knownWordsMax = 5_000;

/** A table, and its phrases in scripts without spaces. */
interface Matcher {
  readonly rules: readonly Rule[];
  readonly findPhrases: (word: string) => readonly Phrase[];
  readonly spaceless: readonly (readonly [rule: number, fits: RegExp])[];
}

const readRuleWord = (written: string): RuleWord[] => {
  const cores = foldTitle(written.replaceAll('*', '')).split(' ');
  return cores.map((core, at) => ({
    core,
    isOpen: at === 0 && written.startsWith('*'),
    isCut: at === cores.length - 1 && written.endsWith('*'),
  }));
};

function compile(rules: readonly Rule[]): Matcher {
  const phrases = new Map<string, Phrase[]>();
  const open = new Map<string, Phrase[]>();
  const ofScripts: [number, RegExp][] = [];
  for (const [rule, [, alternatives]] of rules.entries())
    for (const written of alternatives) {
      // In scripts without spaces "*x" also fits x alone.
      if (spaceless.test(written.replaceAll('*', ''))) {
        ofScripts.push([
          rule,
          new RegExp(` ${written.split('*').map(foldTitle).join('.*')} `, 'u'),
        ]);
        continue;
      }
      const words = written.split(' ').flatMap(readRuleWord);
      const { core, isOpen } = words[0]!;
      const byCore = isOpen ? open : phrases;
      byCore.set(core, [...(byCore.get(core) ?? []), { rule, words }]);
    }
  const lengthsOf = (cores: typeof open) => Array.from(cores.keys(), ({ length }) => length);
  const openCoreMin = Math.min(...lengthsOf(open));
  const openCoreMax = Math.max(...lengthsOf(open));
  const coreMax = Math.max(...lengthsOf(phrases));
  const findPhrases = (word: string): readonly Phrase[] => {
    const found: Phrase[] = [];
    const take = (starting: readonly Phrase[] | undefined, at: number): void => {
      for (const phrase of starting ?? [])
        if (fitsAt(word, phrase.words[0]!, at)) found.push(phrase);
    };
    const { length } = word;
    for (let to = Math.min(length, coreMax); to > 0; to--) take(phrases.get(word.slice(0, to)), 0);
    for (let at = openLettersMin; at + openCoreMin <= length; at++)
      for (let to = at + openCoreMin; to <= Math.min(length, at + openCoreMax); to++)
        take(open.get(word.slice(at, to)), at);
    return found;
  };
  return {
    rules,
    findPhrases: createBoundedCache(findPhrases, knownWordsMax),
    spaceless: ofScripts,
  };
}

const onlyLetters = /^\p{L}*$/u;

/** Whether a word of a title has the core of a rule's at a place, with what may be around it. */
function fitsAt(word: string, { core, isOpen, isCut }: RuleWord, at: number): boolean {
  if (!word.startsWith(core, at) || (!isOpen && at > 0)) return false;
  const [before, behind] = [word.slice(0, at), word.slice(at + core.length)];
  if (isOpen && (before.length < openLettersMin || !onlyLetters.test(before))) return false;
  return isCut ? onlyLetters.test(behind) : behind === '';
}

function fitsWord(word: string | undefined, rule: RuleWord): boolean {
  if (word === undefined) return false;
  for (let at = 0; at <= word.length - rule.core.length; at++)
    if (fitsAt(word, rule, at)) return true;
  return false;
}

function findRule(matcher: Matcher, words: readonly string[], isLatin: boolean): Rule | undefined {
  const { rules, findPhrases } = matcher;
  let first = rules.length;
  for (const [place, word] of words.entries())
    for (const { rule, words: asked } of findPhrases(word))
      if (
        rule < first &&
        asked.every((one, next) => next === 0 || fitsWord(words[place + next], one))
      )
        first = rule;
  if (isLatin) return rules[first];
  const text = ` ${words.join(' ')} `;
  for (const [rule, fits] of matcher.spaceless) if (rule < first && fits.test(text)) first = rule;
  return rules[first];
}

interface Matchers {
  readonly levels: Matcher;
  readonly functions: Matcher;
}

let compiled: Matchers | null = null;

/** The tables by word. A thread that starts may classify no title. */
function matchers(): Matchers {
  compiled ??= { levels: compile(levelRules), functions: compile(functionRules) };
  return compiled;
}

const knownTitlesMax = 25_000;

/** Classifies a title. Titles repeat. */
export const classifyTitle = createBoundedCache((title: string): TitleClass => {
  const present = title.replace(formerTask, ' ');
  const folded = ` ${foldTitle(present)} `;
  const words = anyMaskedPhrase.test(folded)
    ? maskedPhrases.reduce((text, [phrase, word]) => text.replace(phrase, word), folded)
    : folded;
  const { levels, functions } = matchers();
  const split = words.trim().split(' ');
  const isLatin = plainTitle.test(words);
  const find = (matcher: Matcher) => findRule(matcher, split, isLatin);
  const [jobFunction, , isLevelAlone] = find(functions) ?? [null, null, false];
  return {
    jobFunction,
    jobLevel: find(levels)?.[0] ?? (jobFunction && 'Staff'),
    isLevelAlone,
  };
}, knownTitlesMax);

/** Levels of data services whose words a title does not have, folded. */
const namedLevels: ReadonlyMap<string, string> = new Map(
  (
    [
      ['C-Level', 'cxo|cxos|c suite|csuite|c level executive'],
      [
        'Staff',
        'entry|entry level|non manager|non management|non managerial|individual contributor|' +
          'training|unpaid|junior|employee|contributor',
      ],
    ] as const
  ).flatMap(([level, names]) => names.split('|').map((name) => [name, level] as const)),
);

/** The level that a cell of levels names, in the words of the filters; else the text itself. */
export function readLevel(text: string): string {
  if (jobLevels.includes(text)) return text;
  return namedLevels.get(foldTitle(text)) ?? classifyTitle(text).jobLevel ?? text;
}
