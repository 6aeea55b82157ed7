// Reads a place in one cell, such as "Berlin, Germany", into its city, state and country.
import { readForms } from '../../platform/read-words.ts';
import { countryCode } from './country-code.ts';
import { foldText } from './fold-text.ts';

/** Parts that the cell does not have are ''. */
export interface Place {
  readonly city: string;
  readonly state: string;
  readonly country: string;
}

const nowhere: Place = { city: '', state: '', country: '' };
const between = /\s*[,;|/]\s*|\s+[-–—]\s+/;
const inBrackets = /\s*\(([^()]*)\)/g;
const unitedStates = 'United States';

/** What people write where there is no place, and areas larger than a country. */
const noPlace = new RegExp(
  '^(?:remote|hybrid|virtual|on ?-?site|home ?-?office|worldwide|global|anywhere|international|' +
    'earth|emea|dach|apac|latam|mena|benelux|nordics|europe|europa|asia|africa|' +
    '(?:north|south|latin) america)\\b',
  'i',
);

/** Words around the city of an area: "Greater Boston", "San Francisco Bay Area". */
const before = /^(?:greater|metro|großraum|grossraum|raum|région de|[aá]rea metropolitana de) /i;
const behind = new RegExp(
  '(?: (?:metropolitan|metro|bay))? (?:area|region|metroplex|metropolitan)$|' +
    ' (?:und umgebung|et périphérie|y alrededores|e região|e dintorni|en omgeving)$',
  'i',
);

let stateCodes: ReadonlyMap<string, string> | null = null;

function isState(text: string): boolean {
  stateCodes ??= readForms('states');
  return /^\p{Lu}{2}$/u.test(text) || text.length > 2 ? stateCodes.has(foldText(text)) : false;
}

const postalCode = /^(?:[a-z]{1,2}-)?\d{4,6} (?=\D+$)/i;

/** What stands behind a state of the United States: "NY 10001". */
const zipCode = /(?<=\p{L})\s+\d{5}(?:-\d{4})?$/u;

const readCity = (text: string): string =>
  text.replace(postalCode, '').replace(before, '').replace(behind, '').trim();

/** The parts in front of the country: a city and its state, either, or an address. */
function readInside(parts: readonly string[], country: string): Place {
  const [first = '', second = '', ...more] = parts;
  if (more.length > 0 || /\d/.test(readCity(first) + second)) return { ...nowhere, country };
  const code = countryCode(country);
  // "England, United Kingdom" and "California, United States" name no city.
  const isPart = first !== country && countryCode(first) === code;
  if (second === '' && (isPart || (code === 'US' && isState(first))))
    return { city: '', state: first, country };
  return { city: readCity(first), state: second, country };
}

/**
 * The parts of a place. A name that may be a state or a country ("Georgia", "CA") is neither. Of
 * two names that are neither, only the first is read: as the city.
 */
export function readPlace(text: string): Place {
  const parts = text
    .replace(inBrackets, (all, inside: string) => (countryCode(inside) ? `, ${inside}` : all))
    .split(between)
    .filter(Boolean)
    .map((part, at) =>
      at > 0 && isState(part.replace(zipCode, '')) ? part.replace(zipCode, '') : part,
    );
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  if (noPlace.test(first) && parts.length === 1) return nowhere;
  const isOne = parts.length === 1;
  const [hasCountry, hasState] = [countryCode(last) !== null, isState(last)];
  const rest = (noPlace.test(first) ? parts.slice(1) : parts).slice(0, -1);
  // After a state, "Atlanta, Georgia, US", a code or a name is the country's.
  if (hasCountry && (!hasState || parts.length > 2)) return readInside(rest, last);
  if (hasState && !hasCountry)
    return isOne
      ? { city: '', state: last, country: unitedStates }
      : readInside([...rest, last], unitedStates);
  if (hasState) return isOne ? nowhere : { ...nowhere, city: readCity(first) };
  if (!isOne && countryCode(first) !== null && !isState(first))
    return readInside(parts.slice(1), first);
  const city = readCity(first);
  return /\d/.test(city) ? nowhere : { ...nowhere, city };
}
