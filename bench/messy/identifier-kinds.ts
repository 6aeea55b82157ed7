// Kinds of dirt that add an email, a profile URL, a phone or a title to a row.
import type { Draws } from '../generate-draws.ts';
import {
  type CellName,
  type Draft,
  domainOf,
  type Kind,
  type Source,
  webMailDomains,
} from './draft.ts';
import { dropLetter, slipOnce, swapLetters } from './letters.ts';
import type { Person } from './sample-people.ts';
import { capitalize, foldJoined } from './text.ts';

const changeRow = (
  name: string,
  weight: number,
  does: string,
  changes: readonly CellName[],
  apply: Kind['apply'],
): Kind => ({ name, group: 'identifier', does, weight, changes, apply });

type IdentifierChange = (value: string, draws: Draws, draft: Draft) => string;

const roleLocal = /^(?:info|office|contact|mayor|admin|president|clerk|council|mail|sen|rep)\b/;
/** An email of the person, the person's own first. */
const emailOf = ({ person }: Draft): string =>
  person.emails.find((email) => !roleLocal.test(email)) ?? person.emails[0] ?? '';

/** Whether an email is another person's. */
export const isOfOther = (email: string, person: Person, { directory }: Source): boolean =>
  directory.emailHolders.has(email) && !person.emails.includes(email);

/** Whether only one person holds an email, which is no role mailbox. */
const isOwnEmail = (email: string, { directory }: Source): boolean =>
  directory.emailHolders.get(email) === 1 && !roleLocal.test(email);

const email = (
  name: string,
  weight: number,
  does: string,
  change: IdentifierChange,
  isLegible = true,
): Kind =>
  changeRow(name, weight, does, ['email'], (draft, source) => {
    const own = emailOf(draft);
    if (own === '') return;
    const changed = change(own, source.draws, draft);
    if (isOfOther(changed, draft.person, source)) return;
    draft.cells.email = changed;
    if (isLegible && isOwnEmail(own, source)) draft.clues.hasKey = true;
  });

