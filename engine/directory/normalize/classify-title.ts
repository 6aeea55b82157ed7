/** Classifies job titles by function and level. The first line of the table that fits decides. */
import { copyText } from '../../platform/copy-text.ts';
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

/**
 * Phrases whose words would decide wrongly, and the word that replaces them: an owner of a
 * product owns no company.
 */
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
/** A task that somebody had before. */
const formerTask =
  /(?:^|[,;|/(])\s*(?:ex[\s-]|former(?:ly)?\s|previous(?:ly)?\s|retired\s|ehemalig\p{L}*\s|früher\p{L}*\s|ancien(?:ne)?\s|antigu[oa]\s|già\s|voormalig\s|były\s|бывший\s|元)[^,;|/)]*/giu;

/** What an entry says whose words are those of a level alone. */
const alone = ' (level alone)';
const readRules = (list: string): readonly Rule[] =>
  readWords(list).map(([name, words]) => [name.replace(alone, ''), words, name.endsWith(alone)]);
const levelRules = readRules('job-levels');
const functionRules = readRules('job-functions');

/** Every job level of the table, without duplicates. */
export const jobLevels: readonly string[] = [...new Set(levelRules.map(([label]) => label))];
export const jobFunctions: readonly string[] = [...new Set(functionRules.map(([label]) => label))];

type Matcher = readonly [label: string, fits: RegExp, isLevelAlone: boolean];

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

/** The pattern of one alternative. In scripts without spaces "*x" also fits x alone. */
function writePattern(words: string): string {
  if (spaceless.test(words.replaceAll('*', ''))) return words.split('*').map(foldTitle).join('.*');
  return words
    .split(' ')
    .map((word) => {
      const core = foldTitle(word.replaceAll('*', ''));
      const open = word.startsWith('*') ? '\\p{L}{2,}' : '';
      return `${open}${core}${word.endsWith('*') ? '\\p{L}*' : ''}`;
    })
    .join(' ');
}

function compile([label, words, isLevelAlone]: Rule): Matcher {
  const alternatives = words.map(writePattern);
  return [label, new RegExp(` (?:${alternatives.join('|')}) `, 'u'), isLevelAlone];
}
interface Matchers {
  readonly levels: readonly Matcher[];
  readonly functions: readonly Matcher[];
}

let compiled: Matchers | null = null;

/** The compiled tables. Compiling takes 15 ms, and a thread that starts may classify no title. */
function matchers(): Matchers {
  compiled ??= { levels: levelRules.map(compile), functions: functionRules.map(compile) };
  return compiled;
}

const known = new Map<string, TitleClass>();
const knownMax = 50_000;

/** Classifies a title. Titles repeat, so results are cached. */
export function classifyTitle(title: string): TitleClass {
  const answered = known.get(title);
  if (answered) return answered;
  const present = title.replace(formerTask, ' ');
  const words = maskedPhrases.reduce(
    (text, [phrase, word]) => text.replace(phrase, word),
    ` ${foldTitle(present)} `,
  );
  const { levels, functions } = matchers();
  const find = (rules: readonly Matcher[]) => rules.find(([, fits]) => fits.test(words));
  const [jobFunction, , isLevelAlone] = find(functions) ?? [null, null, false];
  const found = {
    jobFunction,
    jobLevel: find(levels)?.[0] ?? (jobFunction && 'Staff'),
    isLevelAlone,
  };
  if (known.size >= knownMax) known.clear();
  known.set(copyText(title), found);
  return found;
}

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
