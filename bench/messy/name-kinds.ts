// Kinds of dirt in given names and surnames.
import type { Draws } from '../generate-draws.ts';
import type { Cells, Draft, Group, Kind, Source } from './draft.ts';
import {
  addLetter,
  doubleLetter,
  dropLetter,
  hitNeighbour,
  misreadLetter,
  romanize,
  type Slip,
  slipOnce,
  slipTwice,
  swapLetters,
  writeAsHeard,
} from './letters.ts';
import { capitalize, foldWords } from './text.ts';

type NameChange = (name: string, draws: Draws, draft: Draft, source: Source) => string;

const changeCell =
  (cell: 'first_name' | 'last_name', group: Group) =>
  (name: string, weight: number, does: string, change: NameChange): Kind => ({
    name,
    group,
    does,
    weight,
    changes: [cell],
    apply(draft, source) {
      const { cells } = draft;
      if (cells[cell] !== '') cells[cell] = change(cells[cell], source.draws, draft, source);
    },
  });
const given = changeCell('first_name', 'given name');
const surname = changeCell('last_name', 'surname');

const changeNames = (
  name: string,
  weight: number,
  does: string,
  change: (cells: Cells, draws: Draws, draft: Draft) => void,
): Kind => ({
  name,
  group: 'whole name',
  does,
  weight,
  changes: ['first_name', 'last_name'],
  apply: (draft, { draws }) => change(draft.cells, draws, draft),
});

const peerage = /^(?:Lord|Lady|Baroness|Baron|Viscount|Viscountess) /;

const letterKinds: readonly (readonly [name: string, does: string, slip: Slip])[] = [
  ['doubled-letter', 'writes a letter twice', doubleLetter],
  ['missing-letter', 'leaves a letter out', dropLetter],
  ['swapped-letters', 'exchanges two neighbouring letters', swapLetters],
  ['adjacent-key', 'hits a neighbouring key', hitNeighbour],
  ['extra-letter', 'adds a letter', addLetter],
  ['scanned', 'has a letter misread by text recognition', misreadLetter],
  ['heard', 'is written by its sound', writeAsHeard],
  ['romanized', 'is romanized in another way', romanize],
];

const historicShortForms: Readonly<Record<string, string>> = {
  william: 'Wm.',
  charles: 'Chas.',
  george: 'Geo.',
  joseph: 'Jos.',
  robert: 'Robt.',
  thomas: 'Thos.',
  james: 'Jas.',
  john: 'Jno.',
  edward: 'Edw.',
  richard: 'Richd.',
  benjamin: 'Benj.',
  daniel: 'Danl.',
  samuel: 'Saml.',
  alexander: 'Alexr.',
  elizabeth: 'Eliz.',
  margaret: 'Margt.',
  catherine: 'Cath.',
  frederick: 'Fredk.',
  patrick: 'Patk.',
  stephen: 'Steph.',
  michael: 'Michl.',
  matthew: 'Matt.',
};

const titles = [
  'Dr. ',
  'Hon. ',
  'Rep. ',
  'Sen. ',
  'Prof. ',
  'Mr. ',
  'Mrs. ',
  'Ms ',
  'The Honorable ',
  'Rev. Dr. ',
  'Cllr ',
  'Councilmember ',
  'Sir ',
  'Prof. Dr. ',
  'Col. (Ret.) ',
];
const pronouns = [' (she/her)', ' (He/Him)', ' (they/them)', ' she/her', ' (he/him/his)'];
const badges = ['✔ ', '⭐ ', '🎓', '🇺🇸 ', '✨', '→ ', '• ', '| '];
const degrees = [
  ', PhD',
  ' Ph.D.',
  ', MBA',
  ', Esq.',
  ' Ed.D.',
  ', M.D.',
  ' CPA',
  ', JD',
  ' MP',
  ', RN, MSN',
  ' FRSA',
];
const notes = [
  ' (left)',
  ' - VIP',
  ' *',
  ' (do not call)',
  ' [dup?]',
  ' ?',
  ' (EA: Kim)',
  ' – new',
  ' #2',
];
const particles =
  /^(?:de la|de los|de las|v[ao]n de[rn]|de|la|del|van|von|di|da|le|du|den|ter|el|al)[ -]+/i;

const nicknamesOf = (name: string, { directory }: Source): string[] =>
  [...(directory.nicknames.get(foldWords(name)) ?? [])].map(capitalize);

const recordedGivens = ({ person }: Draft): string[] =>
  [...person.otherNames.map((name) => name.split(' ')[0]!), person.nickname].filter(
    (name) => /^\p{Lu}\p{Ll}{2,}$/u.test(name) && name !== person.given,
  );
