// Rows whose right answer is no one: conflicts, several people, no people, and strangers.
import type { Cells, Draft, Source } from './draft.ts';
import { domainOf, webMailDomains } from './draft.ts';
import { guessEmail, roleNames } from './identifier-kinds.ts';
import { dropLetter, swapLetters } from './letters.ts';
import { type Negative, namesakesOf } from './negative.ts';
import { populationRows } from './population-rows.ts';
import type { Person } from './sample-people.ts';
import { strangers } from './stranger-rows.ts';
import { countEdits, foldJoined } from './text.ts';
import { costOfGiven, costOfLast } from './who-is-meant.ts';

const clearRow = (cells: Cells, values: Partial<Cells>): true => {
  for (const cell of Object.keys(cells) as (keyof Cells)[]) cells[cell] = values[cell] ?? '';
  return true;
};

/** Whether two people's names differ by more than any dirt. */
const areUnlike = (one: Person, two: Person, { directory }: Source): boolean =>
  costOfGiven(one.given, two, directory) + costOfLast(one.last, two) >= 3 &&
  costOfGiven(two.given, one, directory) + costOfLast(two.last, one) >= 3;

const conflicts: readonly Negative[] = [
  {
    name: 'not-email-of-other',
    does: 'a real person with the email of another person',
    weight: 5,
    reason: 'conflict',
    mayAdd: ['text'],
    make({ person, cells }, source) {
      const other = source.drawOther();
      const [email = ''] = other.emails;
      if (source.directory.emailHolders.get(email) !== 1) return false;
      cells.email = email;
      return areUnlike(person, other, source);
    },
  },
  {
    name: 'not-url-of-other',
    does: 'a real person with the profile of another person',
    weight: 5,
    reason: 'conflict',
    mayAdd: ['text'],
    make({ person, cells }, source) {
      const other = source.drawOther();
      const [url = ''] = other.urls;
      if (source.directory.urlHolders.get(url) !== 1) return false;
      cells.profile_url = url;
      return areUnlike(person, other, source);
    },
  },
  {
    name: 'not-email-of-relative',
    does: 'a real person with the email of one of the same surname',
    weight: 4,
    reason: 'conflict',
    mayAdd: ['text'],
    make({ person, cells }, source) {
      const { directory, draws } = source;
      const relatives = namesakesOf(person, source).filter(
        (other) =>
          directory.splitOf(other.id) === directory.splitOf(person.id) &&
          directory.emailHolders.get(other.emails[0] ?? '') === 1 &&
          costOfGiven(person.given, other, directory) >= 3,
      );
      if (relatives.length === 0) return false;
      cells.email = draws.pick(relatives).emails[0]!;
      return true;
    },
  },
];

const several: readonly Negative[] = [
  {
    name: 'not-two-people',
    does: 'two people in one row',
    weight: 5,
    reason: 'ambiguous',
    mayAdd: ['text'],
    make({ person, cells }, { drawOther, draws }) {
      const other = drawOther();
      const [one, two] = [`${person.given} ${person.last}`, `${other.given} ${other.last}`];
      const sign = draws.pick([' & ', ' and ', ' / ', '; ', ', ', ' + ']);
      cells.first_name = one + sign + two;
      cells.last_name = '';
      return true;
    },
  },
  {
    name: 'not-couple',
    does: 'two given names before one surname',
    weight: 5,
    reason: 'ambiguous',
    mayAdd: ['text'],
    make({ person, cells }, { drawOther, draws, directory }) {
      const other = drawOther().given;
      if (costOfGiven(other, person, directory) < 3) return false;
      const sign = draws.pick([' & ', ' and ', '/', ' + ']);
      const both = draws.isHit(0.5) ? person.given + sign + other : other + sign + person.given;
      cells.first_name = both;
      return true;
    },
  },
  {
    name: 'not-two-columns',
    does: 'one person in each name column',
    weight: 3,
    reason: 'ambiguous',
    mayAdd: ['text'],
    make({ person, cells }, { drawOther }) {
      const other = drawOther();
      cells.first_name = `${person.given} ${person.last}`;
      cells.last_name = `${other.given} ${other.last}`;
      return true;
    },
  },
];

const testRows: readonly Partial<Cells>[] = [
  { first_name: 'Test', last_name: 'Test', email: 'test@test.com' },
  { first_name: 'asdf', last_name: 'asdf' },
  { first_name: 'John', last_name: 'Doe', email: 'john@example.com' },
  { first_name: 'Mickey', last_name: 'Mouse' },
  { first_name: 'First Name', last_name: 'Last Name', company_name: 'Company' },
  { first_name: 'xxx', last_name: 'xxx', company_name: 'xxx' },
  { first_name: 'DO NOT USE', last_name: 'TEST RECORD' },
  { first_name: 'Jane', last_name: 'Sample', email: 'jane.sample@example.org' },
  { first_name: 'Demo', last_name: 'User' },
  { first_name: 'Total', last_name: '1,204' },
];
const things = [
  'Accounts Payable',
  'Front Desk',
  'Human Resources',
  'Office Manager',
  'Admissions Office',
  'Conference Room B',
  'Reception',
  'Main Switchboard',
  'IT Helpdesk',
  'Mailroom',
  'Purchasing Department',
  'Current Resident',
  'Guest Speaker',
];

