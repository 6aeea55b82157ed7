// Splits a row that holds several people into a row for each.
import type { OpenRowSplit } from '../../../spreadsheet/collect-table.ts';
import {
  countPeople,
  readCouple,
  splitPairs,
  splitPeople,
} from '../../../spreadsheet/several-people.ts';
import { foldText } from '../../normalize/fold-text.ts';
import { emailDomain, isRoleMailbox } from '../../normalize/normalize-email.ts';
import { readEmails } from '../../normalize/read-cell.ts';
import type { RemarkOnRow } from '../import-tally.ts';
import { type PersonField, personColumns } from './import-columns.ts';
import { type MappedColumns, mapColumns } from './map-columns.ts';

/** Fields of one person, whose cells belong to the first unless they have as many parts. */
const ownFields = [
  'id',
  'profile_url',
  'title',
  'mobile_phone',
  'direct_phone',
  'phone',
  'personal_email',
  'nickname',
  'middle_name',
  'suffix',
] as const satisfies readonly PersonField[];

/** Signs between the values of several people in a cell. */
const breaks = /\s*[;\r\n|]+\s*|\s+\/\s+|\s+(?:&|and|und|et)\s+/iu;

/** Longer cells are texts, and have no parts. */
const sharedCharactersMax = 300;

/** The parts of a cell by person, if it has as many; else all for the first. */
function shareCell(cell: string, count: number): string[] {
  const parts = cell.length > sharedCharactersMax ? [] : cell.split(breaks).filter(Boolean);
  return parts.length === count ? parts : [cell, ...Array<string>(count - 1).fill('')];
}

