// Rows about people who are not in the directory.
import type { Draft, Source } from './draft.ts';
import { slipOnce } from './letters.ts';
import { anyDirt, type Negative, namesakesOf, strangerDirt } from './negative.ts';
import { readPopulation } from './population.ts';
import { capitalize, countEdits, foldWords } from './text.ts';
import { costOfGiven, costOfLast, isOtherGiven } from './who-is-meant.ts';

const businessWords = [
  'Consulting',
  'Partners LLP',
  'Ventures',
  'Widgets Inc',
  'Logistics',
  'Law Firm',
  'Realty',
  '& Sons',
  'Brewing Company',
  'Roofing LLC',
  'Media Group',
  'Credit Union',
  'Dental',
  'Software',
  'Community Foundation',
];

/** A company that is not in the directory. */
export function inventCompany({ draws, drawOther }: Source): string {
  const [one, two] = [drawOther().last, drawOther().last];
  const word = draws.pick(businessWords);
  return draws.pick([`${one} ${word}`, `${one}, ${two} ${word}`, `The ${one} ${word}`]);
}

const generationOf = (suffix: string): string => suffix.replace('.', '').toLowerCase();
const generations = ['Jr.', 'Sr.', 'II', 'III', 'IV'];
/** Suffixes that contradict each other; Jr. and II often mean the same. */
const otherGenerations: Readonly<Record<string, readonly string[]>> = {
  jr: ['Sr.', 'III', 'IV'],
  sr: ['Jr.', 'II', 'III'],
  ii: ['III', 'Sr.', 'IV'],
  iii: ['Jr.', 'Sr.', 'II', 'IV'],
  iv: generations.slice(0, 4),
};

/** Given names within one edit that other people have and that are not nicknames of each other. */
function similarGivens({ person }: Draft, { directory }: Source): string[] {
  const given = foldWords(person.given);
  if (given.length < 3) return [];
  const similar: string[] = [];
  for (const other of directory.byGiven.keys()) {
    const isNear = other[0] === given[0] && countEdits(other, given, 1) === 1;
    if (isNear && isOtherGiven(other, person, directory)) similar.push(other);
  }
  return similar;
}

/** Rows about people who are not in the directory. */
export const strangers: readonly Negative[] = [
  {
    name: 'not-hidden',
    does: 'a person who is not in the directory',
    weight: 24,
    reason: 'none',
    isAboutHidden: true,
    mayAdd: anyDirt,
    make: () => true,
  },
  {
    name: 'not-hidden-namesake',
    does: 'the same, with a namesake at another employer in the directory',
    weight: 8,
    reason: 'none',
    isAboutHidden: true,
    mayAdd: ['organisation', 'text', 'columns'],
    make: ({ person, job }, source) =>
      namesakesOf(person, source).some(
        (other) =>
          costOfGiven(person.given, other, source.directory) === 0 &&
          !other.jobs.some(({ companyId }) => companyId === job.companyId),
      ),
  },
  {
    name: 'not-other-given',
    does: 'another given name with a real surname and employer',
    weight: 8,
    reason: 'none',
    isStranger: true,
    mayAdd: strangerDirt,
    make(draft, source) {
      draft.cells.first_name = source.drawOther().given;
      return costOfGiven(draft.cells.first_name, draft.person, source.directory) >= 3;
    },
  },
  {
    name: 'not-similar-given',
    does: 'a given name similar to the real one: Paul and Paula',
    weight: 8,
    reason: 'none',
    isStranger: true,
    mayAdd: strangerDirt,
    make(draft, source) {
      const similar = similarGivens(draft, source);
      if (similar.length === 0) return false;
      draft.cells.first_name = capitalize(source.draws.pick(similar));
      return true;
    },
  },
  {
    name: 'not-other-surname',
    does: 'another surname with a real given name and employer',
    weight: 5,
    reason: 'none',
    isStranger: true,
    mayAdd: strangerDirt,
    make(draft, { drawOther }) {
      draft.cells.last_name = drawOther().last;
      return costOfLast(draft.cells.last_name, draft.person) >= 3;
    },
  },
  {
    name: 'not-relative',
    does: 'a relative’s name: a namesake by surname from elsewhere, at this employer',
    weight: 5,
    reason: 'none',
    isStranger: true,
    mayAdd: strangerDirt,
    make(draft, source) {
      const { person, cells, job } = draft;
      const relatives = namesakesOf(person, source).filter(
        (other) => other.given !== '' && !other.jobs.some((one) => one.companyId === job.companyId),
      );
      if (relatives.length === 0) return false;
      cells.first_name = source.draws.pick(relatives).given;
      return costOfGiven(cells.first_name, person, source.directory) >= 3;
    },
  },
  {
    name: 'not-generation',
    does: 'another generation: Sr. for the directory’s Jr.',
    weight: 6,
    reason: 'none',
    mayAdd: ['text', 'organisation'],
    make({ person, cells }, { draws }) {
      const others = otherGenerations[generationOf(person.suffix)];
      if (!others) return false;
      cells.last_name += ` ${draws.pick(others)}`;
      return true;
    },
  },
  {
    name: 'not-other-middle',
    does: 'another second given name, middle name or initial, at the same employer',
    weight: 8,
    reason: 'none',
    mayAdd: ['organisation', 'text'],
    make({ person, cells }, { draws }) {
      const [given = '', second] = person.given.split(/[\s-]+/);
      const [own = ''] = foldWords(second ?? person.middle).split(' ');
      const isWord = own.length > 2;
      // Most people of the sample have an initial.
      if (own === '' || (!isWord && draws.isHit(0.7))) return false;
      const other =
        isWord && draws.isHit(0.8)
          ? capitalize(readPopulation().given.draw(draws))
          : String.fromCharCode(65 + draws.below(26)) + draws.pick(['', '.']);
      cells.first_name = `${given} ${other}`;
      return foldWords(other)[0] !== own[0];
    },
  },
  {
    name: 'not-homonym',
    does: 'a real name at another organisation of the directory',
    weight: 7,
    reason: 'none',
    isStranger: true,
    mayAdd: strangerDirt,
    make({ person, cells }, { drawOther, directory }) {
      const { companyId, company } = drawOther().jobs[0]!;
      if (person.jobs.some((job) => job.companyId === companyId)) return false;
      cells.company_name = company;
      const colleagues = directory.byCompany.get(companyId) ?? [];
      return !colleagues.some((other) => costOfLast(person.last, other) < 2);
    },
  },
  {
    name: 'not-homonym-elsewhere',
    does: 'a real name at an organisation that is not in the directory, sometimes with a slip',
    weight: 10,
    reason: 'none',
    mayAdd: strangerDirt,
    make({ cells }, source) {
      const { draws } = source;
      cells.company_name = inventCompany(source);
      if (draws.isHit(0.25)) cells.first_name = slipOnce(cells.first_name, draws);
      if (draws.isHit(0.15)) cells.last_name = slipOnce(cells.last_name, draws);
      return true;
    },
  },
];
