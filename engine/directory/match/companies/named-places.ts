// Places that a name states: countries, regions, states, large cities. "Acme (Asia)" is one.
import { readWords } from '../../../platform/read-words.ts';
import { organisationTokens, stateMark } from '../../normalize/messy/organisation-tokens.ts';

const regions =
  'africa|america|americas|apac|arctic|asean|asia|asia pacific|australasia|balkans|baltic|' +
  'benelux|' +
  'caribbean|central america|eastern europe|emea|eurasia|europe|far east|gulf|iberia|latam|' +
  'latin america|maghreb|mena|middle east|nordic|nordics|north america|pacific|scandinavia|' +
  'south america|southeast asia|western europe';
/** Languages in which companies write countries in their names. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv'];
const wordsOfPlaceMax = 3;

/** Cities that name a time zone: one or more of each country. */
const zoneCities = (): string[] =>
  Intl.supportedValuesOf('timeZone')
    .filter((zone) => /^(?:Africa|America|Asia|Australia|Europe|Pacific|Atlantic)\//.test(zone))
    .map((zone) => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' '));

/** Places by name; '' for words that the name of a place only begins with. */
function readPlaces(): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  const add = (name: string, place: string): void => {
    const words = organisationTokens(name);
    if (words.length > wordsOfPlaceMax) return;
    const key = words.join(' ');
    if (key.length > 2 && !key.includes(stateMark) && !places.has(key)) places.set(key, place);
  };
  for (const name of regions.split('|')) add(name, `region ${name}`);
  const codes = readWords('country-codes').map(([code]) => code);
  for (const language of languages) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const code of codes) add(names.of(code) ?? '', code);
  }
  for (const city of zoneCities()) add(city, `city ${city}`);
  places.set('us', 'US');
  places.set('uk', 'GB');
  for (const name of [...places.keys()])
    for (let at = name.indexOf(' '); at > 0; at = name.indexOf(' ', at + 1))
      if (!places.has(name.slice(0, at))) places.set(name.slice(0, at), '');
  return places;
}
let known: ReadonlyMap<string, string> | null = null;

type NameWords = readonly { readonly text: string; readonly id: number }[];

/** Passes on each place in the words of a name: its first word, and the word after it. */
function eachPlace(words: NameWords, take: (place: string, from: number, to: number) => void) {
  known ??= readPlaces();
  for (let at = 0; at < words.length; at++) {
    const { text } = words[at]!;
    if (text.startsWith(stateMark)) take(text, at, at + 1);
    let key = text;
    let place = known.get(key);
    for (let to = at + 1; place !== undefined; to++) {
      if (place !== '') take(place, at, to);
      if (to === words.length) break;
      key = `${key} ${words[to]!.text}`;
      place = known.get(key);
    }
  }
}

/** Whether a place is a city, or a region that is not named for a whole company: "America" is. */
export const isElsewhere = (place: string): boolean =>
  place.startsWith('city ') || (place.startsWith('region ') && !ownRegions.test(place));
const ownRegions = /america|pacific|gulf|arctic/;

/** The place that each word of a name belongs to; '' if it belongs to none. */
export function markPlaces(words: NameWords): string[] {
  const marked = words.map(() => '');
  eachPlace(words, (place, from, to) => marked.fill(place, from, to));
  return marked;
}

/** The places in the words of a name, with the word that each begins with. */
function listNamedPlaces(words: NameWords): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  eachPlace(words, (place, from) => found.set(place, words[from]!.id));
  return found;
}

/** How the places in two names agree; `row` and `held` name one that the other lacks. */
export const namedPlaceLevels = ['none', 'same', 'other', 'row', 'held'] as const;
export type NamedPlaceLevel = (typeof namedPlaceLevels)[number];

const isCountry = (place: string): boolean => /^[A-Z]{2}$/.test(place);

/**
 * Compares the places in two names.
 * @param isOwn whether a word is one of the place where the held company is: stated or not, it is
 *   the same company
 * @param countries codes of the countries where the held company is; none if that is unknown
 */
export function compareNamedPlaces(
  stated: NameWords,
  held: NameWords,
  isOwn: (word: number) => boolean,
  countries: ReadonlySet<string>,
): NamedPlaceLevel {
  const ofHeld = listNamedPlaces(held);
  const ofRow = [...listNamedPlaces(stated)]
    .filter(([place, word]) => ofHeld.has(place) || !(isOwn(word) || countries.has(place)))
    .map(([place]) => place);
  const isAbroad = (place: string): boolean => isCountry(place) && !ofHeld.has(place);
  if (countries.size > 0 && ofRow.some(isAbroad)) return 'other';
  const isMissing = ofRow.some((place) => !ofHeld.has(place));
  const isAbsent = [...ofHeld.keys()].some((place) => !ofRow.includes(place));
  if (isMissing && isAbsent) return 'other';
  if (isMissing) return 'row';
  if (isAbsent) return 'held';
  return ofRow.length > 0 ? 'same' : 'none';
}