const bareUrl = (url: string): string => url.replace(/^https?:\/\//i, '').replace(/^www\./i, '');
const isLinkedIn = (url: string): boolean => /linkedin\.com\/in\//i.test(url);

const url = (
  name: string,
  weight: number,
  does: string,
  change: IdentifierChange,
  isMeant: (url: string) => boolean = () => true,
): Kind =>
  changeRow(name, weight, does, ['profile_url'], (draft, source) => {
    const own = draft.person.urls.find(isMeant);
    if (own === undefined) return;
    draft.cells.profile_url = change(own, source.draws, draft);
    if (source.directory.urlHolders.get(own) === 1) draft.clues.hasKey = true;
  });

const digitsOf = (phone: string): string =>
  phone
    .replace(/ ext.*$/, '')
    .replace(/\D/g, '')
    .slice(-10);
const phone = (
  name: string,
  weight: number,
  does: string,
  write: (digits: string, draws: Draws) => string,
): Kind =>
  changeRow(name, weight, does, ['phone'], (draft, source) => {
    const own = draft.person.phones[0];
    if (own === undefined || digitsOf(own).length < 10) return;
    draft.cells.phone = write(digitsOf(own), source.draws);
    if (source.directory.phoneHolders.get(own) === 1) draft.clues.hasPhone = true;
  });

const [onsets, nuclei, codas] = [
  ['b', 'd', 'ch', 'g', 'sk', 'tr', 'p', 'm', 'w', 'z', 'fl', 'sp', 'k', 'dr'],
  ['u', 'o', 'i', 'a', 'oo', 'e'],
  ['zz', 'p', 'x', 'bby', 'nky', 'mbo', 'ddo', 'ffy', 'ggs', 'ck', 'tch', 'zzy'],
];

/** A nickname like Buzz or Skip. */
const coinName = (draws: Draws): string =>
  capitalize(draws.pick(onsets!) + draws.pick(nuclei!) + draws.pick(codas!));

type Pattern = (given: string, last: string) => string;
const localPatterns: readonly Pattern[] = [
  (given, last) => `${given}.${last}`,
  (given, last) => given.slice(0, 1) + last,
  (given, last) => `${given.slice(0, 1)}.${last}`,
  (given, last) => last + given.slice(0, 1),
  (given, last) => given + last,
  (given, last) => `${given}_${last}`,
  (given, last) => `${last}.${given}`,
];

/** An email in the form of organisations; '' if a part is missing. */
export function guessEmail(given: string, last: string, domain: string, draws: Draws): string {
  const [one, two] = [foldJoined(given), foldJoined(last)];
  if (one === '' || two === '' || domain === '') return '';
  return `${draws.pick(localPatterns)(one, two)}@${domain}`;
}

const splitEmail = (address: string): [local: string, domain: string] => {
  const at = address.indexOf('@');
  return [address.slice(0, at), address.slice(at + 1)];
};

/** Local parts of mailboxes that belong to a role. */
export const roleNames = ['info', 'office', 'contact', 'admin', 'sales', 'hello', 'support', 'hr'];

/** Adds the person's own email to a row without one. */
export function addOwnEmail(draft: Draft, source: Source): void {
  const own = emailOf(draft);
  if (draft.cells.email !== '' || own === '') return;
  draft.cells.email = own;
  if (isOwnEmail(own, source)) draft.clues.hasKey = true;
}

/** Adds the person's own profile URL to a row without one. */
export function addOwnUrl({ person, cells, clues }: Draft, { directory }: Source): void {
  const [own = ''] = person.urls;
  if (cells.profile_url !== '' || own === '') return;
  cells.profile_url = own;
  if (directory.urlHolders.get(own) === 1) clues.hasKey = true;
}

const emailKinds: readonly Kind[] = [
  email('email-own', 5, 'the person’s email', (own) => own),
  email(
    'email-wrapped',
    4,
    'the email with mailto:, a name or brackets',
    (own, draws, { person }) =>
      draws.pick([
        `mailto:${own}`,
        `${person.given} ${person.last} <${own}>`,
        `<${own}>`,
        `"${person.last}, ${person.given}" <${own}>`,
        `E: ${own}`,
        `MAILTO:${own}?subject=Hello`,
      ]),
  ),
  email('email-punctuation', 3, 'the email with signs around it', (own, draws) =>
    draws.pick([`${own};`, ` ${own}. `, `${own},`, `'${own}'`, `${own}>`, `${own}\u00a0`]),
  ),
  email('email-spaced', 3, 'the email with spaces or words for its signs', (own, draws) =>
    draws.pick([
      own.replace('@', ' @ '),
      own.replace('@', ' (at) '),
      own.replace('@', ' [at] ').replace(/\./g, ' [dot] '),
      own.replace('@', '@ '),
    ]),
  ),
  email('email-tagged', 2, 'the email with a tag after +', (own, draws) =>
    own.replace('@', draws.pick(['+list@', '+crm2024@', '+news@'])),
  ),
  email('email-capitals', 2, 'the email in capitals', (own) => own.toUpperCase()),
  email('email-two', 2, 'the email and a private one', (own, draws, { person }) => {
    const local = foldJoined(person.given + person.last);
    return `${own}${draws.pick(['; ', ', ', ' / ', ' '])}${local}@${draws.pick(webMailDomains)}`;
  }),
  email(
    'email-domain-slip',
    3,
    'the email with a typing error in its domain',
    (own, draws) => {
      const [local, domain] = splitEmail(own);
      return `${local}@${draws.pick([dropLetter, swapLetters, slipOnce])(domain, draws)}`;
    },
    false,
  ),
  email(
    'email-local-slip',
    3,
    'the email with a typing error before the @',
    (own, draws) => {
      const [local, domain] = splitEmail(own);
      return `${slipOnce(local, draws)}@${domain}`;
    },
    false,
  ),
  changeRow(
    'email-guessed',
    4,
    'an email in the form of the employer',
    ['email'],
    (draft, source) => {
      const { person, cells, clues } = draft;
      const domain = domainOf(draft, source);
      const guess = guessEmail(person.given, person.last, domain, source.draws);
      if (guess === '' || isOfOther(guess, person, source)) return;
      cells.email = guess;
      clues.domain = domain;
      if (isOwnEmail(guess, source) && person.emails.includes(guess)) clues.hasKey = true;
    },
  ),
  changeRow('email-role', 3, 'a mailbox of a role at the employer', ['email'], (draft, source) => {
    const domain = domainOf(draft, source);
    if (domain === '') return;
    draft.cells.email = `${source.draws.pick(roleNames)}@${domain}`;
    draft.clues.domain = domain;
  }),
  changeRow(
    'email-web-mail',
    3,
    'an address of a web mail service',
    ['email'],
    (draft, { draws }) => {
      const { given, last } = draft.person;
      const local = foldJoined(draws.pick([given.slice(0, 1) + last, given + last, last + given]));
      const number = draws.pick(['', '1', '77', '_2']);
      draft.cells.email = `${local}${number}@${draws.pick(webMailDomains)}`;
    },
  ),
];

const trackers = ['utm_source=crm', 'utm_medium=email&utm_campaign=x', 'fbclid=ab1'];
const brokenSchemes = ['htp://', 'http//', 'https:/', 'https://https://', 'http:\\\\', 'ttps://'];

const urlKinds: readonly Kind[] = [
  url('url-own', 4, 'the person’s profile', (own) => own),
  url('url-bare', 3, 'the profile without scheme', (own) => bareUrl(own)),
  url('url-punctuation', 3, 'the profile with signs around it', (own, draws) =>
    draws.pick([`${own}).`, `<${own}>`, `"${own}"`, `${own},`, `(${own})`, `LinkedIn: ${own}`]),
  ),
  url('url-tracking', 2, 'the profile with tracking parameters', (own, draws) => {
    const mark = own.includes('?') ? '&' : '?';
    return `${own}${mark}${draws.pick(trackers)}`;
  }),
  url(
    'url-locale',
    3,
    'the profile of another country or language',
    (own, draws) => {
      const bare = bareUrl(own).replace(/\/$/, '');
      return draws.pick([
        `${bare}/en`,
        `https://uk.${bare}`,
        `http://m.${bare}/`,
        `https://www.${bare}/de-de/`,
        `https://www.${bare}?originalSubdomain=ca`,
        `www.${bare}/details/experience/`,
      ]);
    },
    isLinkedIn,
  ),
  url(
    'url-broken-scheme',
    2,
    'the profile with a broken scheme',
    (own, draws) => draws.pick(brokenSchemes) + bareUrl(own),
  ),
  url('url-encoded', 2, 'the profile percent-encoded', (own) =>
    own.replace(/[-_](?=[^/]*\/?$)/g, (sign) => (sign === '-' ? '%2D' : '%5F')),
  ),
  url('url-capitals', 2, 'the profile with host and scheme in capitals', (own) =>
    own.replace(/^https?:\/\/[^/]+/i, (start) => start.toUpperCase()),
  ),
];

const phoneKinds: readonly Kind[] = [
  phone(
    'phone-own',
    3,
    'the person’s phone',
    (digits) => `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`,
  ),
  phone('phone-formatted', 2, 'the phone in another form', (digits, draws) =>
    draws.pick([
      `${digits.slice(0, 3)}.${digits.slice(3, 6)}.${digits.slice(6)}`,
      `001 ${digits.slice(0, 3)} ${digits.slice(3)}`,
      `+1${digits}`,
      `T: ${digits.slice(0, 3)}-${digits.slice(3, 6)}-${digits.slice(6)} x12`,
      `${digits}.0`,
    ]),
  ),
];

/** Kinds of dirt that add an identifier, clean or not, or the person's title. */
export const identifierKinds: readonly Kind[] = [
  changeRow(
    'given-coined',
    6,
    'a nickname that no table has, with the own email or profile',
    ['first_name', 'email', 'profile_url'],
    (draft, source) => {
      if (draft.cells.first_name === '') return;
      if (source.draws.isHit(0.6)) addOwnEmail(draft, source);
      else addOwnUrl(draft, source);
      if (draft.clues.hasKey) draft.cells.first_name = coinName(source.draws);
    },
  ),
  ...emailKinds,
  ...urlKinds,
  ...phoneKinds,
  changeRow('title-added', 2, 'the job title in its column', ['title'], ({ cells, job }) => {
    cells.title = job.title;
  }),
];
