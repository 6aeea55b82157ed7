// Tells given names from surnames by their words, in two columns or in one.
import {
  hasCompanyWord,
  hasTitleWord,
  isEmailCell,
  mostly,
  type SampleRows,
} from './column-values.ts';
import { readNameTable } from './name-table.ts';
import { foldWords } from './read-header.ts';

export interface NamePair {
  readonly first: number;
  readonly last: number;
}

const namePart = /^\p{L}[\p{L}\p{M}'’.-]*(?: \p{L}[\p{L}\p{M}'’.-]*){0,2}$/u;
const isNamePart = (cell: string): boolean =>
  cell.length <= 40 && namePart.test(cell) && !hasCompanyWord(cell) && !hasTitleWord(cell);

const wordsOf = (cell: string): string[] => foldWords(cell.toLowerCase()).split(' ');

/** How common a word is as a given name and as a surname: the logarithm of people of a million. */
interface Weight {
  given: number;
  surname: number;
}

/** The weights of words; the table is not kept, because few lists need it. */
function weighWords(words: ReadonlySet<string>): ReadonlyMap<string, Weight> {
  const found = new Map<string, Weight>();
  for (const { kind, perMillion, names } of readNameTable())
    for (const name of names) {
      if (!words.has(name)) continue;
      const weight = found.get(name) ?? { given: 0, surname: 0 };
      const part = kind === 'surname' ? 'surname' : 'given';
      weight[part] = Math.max(weight[part], Math.log2(1 + perMillion));
      found.set(name, weight);
    }
  return found;
}

interface WeighedColumn {
  readonly at: number;
  readonly asGiven: number;
  readonly asSurname: number;
}

/** The share of a column's cells that must be known names. */
const knownShare = 0.5;
/** Words that fewer people of a million have as names, in powers of two, may be others. */
const weightMin = 4;
/** By how much more, in powers of two, columns must be what they are than the other way round. */
const marginMin = 2;

function weighColumn(
  at: number,
  rows: SampleRows,
  weights: ReadonlyMap<string, Weight>,
): WeighedColumn | null {
  const cells = rows.map((row) => wordsOf((row[at] ?? '').trim())).filter(([word]) => word);
  const sum = { given: 0, surname: 0, known: 0 };
  for (const words of cells) {
    const [first, last] = [weights.get(words[0] ?? ''), weights.get(words.at(-1) ?? '')];
    sum.given += first?.given ?? 0;
    sum.surname += last?.surname ?? 0;
    if (first || last) sum.known += 1;
  }
  if (cells.length === 0 || sum.known < cells.length * knownShare) return null;
  return { at, asGiven: sum.given / cells.length, asSurname: sum.surname / cells.length };
}

/** The share of emails whose part before the at sign has the last word of a column. */
function fitsEmails(at: number, rows: SampleRows): number {
  const found = rows.flatMap((row) => {
    const email = row.find((cell) => isEmailCell(cell));
    const word = wordsOf((row[at] ?? '').trim()).at(-1) ?? '';
    if (email === undefined || word === '') return [];
    return [email.slice(0, email.indexOf('@')).toLowerCase().includes(word)];
  });
  return found.filter(Boolean).length / Math.max(1, found.length);
}

/**
 * The two columns next to each other of which one has given names and the other surnames; null if
 * there are none, or if it is not sure which they are.
 * @param columns that may be names
 */
export function findNamePair(columns: readonly number[], rows: SampleRows): NamePair | null {
  const open = columns.filter((at) => mostly(rows, at, isNamePart));
  if (open.length < 2) return null;
  const words = new Set(rows.flatMap((row) => open.flatMap((at) => wordsOf(row[at] ?? ''))));
  const weights = weighWords(words);
  const weighed = open.flatMap((at) => weighColumn(at, rows, weights) ?? []);
  const pairs = weighed
    .flatMap((given) =>
      weighed
        .filter(({ at }) => Math.abs(at - given.at) === 1)
        .map((family) => ({
          first: given.at,
          last: family.at,
          score: given.asGiven + family.asSurname,
          weight: Math.min(given.asGiven, family.asSurname),
          margin: given.asGiven - given.asSurname + family.asSurname - family.asGiven,
        })),
    )
    .filter(({ weight, margin }) => weight >= weightMin && margin >= marginMin)
    .sort((one, other) => other.score - one.score);
  const [best, rival] = pairs;
  if (best === undefined || rival === undefined || best.score - rival.score >= marginMin)
    return best ?? null;
  // A city or a company may have the name of a person; the addresses have the surname.
  const fitting = pairs.filter(({ last }) => fitsEmails(last, rows) >= knownShare);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** Fewer names do not show their order. */
const orderedNamesMin = 3;

/** Whether a column of full names writes the surname first, by the names of two words in it. */
export function isSurnameFirst(at: number, rows: SampleRows): boolean {
  const parts = rows.flatMap((row) => {
    const words = (row[at] ?? '').trim().split(/\s+/);
    return words.length === 2 ? [[...words, ...row]] : [];
  });
  return parts.length >= orderedNamesMin && findNamePair([0, 1], parts)?.first === 1;
}