function fitsName(email: string, name: string): boolean {
  const local = foldText(email.slice(0, email.indexOf('@')));
  return foldText(name)
    .split(/[\s'’.-]+/)
    .some((word) => word.length > 2 && local.includes(word));
}

/** The address of each person: the one that has a word of the name, else by its place. */
function shareEmails(emails: readonly string[], names: readonly string[]): string[] {
  const given = names.map((name) => {
    const fitting = emails.filter((email) => fitsName(email, name));
    const others = emails.filter((email) =>
      names.some((one) => one !== name && fitsName(email, one)),
    );
    return fitting.find((email) => !others.includes(email)) ?? '';
  });
  const left = emails.filter((email) => !given.includes(email));
  // One address that fits nobody is the first person's, as it is without a second one.
  if (emails.length !== names.length && given.some(Boolean)) return given;
  return given.map((email, at) => email || (left.shift() ?? (at === 0 ? (emails[0] ?? '') : '')));
}

/** Whether an address is written as that of a person with a first and a last name. */
const isPersonal = (email: string): boolean =>
  /^\p{L}+[._-]\p{L}{2,}@/u.test(email) && !isRoleMailbox(email);

/** Whether addresses of a row without a name are those of several people of one organisation. */
function areOfSeveral(emails: readonly string[]): boolean {
  const [first = ''] = emails;
  const locals = emails.map((email) => email.slice(0, email.lastIndexOf('@')));
  return (
    emails.length > 1 &&
    emails.every((email) => emailDomain(email) === emailDomain(first) && !isRoleMailbox(email)) &&
    locals.every((local, at) =>
      locals.every((other, to) => at === to || !fitsName(`${other}@`, local)),
    )
  );
}

const sayCut = (text: string): string => JSON.stringify(text.slice(0, textShownMax));
const textShownMax = 60;
const eachBecame =
  'and each became a contact. A title or phone that may be of any went to the first.';

/** Splits the rows of any list as an import does. A row whose people are unclear stays one. */
export const openRowSplit: OpenRowSplit = (headers, sample) => {
  const split = createRowSplitter(mapColumns(headers, personColumns, {}, sample));
  return (cells) => {
    const said: string[] = [];
    const rows = split(cells, (message) => said.push(message)) ?? [];
    return rows.length > 1 ? { rows, message: said.join(' ') } : null;
  };
};

/**
 * Creates a function that returns a row for each person of a row that holds several, by its names
 * ("Ann Lee / Bo Kim") or its addresses; null for a row of one person.
 */
export function createRowSplitter(
  columns: Pick<MappedColumns<PersonField>, 'placesOf'>,
): (cells: readonly string[], remark: RemarkOnRow) => string[][] | null {
  const [first] = columns.placesOf(['first_name']);
  const [last] = columns.placesOf(['last_name']);
  const whole = columns.placesOf(['full_name']);
  const emailsAt = columns.placesOf(['email']);
  const [emailAt] = emailsAt;
  const ownAt = columns.placesOf(ownFields);
  const textAt = (cells: readonly string[], at: number | undefined): string =>
    at === undefined ? '' : (cells[at] ?? '').trim();
  const listEmails = (cells: readonly string[], more: string): string[] => {
    const found = emailsAt.flatMap((at) => readEmails(cells[at] ?? ''));
    return [...new Set([...found, ...(more.includes('@') ? readEmails(more) : [])])];
  };

  /** The row of each person: with an own name and address, and a share of other cells. */
  function share(
    cells: readonly string[],
    count: number,
    emails: readonly string[],
    write: (row: string[], person: number) => void,
  ): string[][] {
    return Array.from({ length: count }, (_one, person) => {
      const row = [...cells];
      for (const at of [...emailsAt, ...whole]) row[at] = '';
      for (const at of ownAt) row[at] = shareCell(cells[at] ?? '', count)[person] ?? '';
      if (emailAt !== undefined) row[emailAt] = emails[person] ?? '';
      write(row, person);
      return row;
    });
  }

  /** The rows of the addresses of a cell, of which some are not the named person's. */
  function splitEmails(
    cells: readonly string[],
    name: string,
    remark: RemarkOnRow,
  ): string[][] | null {
    if (emailAt === undefined) return null;
    const emails = readEmails(cells[emailAt] ?? '');
    if (name === '') {
      if (!areOfSeveral(emails)) return null;
      remark(`${sayCut(cells[emailAt] ?? '')} holds ${countPeople(emails.length)}, ${eachBecame}`);
      return share(cells, emails.length, emails, () => undefined);
    }
    const others = emails.filter((email) => isPersonal(email) && !fitsName(email, name));
    const own = emails.filter((email) => !others.includes(email));
    if (others.length === 0 || own.length === 0) return null;
    remark(
      `${others.join(', ')} next to ${own[0]} may be the address of another person, and was ` +
        'omitted. Write each person in a row of their own.',
    );
    return [cells.with(emailAt, own.join('; '))];
  }

  return (cells, remark) => {
    const given = textAt(cells, first);
    const family = textAt(cells, last);
    const wholeAt = given || family ? undefined : whole.find((at) => textAt(cells, at) !== '');
    const text = given || family || textAt(cells, wholeAt);
    const people =
      wholeAt === undefined
        ? splitPairs(given, family)
        : splitPeople(text).map((name) => [name, ''] as const);
    if (people.length < 2) {
      if (readCouple(`${given} ${family}`.trim() || text) !== null)
        remark(
          `${sayCut(text)} names a couple or a group, and stays one contact. Write each person ` +
            'in a row of their own.',
        );
      const cell = textAt(cells, emailAt);
      const hasSeveral =
        cell.length <= sharedCharactersMax && cell.indexOf('@') !== cell.lastIndexOf('@');
      return hasSeveral ? splitEmails(cells, `${given} ${family}`.trim() || text, remark) : null;
    }
    const names = people.map(([one, other]) => `${one} ${other}`.trim());
    const emails = shareEmails(listEmails(cells, text), names);
    remark(`${sayCut(text)} holds ${countPeople(names.length)}, ${eachBecame}`);
    return share(cells, people.length, emails, (row, person) => {
      const [one = '', other = ''] = people[person] ?? [];
      const bracketed = emailAt === undefined && emails[person] ? ` <${emails[person]}>` : '';
      if (wholeAt !== undefined) row[wholeAt] = `${one}${bracketed}`;
      else if (first !== undefined) row[first] = `${one}${bracketed}`;
      if (wholeAt === undefined && last !== undefined) row[last] = other;
    });
  };
}
