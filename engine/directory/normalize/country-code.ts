// Countries as people write them, and their ISO 3166 codes.
import { type CountryCode, getCountries } from 'libphonenumber-js';
import { copyText } from '../../platform/copy-text.ts';
import { readWords } from '../../platform/read-words.ts';
import { foldText } from './fold-text.ts';

/** The first wins. Node has the names (docs/decisions/091-country-names.md). */
const languages =
  'en de fr es it pt nl pl sv da nb fi cs sk hu ro tr ru ' +
  'uk el ja zh zh-Hant ko ar he id vi th hi hr sl bg ca et lv lt';

/** A name without case, accents, punctuation and the word "the". */
const foldCountry = (text: string): string =>
  foldText(text)
    .replace(/[.'’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^the /, '');

let codesByName: Map<string, CountryCode> | null = null;

function readNames(): Map<string, CountryCode> {
  const names = new Map<string, CountryCode>();
  const codes = getCountries();
  const add = (name: string, code: CountryCode) => {
    const key = foldCountry(name);
    if (key !== '' && !names.has(key)) names.set(key, code);
  };
  const addListed = (list: string) => {
    const listed = new Map(readWords(list));
    for (const code of codes) for (const name of listed.get(code) ?? []) add(name, code);
  };
  addListed('country-names');
  for (const code of codes) add(code, code);
  addListed('country-codes');
  const addNames = (language: string, style: 'long' | 'short') => {
    const shown = new Intl.DisplayNames([language], { type: 'region', style });
    for (const code of codes) add(shown.of(code) ?? code, code);
  };
  addNames('en', 'short');
  for (const language of languages.split(' ')) addNames(language, 'long');
  return names;
}

/** What official names put in front of the usual one. */
const form = new RegExp(
  '^(?:the )?(?:(?:federal|islamic|democratic|peoples|socialist|united|arab|plurinational|' +
    'bolivarian|co operative|cooperative|federative|hashemite|oriental|independent|federated|' +
    'grand) )*(?:republic|kingdom|state|states|commonwealth|principality|duchy|sultanate|union) ' +
    '(?:of )?(?:the )?',
);

/**
 * "Korea, Republic of" and "Bolivia (Plurinational State of)", also in their usual order, and each
 * name of "Schweiz / Suisse" and "DE - Germany".
 */
function listReadings(text: string): string[] {
  const names = text.split(/\s*[/|]\s*|\s+[-–—]\s+/);
  // "a/k/a" has no country, though A is Austria.
  if (names.length > 1) return [text, ...names.filter(({ length }) => length > 1)];
  const at = text.search(/[,(]/);
  const name = text.slice(0, Math.max(0, at)).trim();
  const rest = text
    .slice(at + 1)
    .trim()
    .replace(/\)$/, '');
  if (name === '' || rest.includes(')')) return [text];
  return [text, `${rest} ${name}`, name, rest];
}

const known = new Map<string, CountryCode | null>();
const knownMax = 5_000;

/** The ISO code of a code of two or three letters, or of a name; otherwise null. */
export function countryCode(text: string): CountryCode | null {
  // Without the names, which take long to read.
  if (text === '') return null;
  const answered = known.get(text);
  if (answered !== undefined) return answered;
  codesByName ??= readNames();
  let code: CountryCode | null = null;
  for (const reading of listReadings(text)) {
    const name = foldCountry(reading);
    // "Mỹ" and "ČR" are no codes.
    if (/^[a-z]{2,3}$/.test(name) && /[^\p{ASCII}]/u.test(reading)) continue;
    code ??= codesByName.get(name) ?? codesByName.get(name.replace(form, '')) ?? null;
  }
  if (known.size >= knownMax) known.clear();
  known.set(copyText(text), code);
  return code;
}

const longestCode = 3;

/** A country's code as its English name; any other text as it is. */
export function nameCountry(text: string): string {
  const code = text.length > longestCode ? null : countryCode(text);
  return (code && new Intl.DisplayNames(['en'], { type: 'region' }).of(code)) || text;
}