const recordedLasts = ({ person }: Draft): string[] =>
  person.otherNames
    .map((name) => name.split(' ').at(-1)!)
    .filter((name) => /^\p{Lu}[\p{L}'-]{2,}$/u.test(name) && !person.last.includes(name));

const orKeep = (options: readonly string[], name: string, draws: Draws): string =>
  options.length === 0 ? name : draws.pick(options);

const middleLetter = ({ person }: Draft): string =>
  (person.middle || person.otherNames.map((name) => name.split(' ')[1] ?? '').join(''))
    .slice(0, 1)
    .toUpperCase();

/** Kinds of dirt in the given name. */
export const givenKinds: readonly Kind[] = [
  ...letterKinds.map(([name, does, slip]) =>
    given(`given-${name}`, 4, `the given name ${does}`, slip),
  ),
  given('given-nickname', 5, 'a nickname of the table', (name, draws, _draft, source) =>
    orKeep(nicknamesOf(name, source), name, draws),
  ),
  given('given-nickname-quoted', 3, 'a nickname after the name', (name, draws, _draft, source) =>
    orKeep(
      nicknamesOf(name, source).flatMap((nick) => [`${name} "${nick}"`, `${name} (${nick})`]),
      name,
      draws,
    ),
  ),
  given(
    'given-recorded',
    4,
    'another given name that the directory records',
    (name, draws, draft) => orKeep(recordedGivens(draft), name, draws),
  ),
  given(
    'given-initial',
    5,
    'only the first letter',
    (name, draws) => name.slice(0, 1) + draws.pick(['', '.']),
  ),
  given('given-initials', 4, 'the first letters of given and middle name', (name, draws, draft) => {
    const middle = middleLetter(draft);
    const [one, two] = draws.pick([
      ['. ', '.'],
      ['.', '.'],
      [' ', ''],
      ['', ''],
    ] as const);
    return middle === '' ? name : name.slice(0, 1) + one + middle + two;
  }),
  given('given-cut', 4, 'the first three or four letters', (name, draws) =>
    name.length > 4 ? name.slice(0, 3 + draws.below(2)) : name,
  ),
  given('given-middle-instead', 3, 'the middle name as the given one', (name, _draws, draft) =>
    draft.person.middle.length > 2 && !draft.person.middle.endsWith('.')
      ? draft.person.middle
      : name,
  ),
  given(
    'given-with-middle',
    4,
    'a middle name or initial after the given name',
    (name, draws, draft) => {
      const { middle } = draft.person;
      const letter = middleLetter(draft);
      const options = letter === '' ? [] : [`${name} ${letter}`, `${name} ${letter}.`];
      return orKeep(middle === '' ? options : [...options, `${name} ${middle}`], name, draws);
    },
  ),
  given(
    'given-short-form',
    2,
    'a historic short form: Wm., Chas.',
    (name) => historicShortForms[foldWords(name)] ?? name,
  ),
  given(
    'given-title',
    4,
    'a title before the given name',
    (name, draws) => draws.pick(titles) + name,
  ),
  given(
    'given-pronouns',
    2,
    'pronouns after the given name',
    (name, draws) => name + draws.pick(pronouns),
  ),
  given(
    'given-badge',
    2,
    'signs of a badge or a profile before the given name',
    (name, draws) => draws.pick(badges) + name,
  ),
  given(
    'given-number',
    2,
    'a list number before the given name',
    (name, draws) => `${1 + draws.below(300)}${draws.pick(['. ', ') ', ' '])}${name}`,
  ),
  given('given-missing', 2, 'no given name', () => ''),
];

/** Kinds of dirt in the surname. */
export const surnameKinds: readonly Kind[] = [
  ...letterKinds.map(([name, does, slip]) =>
    surname(`surname-${name}`, 4, `the surname ${does}`, slip),
  ),
  surname('surname-two-slips', 4, 'two typing errors', slipTwice),
  surname(
    'surname-initial',
    3,
    'only the first letter',
    (name, draws) => name.slice(0, 1) + draws.pick(['', '.']),
  ),
  surname('surname-cut', 3, 'cut at the width of a field', (name, draws) =>
    name.length > 6 ? name.slice(0, 5 + draws.below(2)) : name,
  ),
  surname('surname-half', 4, 'one half of a double name', (name, draws) => {
    const parts = name.split(/[ -]/).filter((part) => part.length > 2);
    return parts.length > 1 ? draws.pick(parts) : name;
  }),
  surname('surname-married', 3, 'another surname added', (name, draws, _draft, source) => {
    const other = source.drawOther().last;
    return draws.pick([`${name}-${other}`, `${other}-${name}`, `${name} ${other}`]);
  }),
  surname(
    'surname-maiden',
    2,
    'a maiden name in brackets',
    (name, draws, _draft, source) =>
      `${name} ${draws.pick(['(née ', '(', '(formerly '])}${source.drawOther().last})`,
  ),
  surname(
    'surname-recorded',
    4,
    'another surname that the directory records',
    (name, draws, draft) => orKeep(recordedLasts(draft), name, draws),
  ),
  surname('surname-particle-lost', 3, 'without de, van, von', (name) =>
    name.replace(particles, ''),
  ),
  surname('surname-particle-order', 2, 'the particle after the surname: Berg, van den', (name) => {
    const particle = particles.exec(name)?.[0];
    return particle ? `${name.slice(particle.length)}, ${particle.trim()}` : name;
  }),
  surname('surname-joined', 4, 'without spaces, hyphens and apostrophes', (name) =>
    name.replace(/[ '’-]/g, ''),
  ),
  surname('surname-split', 3, 'Mc, Mac or O as a word of its own', (name) =>
    name.replace(/^(Mc|Mac|O['’])(?=\p{Lu})/u, (prefix) => `${prefix.replace(/['’]/, '')} `),
  ),
  surname('surname-hyphen', 4, 'hyphen and space exchanged', (name) =>
    name.includes('-') ? name.replace(/-/g, ' ') : name.replace(/ /g, '-'),
  ),
  surname(
    'surname-degree',
    3,
    'a degree after the surname',
    (name, draws) => name + draws.pick(degrees),
  ),
  surname('surname-generation', 2, 'Jr. or III after the surname', (name, draws, { person }) =>
    person.suffix === ''
      ? name + draws.pick([' Jr.', ', Jr', ' III', ' II'])
      : `${name} ${person.suffix}`,
  ),
  surname('surname-capitals', 3, 'in capitals', (name) => name.toUpperCase()),
  surname('surname-note', 3, 'a note after the surname', (name, draws) => name + draws.pick(notes)),
];

const accents = /[\u0300-\u036f]/g;
const foreign = /[^\p{ASCII}]/gu;

/** Kinds of dirt in both names. */
export const wholeNameKinds: readonly Kind[] = [
  changeNames(
    'names-slip-in-each',
    4,
    'a typing error in the given name and one in the surname',
    (cells, draws) => {
      cells.first_name = slipOnce(cells.first_name, draws);
      cells.last_name = slipOnce(cells.last_name, draws);
    },
  ),
  changeNames(
    'names-peerage',
    3,
    'the title of a peer, with or without its place',
    (cells, draws, { person }) => {
      const titles = person.otherNames.filter((name) => peerage.test(name));
      if (titles.length === 0) return;
      const [title = '', ...rest] = draws.pick(titles).split(' ');
      const whole = rest.join(' ');
      cells.first_name = title;
      cells.last_name = draws.isHit(0.5) ? whole : whole.replace(/ of .*$/, '');
    },
  ),
  changeNames(
    'names-four-slips',
    2,
    'two typing errors in the given name and two in the surname',
    (cells, draws) => {
      cells.first_name = slipTwice(cells.first_name, draws);
      cells.last_name = slipTwice(cells.last_name, draws);
    },
  ),
  changeNames('names-scanned', 3, 'two letters misread by text recognition', (cells, draws) => {
    cells.first_name = misreadLetter(cells.first_name, draws);
    cells.last_name = misreadLetter(cells.last_name, draws);
  }),
  changeNames(
    'names-initial-and-slip',
    2,
    'an initial, and a typing error in the surname',
    (cells, draws) => {
      cells.first_name = cells.first_name.slice(0, 1);
      cells.last_name = slipOnce(cells.last_name, draws);
    },
  ),
  changeNames('names-accents-lost', 4, 'without accents', (cells) => {
    for (const cell of ['first_name', 'last_name'] as const)
      cells[cell] = cells[cell].normalize('NFKD').replace(accents, '');
  }),
  changeNames(
    'names-accents-replaced',
    3,
    'accented letters as ?, _ or nothing',
    (cells, draws) => {
      const sign = draws.pick(['?', '', '_', '\ufffd']);
      for (const cell of ['first_name', 'last_name'] as const)
        cells[cell] = cells[cell].replace(foreign, sign);
    },
  ),
  changeNames('names-accent-apart', 2, 'accents as separate signs', (cells) => {
    for (const cell of ['first_name', 'last_name'] as const)
      cells[cell] = cells[cell].normalize('NFD');
  }),
];
