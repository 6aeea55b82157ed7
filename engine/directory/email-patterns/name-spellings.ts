// Ways to write a name in an email address: accents, hyphens, particles, double surnames.
import { dropApostrophes, foldText, writeDigraphs } from '../normalize/fold-text.ts';
import { courtesyTitles, degrees, generations, particles } from '../normalize/name-words.ts';
import { loadNicknames, type Nicknames } from '../normalize/nicknames.ts';

export interface PersonName {
  readonly firstName: string;
  readonly middleName: string | null;
  readonly lastName: string;
  /** Nicknames, and first names of other names with the same surname. */
  readonly otherFirstNames: readonly string[];
}

const joints = ['joined', 'hyphen', 'dot', 'front', 'rear'] as const;
/** How the words of a compound name are joined: all of them, or only the first or the last. */
type Joint = (typeof joints)[number];

/**
 * The kinds of names that can be written in several ways, with the share of each way at an
 * organisation that has shown none. They were chosen on the learning half of the sample's domains
 * (docs/benchmarks.md, "Inferred emails"), and assumed for letters and particles, which are too
 * rare there.
 */
export const habitShares = {
  /** ü → u or ue. */
  letters: { plain: 0.8, digraph: 0.2 },
  /** Another first name is on record: Bob, also known as Robert. */
  known: { first: 0.6, other: 0.4 },
  /** A full first name that has short forms: Robert. */
  full: { first: 0.97, variant: 0.03 },
  /** A short form: Bob. */
  short: { first: 0.9, variant: 0.1 },
  first: { joined: 0.55, hyphen: 0.1, dot: 0.08, front: 0.22, rear: 0.05 },
  hyphen: { joined: 0.3, hyphen: 0.55, dot: 0.03, front: 0.06, rear: 0.06 },
  double: { joined: 0.45, hyphen: 0.03, dot: 0.02, front: 0.4, rear: 0.1 },
  /** A surname with a particle: van den Berg. */
  particle: { joined: 0.9, hyphen: 0.02, dot: 0.04, front: 0, rear: 0.04 },
} as const;

export type HabitKind = keyof typeof habitShares;
export type Choice = {
  [Kind in HabitKind]: `${Kind}:${Extract<keyof (typeof habitShares)[Kind], string>}`;
}[HabitKind];

/** One spelling of a name: only the letters a to z, digits, hyphens and dots. */
export interface Spelling {
  readonly first: string;
  /** The middle name or initial; '' if unknown. */
  readonly middle: string;
  readonly last: string;
  /** The choices that led to it; none for a simple name. */
  readonly choices: readonly Choice[];
  /** The share of this spelling among those with the same choices: a name has many short forms. */
  readonly share: number;
}

interface Written {
  readonly text: string;
  readonly choices: readonly Choice[];
  readonly share: number;
}

const writePlain = (text: string): string => text.toLowerCase().normalize('NFC');

/** The folded words of a name, and whether hyphens separate them; null for other scripts. */
function readWords(text: string): { words: string[]; isHyphened: boolean } | null {
  const folded = dropApostrophes(foldText(text)).replace(/\./g, ' ').trim();
  const words = folded.split(/[\s-]+/).filter(Boolean);
  if (!words.every((word) => /^[a-z0-9]+$/.test(word))) return null;
  return { words, isHyphened: folded.includes('-') };
}

function joinWords(words: readonly string[], joint: Joint): string | null {
  if (joint === 'front') return particles.has(words[0] ?? '') ? null : (words[0] ?? null);
  if (joint === 'rear') return words.at(-1) ?? null;
  return words.join({ joined: '', hyphen: '-', dot: '.' }[joint]);
}

function writeJoints(
  words: readonly string[],
  kind: 'first' | 'hyphen' | 'double' | 'particle',
): Written[] {
  if (words.length < 2) return words.map((text) => ({ text, choices: [], share: 1 }));
  return joints.flatMap((joint) => {
    const text = joinWords(words, joint);
    return text === null ? [] : [{ text, choices: [`${kind}:${joint}` as Choice], share: 1 }];
  });
}

