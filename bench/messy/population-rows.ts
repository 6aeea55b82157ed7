// Rows about people of the population who are not in the directory: more people exist than any
// directory holds.

import type { Draws } from '../generate-draws.ts';
import { type Cells, type Draft, type Source, webMailDomains } from './draft.ts';
import type { Negative } from './negative.ts';
import { countNamesakes, readPopulation } from './population.ts';
import type { Directory, Person } from './sample-people.ts';
import { inventCompany } from './stranger-rows.ts';
import { capitalize, foldJoined, foldWords } from './text.ts';

/**
 * A name that says nothing else means its only holder in the directory and a namesake elsewhere
 * equally often if so many people of a large country have it. It decides how many names alone are
 * answered: ten times rarer ones.
 */
const evenNamesakes = 300;
/** The same for an initial and a surname behind an employer that the directory lacks. */
const evenElsewhere = 3;
/** An initial fits so many times the people of a name that no list has. */
const givenOfInitial = 50_000;

export function privateMailbox(given: string, last: string, draws: Draws): string {
  const [one, two] = [foldJoined(given), foldJoined(last)];
  const local = draws.pick([`${one}.${two}`, `${one}${two}`, `${one[0]}${two}`, `${one}_${two}`]);
  const number = draws.isHit(0.5) ? String(1 + draws.below(99)) : '';
  return `${local}${number}@${draws.pick(webMailDomains)}`;
}

/** A whole name is often in one cell. */
export function putName(cells: Cells, given: string, last: string, draws: Draws): void {
  const isOne = draws.isHit(0.35);
  const isLast = isOne && draws.isHit(0.5);
  const whole = draws.isHit(0.2) ? `${last}, ${given}` : `${given} ${last}`;
  cells.first_name = isOne ? (isLast ? '' : whole) : given;
  cells.last_name = isOne ? (isLast ? whole : '') : last;
}

/** A name of the population. */
export const drawName = (draws: Draws) => {
  const { given, surname } = readPopulation();
  return { given: capitalize(given.draw(draws)), last: capitalize(surname.draw(draws)) };
};

const isSameGiven = (name: string, { given, nickname }: Person, { nicknames }: Directory) =>
  [given, nickname].some((own) => nicknames.get(foldWords(own))?.has(foldWords(name)));

/** Rows about people of the population. */
export const populationRows: readonly Negative[] = [
  {
    name: 'not-population',
    does: 'a name of the population, alone or with a private mailbox',
    weight: 14,
    reason: 'none',
    isStranger: true,
    mayAdd: ['text'],
    make({ cells, clues }, { draws, directory }) {
      const { given, last } = drawName(draws);
      const email = draws.isHit(0.3) ? privateMailbox(given, last, draws) : '';
      if (directory.emailHolders.has(email)) return false;
      putName(cells, given, last, draws);
      Object.assign(cells, { company_name: '', email });
      Object.assign(clues, { given, last, company: '' });
      return true;
    },
  },
  {
    name: 'not-population-there',
    does: 'a name of the population at a real employer',
    weight: 8,
    reason: 'none',
    isStranger: true,
    mayAdd: ['text', 'organisation'],
    make({ cells, clues, job }, { draws, directory }) {
      const { given, last } = drawName(draws);
      putName(cells, given, last, draws);
      Object.assign(clues, { given, last });
      const colleagues = directory.byCompany.get(job.companyId) ?? [];
      return !colleagues.some((other) => foldJoined(other.last) === foldJoined(last));
    },
  },
  {
    name: 'not-initial-elsewhere',
    does: 'an initial and a surname of the directory, at an employer that it lacks',
    weight: 5,
    reason: 'none',
    mayAdd: ['text'],
    make({ person, cells }, source) {
      const namesakes = countNamesakes('', person.last) * givenOfInitial;
      if (!source.draws.isHit(namesakes / (namesakes + evenElsewhere))) return false;
      cells.first_name = person.given.slice(0, 1) + source.draws.pick(['', '.']);
      cells.company_name = inventCompany(source);
      return true;
    },
  },
  {
    name: 'not-near-known-name',
    does: 'another name that people have, a letter or an ending away, at the same employer',
    weight: 12,
    reason: 'none',
    mayAdd: ['text', 'organisation'],
    make({ person, cells }, { draws, directory }) {
      const { given, surname } = readPopulation();
      const isGiven = draws.isHit(0.5);
      const near = isGiven
        ? given.drawNear(person.given, draws)
        : surname.drawNear(person.last, draws);
      if (near === null) return false;
      const name = capitalize(near);
      if (isGiven && isSameGiven(name, person, directory)) return false;
      if (isGiven) cells.first_name = name;
      else cells.last_name = name;
      const holders = directory.byLast.get(foldJoined(cells.last_name)) ?? [];
      if (holders.some((other) => foldJoined(other.given) === foldJoined(cells.first_name)))
        return false;
      if (draws.isHit(0.2)) cells.company_name = '';
      return true;
    },
  },
];

/** The same with a private mailbox: fewer such rows are about people of a work directory. */
const evenPrivately = 15;

const isInitial = ({ first_name: first }: Cells): boolean => /^\p{L}\.?$/u.test(first);

/** Whether a row of this person's name and nothing else is about a namesake elsewhere. */
export function isNamesakeElsewhere({ person, cells }: Draft, source: Source): boolean {
  const { given, last } = person;
  const longForms = source.directory.nicknames.get(foldWords(given)) ?? [];
  const namesakes = isInitial(cells)
    ? countNamesakes('', last) * givenOfInitial
    : countNamesakes(given, last, longForms);
  const even = cells.email === '' ? evenNamesakes : evenPrivately;
  return source.draws.isHit(namesakes / (namesakes + even));
}