const noPeople: readonly Negative[] = [
  {
    name: 'not-test-row',
    does: 'a test row, a header or a sum, sometimes with a real employer',
    weight: 5,
    reason: 'none',
    mayAdd: ['text'],
    make({ cells, job }, { draws }) {
      const company_name = draws.isHit(0.5) ? job.company : '';
      return clearRow(cells, { company_name, ...draws.pick(testRows) });
    },
  },
  {
    name: 'not-a-person',
    does: 'a thing or an office of a real employer',
    weight: 6,
    reason: 'none',
    mayAdd: ['text', 'organisation'],
    make({ cells, job }, { draws }) {
      const thing = draws.pick(things);
      const [first, ...rest] = thing.split(' ');
      const names = draws.isHit(0.5)
        ? { first_name: thing }
        : { first_name: first!, last_name: rest.join(' ') };
      return clearRow(cells, { ...names, company_name: job.company });
    },
  },
  {
    name: 'not-phone-alone',
    does: 'only the phone of a real person, or with the employer',
    weight: 6,
    reason: 'none',
    mayAdd: [],
    make({ person, cells, job }, { draws }) {
      const [phone] = person.phones;
      const company_name = draws.isHit(0.5) ? job.company : '';
      return phone !== undefined && clearRow(cells, { phone, company_name });
    },
  },
  {
    name: 'not-role-mailbox',
    does: 'only a role mailbox, or with the employer',
    weight: 6,
    reason: 'none',
    mayAdd: [],
    make(draft, source) {
      const domain = domainOf(draft, source);
      const email = `${source.draws.pick(roleNames)}@${domain}`;
      if (domain === '' || source.directory.emailHolders.has(email)) return false;
      const company_name = source.draws.isHit(0.5) ? draft.job.company : '';
      return clearRow(draft.cells, { email, company_name });
    },
  },
  {
    name: 'not-near-email',
    does: 'only an email that differs from a real one by a letter before the @',
    weight: 5,
    reason: 'none',
    mayAdd: [],
    make({ person, cells }, { draws, directory }) {
      const [own] = person.emails;
      if (own === undefined) return false;
      const at = own.indexOf('@');
      const local = draws.pick([dropLetter, swapLetters])(own.slice(0, at), draws);
      const email = local + own.slice(at);
      return !directory.emailHolders.has(email) && clearRow(cells, { email });
    },
  },
  {
    name: 'not-guessed-email',
    does: 'only an email of a stranger in the form of a real employer',
    weight: 4,
    reason: 'none',
    isStranger: true,
    mayAdd: [],
    make(draft, source) {
      const { cells, clues } = draft;
      const domain = domainOf(draft, source);
      const [given, last] = [source.drawOther().given, source.drawOther().last];
      const email = guessEmail(given, last, domain, source.draws);
      if (email === '' || source.directory.emailHolders.has(email)) return false;
      Object.assign(clues, { domain });
      clearRow(cells, { email });
      return areStrangers(given, last, draft, source);
    },
  },
  {
    name: 'not-web-mail',
    does: 'only an address of a web mail service',
    weight: 3,
    reason: 'none',
    mayAdd: [],
    make({ person, cells }, { draws, directory }) {
      const local = foldJoined(draws.pick([person.given, person.given.slice(0, 1)]) + person.last);
      const email = `${local}@${draws.pick(webMailDomains)}`;
      return !directory.emailHolders.has(email) && clearRow(cells, { email });
    },
  },
  {
    name: 'not-company-alone',
    does: 'only an employer',
    weight: 3,
    reason: 'none',
    mayAdd: ['text', 'organisation'],
    make: ({ cells, job }) => clearRow(cells, { company_name: job.company }),
  },
];

/** Whether no colleague can own an email made of these names, even by the first letter. */
function areStrangers(given: string, last: string, draft: Draft, { directory }: Source): boolean {
  const colleagues = directory.byCompany.get(draft.job.companyId) ?? [];
  const [one, two] = [foldJoined(given), foldJoined(last)];
  return !colleagues.some(
    (other) => countEdits(two, foldJoined(other.last), 1) <= 1 || foldJoined(other.given) === one,
  );
}

/** Kinds of rows without a person. */
export const negatives: readonly Negative[] = [
  ...strangers,
  ...populationRows,
  ...conflicts,
  ...several,
  ...noPeople,
];
