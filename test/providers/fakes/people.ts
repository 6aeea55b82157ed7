// The people that the fakes know: what a request asks about, and the facts that answer it.

/** A person as a request names them. Absent parts are ''. */
export interface Asked {
  readonly firstName: string;
  readonly lastName: string;
  readonly fullName: string;
  readonly companyName: string;
  readonly domain: string;
  readonly email: string;
  readonly profileUrl: string;
}

/**
 * What a fake knows about a person. `unlicensed` is a hit whose values the plan does not include;
 * only services that have this case distinguish it from a hit.
 */
export type PersonOutcome = 'hit' | 'catch_all' | 'unlicensed' | 'miss' | 'legal';

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly isCatchAll: boolean;
  readonly isUnlicensed: boolean;
  readonly title: string;
  readonly company: string;
  readonly domain: string;
  readonly profileUrl: string;
  readonly phone: string;
}

/** The head office and the dates that every known person has. */
export const facts = {
  address: '1 Harbour Street',
  city: 'Lyon',
  state: 'Auvergne-Rhône-Alpes',
  country: 'France',
  countryCode: 'FR',
  postalCode: '69002',
  companyPhone: '+33400000000',
  startedOn: '2025-03-01',
  observedOn: '2026-05-04',
} as const;

/** Reads who a record asks about, by the names that the service gives to the parts. */
export function readAsked(
  record: Readonly<Record<string, unknown>>,
  names: Readonly<Partial<Record<keyof Asked, string>>>,
): Asked {
  const read = (part: keyof Asked) => {
    const name = names[part];
    const value = name === undefined ? undefined : record[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    firstName: read('firstName'),
    lastName: read('lastName'),
    fullName: read('fullName'),
    companyName: read('companyName'),
    domain: read('domain'),
    email: read('email'),
    profileUrl: read('profileUrl'),
  };
}

/** Equal for two requests about the same person. */
export const keyOf = (asked: Asked): string => Object.values(asked).join('|').toLowerCase();

const outcomeWords = ['miss', 'legal', 'catch_all', 'unlicensed'] as const;

/** The outcome that a person's name, email or profile contains, as in "Ada Miss"; else a hit. */
export const outcomeInName = (asked: Asked): PersonOutcome =>
  outcomeWords.find((word) => keyOf(asked).replaceAll('-', '_').includes(word)) ?? 'hit';

const capitalize = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

function splitName(asked: Asked): [string, string] {
  if (asked.firstName || asked.lastName) return [asked.firstName, asked.lastName];
  const mailbox = asked.email.split('@')[0] ?? '';
  const slug = asked.profileUrl.split('/').filter(Boolean).at(-1) ?? '';
  const [first = '', ...rest] = (asked.fullName || mailbox || slug).split(/[ .-]/);
  return [capitalize(first), rest.map(capitalize).join(' ')];
}

/** The facts about an asked person, derived from the request alone. */
export function describePerson(asked: Asked, outcome: PersonOutcome): Person {
  const [firstName, lastName] = splitName(asked);
  const ownDomain = asked.domain || asked.email.split('@')[1];
  const company = asked.companyName || capitalize(ownDomain?.split('.')[0] ?? 'acme');
  const domain = ownDomain || `${company.toLowerCase().replace(/[^a-z0-9]/g, '')}.example`;
  const mailbox = `${firstName}.${lastName}`.toLowerCase().replace(/[^a-z0-9.]/g, '');
  return {
    firstName,
    lastName,
    email: asked.email || `${mailbox}@${domain}`,
    isCatchAll: outcome === 'catch_all',
    isUnlicensed: outcome === 'unlicensed',
    title: 'Chief Financial Officer',
    company,
    domain,
    profileUrl: asked.profileUrl || `https://www.linkedin.com/in/${mailbox.replace('.', '-')}`,
    phone: '+33600000000',
  };
}