/** A first name without titles and initials; none if it is missing or only an initial. */
function writeFirst(text: string): Written[] {
  const words = readWords(text)?.words ?? [];
  while (words.length > 1 && courtesyTitles.has(words[0] ?? '')) words.shift();
  // "R. J." is written as one word; another initial is a misplaced middle name.
  if (words.length > 1 && words.every((word) => word.length === 1))
    return writeJoints([words.join('')], 'first');
  while (words.length > 1 && (words.at(-1)?.length ?? 0) < 2) words.pop();
  return words.some((word) => word.length < 2) ? [] : writeJoints(words, 'first');
}

/** A surname without generations and degrees; none for a territory. */
function writeLast(text: string): Written[] {
  const { words, isHyphened } = readWords(text.replace(/,.*/, '')) ?? { words: [] };
  const isSuffix = (word: string) => generations.has(word) || degrees.has(word);
  while (words.length > 1 && isSuffix(words.at(-1) ?? '')) words.pop();
  const kept = words.length > 1 ? words.filter((word) => word.length > 1) : words;
  if (kept.includes('of')) return [];
  if (particles.has(kept[0] ?? '')) return writeJoints(kept, 'particle');
  return writeJoints(kept, isHyphened ? 'hyphen' : 'double');
}

/** Other first names that are compared; a person rarely has more than two. */
const otherNamesMax = 5;

let nicknames: Nicknames | undefined;

function writeGiven(firstName: string, others: readonly string[]): Written[] {
  const own = writeFirst(firstName);
  const [first] = own;
  if (!first) return [];
  const taken = new Set(own.map(({ text }) => text));
  const known = others.flatMap(writeFirst).filter(({ text }) => !taken.has(text));
  const choose = (choice: Choice, written: readonly Written[]) =>
    written.map((one) => ({
      ...one,
      choices: [choice, ...one.choices],
      share: 1 / written.length,
    }));
  if (known.length > 0)
    return [
      ...own.map((one) => ({ ...one, choices: ['known:first' as const, ...one.choices] })),
      ...choose('known:other', known),
    ];
  nicknames ??= loadNicknames();
  const variants = own.length > 1 ? undefined : nicknames.spoken.get(first.text);
  if (!variants) return own;
  const kind = nicknames.shortForms.has(first.text) ? 'full' : 'short';
  return [
    { ...first, choices: [`${kind}:first`] },
    ...choose(
      `${kind}:variant`,
      [...variants].map((text) => ({ text, choices: [], share: 1 })),
    ),
  ];
}

function spellWith(
  name: PersonName,
  writeLetters: (text: string) => string,
  choices: readonly Choice[],
): Spelling[] {
  const lasts = writeLast(writeLetters(name.lastName));
  const firsts = writeGiven(
    writeLetters(name.firstName),
    name.otherFirstNames.slice(0, otherNamesMax).map(writeLetters),
  );
  const middle = readWords(writeLetters(name.middleName ?? ''))?.words[0] ?? '';
  return firsts.flatMap((first) =>
    lasts.map((last) => ({
      first: first.text,
      middle,
      last: last.text,
      share: first.share,
      choices: [...choices, ...first.choices, ...last.choices],
    })),
  );
}

/**
 * The spellings of a name. None if it cannot be written with the letters a to z, or if the first
 * name or the surname is missing or only an initial.
 */
export function spellName(name: PersonName): Spelling[] {
  const texts = [name.firstName, name.lastName, ...name.otherFirstNames];
  if (texts.every((text) => writeDigraphs(text) === writePlain(text)))
    return spellWith(name, writePlain, []);
  return [
    ...spellWith(name, writePlain, ['letters:plain']),
    ...spellWith(name, writeDigraphs, ['letters:digraph']),
  ];
}
