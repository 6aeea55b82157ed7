/** When two job titles are the same title, written differently. */
import { foldText } from './fold-text.ts';

/** Short forms of titles in English and German, and what they stand for. */
const shortForms: ReadonlyMap<string, string> = new Map([
  ['acct', 'account'],
  ['assoc', 'associate'],
  ['asst', 'assistant'],
  ['avp', 'assistant vice president'],
  ['ceo', 'chief executive officer'],
  ['cfo', 'chief financial officer'],
  ['chro', 'chief human resources officer'],
  ['cio', 'chief information officer'],
  ['ciso', 'chief information security officer'],
  ['cmo', 'chief marketing officer'],
  ['coo', 'chief operating officer'],
  ['coord', 'coordinator'],
  ['cto', 'chief technology officer'],
  ['dept', 'department'],
  ['dir', 'director'],
  ['engr', 'engineer'],
  ['evp', 'executive vice president'],
  ['exec', 'executive'],
  ['gf', 'geschaftsfuhrer'],
  ['gm', 'general manager'],
  ['hr', 'human resources'],
  ['intl', 'international'],
  ['it', 'information technology'],
  ['jr', 'junior'],
  ['mgmt', 'management'],
  ['mgr', 'manager'],
  ['mktg', 'marketing'],
  ['mkt', 'marketing'],
  ['mngr', 'manager'],
  ['natl', 'national'],
  ['ops', 'operations'],
  ['pres', 'president'],
  ['prof', 'professor'],
  ['rep', 'representative'],
  ['snr', 'senior'],
  ['sr', 'senior'],
  ['supt', 'superintendent'],
  ['svp', 'senior vice president'],
  ['vp', 'vice president'],
]);

/** Words that a title has or lacks without being another one. "to" is none: "assistant to". */
const smallWords = new Set(
  (
    'al an and at d da de del der des di die do du et for fur im in l la le of the und van ' +
    'von vom'
  ).split(' '),
);

/** A word without the ending of the German form for women. */
const readWord = (word: string): string =>
  /^\p{L}{3,}[eo]rin$/u.test(word) ? word.slice(0, -2) : word;

/**
 * The words of a title in one order, without short forms, small words and endings of gender: "Sr.
 * VP, Sales" is "Vice President of Sales (senior)". A title of small words alone keeps them.
 */
export function titleKey(title: string): string {
  const folded = foldText(title)
    // "(m/w/d)" says who may apply.
    .replace(/\([mwdfhx](?:[/|*][mwdfhx])+\)/g, ' ')
    // "C.E.O." and "co-founder" are one word.
    .replace(/\b(\p{L})\.(?=\p{L}\b)/gu, '$1')
    .replace(/\bco[\s-]+(?=\p{L})/gu, 'co')
    // "Leiter/in", "Leiter:in", "Leiter*innen".
    .replace(/(?<=\p{L})[/:*_](?:in|innen)\b/gu, '');
  const words = folded.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);
  const telling = words.filter((word) => !smallWords.has(word));
  return (telling.length > 0 ? telling : words)
    .flatMap((word) => (shortForms.get(word) ?? readWord(word)).split(' '))
    .sort()
    .join(' ');
}
