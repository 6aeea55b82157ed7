// Own columns next to found fields that correspond to them, and whether their values differ.
import type { ListPage, ListRow } from './list-source.ts';

type Correspondences = ListPage['correspondences'];

interface Counterpart {
  /** The first of its fields. */
  readonly field: string;
  readonly found: string;
  /** Whether the engine reads both as one name. */
  readonly isSame: boolean;
}

/** The words of a text without accents, marks, case and titles before a name. */
const readWords = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^(?:(?:prof|dr|mr|mrs|ms|herr|frau)\b\.?\s*)+/u, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The words in one order: "King, Ada" is "Ada King". */
const sortWords = (text: string): string => readWords(text).split(' ').sort().join(' ');

/** "+49 421 123" and "0049421123" are read as the same number. */
const isPhone = /^\s*(?:\+|00)?[\d\s()./-]{7,}$/;
const readPhone = (text: string): string => text.replace(/\D+/g, '').replace(/^00/, '');

const readValue = (text: string): string =>
  isPhone.test(text) ? readPhone(text) : readWords(text);

/** What was found next to each own column, and the fields that are next to none. */
export function pairFound(correspondences: Correspondences, { input, result, same = [] }: ListRow) {
  const found = result?.enriched_fields ?? {};
  const pairs = new Map<number, Counterpart>();
  const used = new Map<string, number>();
  for (const { column, fields, is_full_name: isFullName } of correspondences) {
    const usable = fields.filter((name) => found[name] && !used.has(name));
    const [field] = usable;
    if (field === undefined) continue;
    const own = readWords(input[column] ?? '');
    // A column of names may hold whole names under any header: the cell shows it.
    const isWhole =
      isFullName ||
      (fields[1] === 'Last name' && own.includes(' ') && own !== readWords(found[field] ?? ''));
    const taken = isWhole ? usable : [field];
    const whole = taken.map((name) => found[name]).join(' ');
    pairs.set(column, {
      field,
      found: whole,
      isSame: same.includes(column) || (isWhole && sortWords(own) === sortWords(whole)),
    });
    for (const name of taken) used.set(name, column);
  }
  return { pairs, used };
}

/** How a found value relates to the own one; '' if it is the same, or there is none to compare. */
export function compareOwn(
  own: string | null,
  { found, isSame }: Pick<Counterpart, 'found' | 'isSame'>,
): 'new' | 'differs' | '' {
  if (own === null || found === '' || isSame || readValue(own) === readValue(found)) return '';
  return own.trim() === '' ? 'new' : 'differs';
}

interface Tones {
  readonly of: Correspondences;
  readonly read: ReadonlyMap<string, 'new' | 'differs' | ''>;
}
const tones = new WeakMap<ListRow, Tones>();

export function readTones(correspondences: Correspondences, row: ListRow) {
  const known = tones.get(row);
  // Rows that a job has at its start have no columns to compare with until it ends.
  if (known?.of === correspondences) return known.read;
  const { pairs, used } = pairFound(correspondences, row);
  const read = new Map(
    [...used].map(([field, column]) => {
      const pair = pairs.get(column);
      return [field, pair ? compareOwn(row.input[column] ?? '', pair) : ''] as const;
    }),
  );
  tones.set(row, { of: correspondences, read });
  return read;
}
