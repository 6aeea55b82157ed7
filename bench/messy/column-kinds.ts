// Kinds of dirt that put values into other columns. They are applied last.
import type { Draws } from '../generate-draws.ts';
import { type CellName, type Cells, cellNames, type Draft, domainOf, type Kind } from './draft.ts';
import { addOwnEmail, addOwnUrl, isOfOther } from './identifier-kinds.ts';
import { foldJoined } from './text.ts';

const columnKind = (
  name: string,
  weight: number,
  does: string,
  changes: readonly CellName[],
  apply: Kind['apply'],
): Kind => ({ name, group: 'columns', does, weight, changes, apply });

type Layout = (cells: Cells, draws: Draws, draft: Draft) => void;

/** A kind for rows that have both names. */
const names = (name: string, weight: number, does: string, layout: Layout): Kind =>
  columnKind(name, weight, does, ['first_name', 'last_name'], (draft, { draws }) => {
    if (draft.cells.first_name !== '' && draft.cells.last_name !== '')
      layout(draft.cells, draws, draft);
  });

const namesAndCompany: readonly CellName[] = ['first_name', 'last_name', 'company_name'];

/** A kind for rows that have both names and a company. */
const namesWithCompany = (name: string, weight: number, does: string, layout: Layout): Kind =>
  columnKind(name, weight, does, namesAndCompany, (draft, { draws }) => {
    if (namesAndCompany.every((cell) => draft.cells[cell] !== ''))
      layout(draft.cells, draws, draft);
  });

const wholeName = ({ first_name, last_name }: Cells): string => `${first_name} ${last_name}`;

/** Writes the three cells of names and company. */
function setNames(cells: Cells, first: string, last: string, company = cells.company_name): void {
  cells.first_name = first;
  cells.last_name = last;
  cells.company_name = company;
}

const keepOnly = (cells: Cells, kept: CellName): void => {
  for (const cell of cellNames) if (cell !== kept) cells[cell] = '';
};

/** Moves cells of the first five columns by one. */
function shift(cells: Cells, values: readonly string[]): void {
  const columns = ['first_name', 'last_name', 'company_name', 'email', 'profile_url'] as const;
  for (const [at, column] of columns.entries()) cells[column] = values[at] ?? '';
}
const firstFive: readonly CellName[] = [
  'first_name',
  'last_name',
  'company_name',
  'email',
  'profile_url',
];

const nameLayouts: readonly Kind[] = [
  names('names-exchanged', 5, 'given name and surname exchanged', (cells) =>
    setNames(cells, cells.last_name, cells.first_name),
  ),
  names('names-in-first', 5, 'both names in the first column', (cells) =>
    setNames(cells, wholeName(cells), ''),
  ),
  names('names-in-last', 4, 'both names in the second column', (cells) =>
    setNames(cells, '', wholeName(cells)),
  ),
  names('names-comma', 5, 'surname, given name in one column', (cells, draws) => {
    const name = `${cells.last_name}, ${cells.first_name}`;
    if (draws.isHit(0.5)) setNames(cells, name, '');
    else setNames(cells, '', name);
  }),
  names('names-reversed', 3, 'surname in capitals before the given name, in one column', (cells) =>
    setNames(cells, `${cells.last_name.toUpperCase()} ${cells.first_name}`, ''),
  ),
  names('names-in-both', 3, 'both names in both columns', (cells) =>
    setNames(cells, wholeName(cells), wholeName(cells)),
  ),
  names(
    'names-given-twice',
    2,
    'the full name in the first column, the surname in its own',
    (cells) => setNames(cells, wholeName(cells), cells.last_name),
  ),
  names('names-joined', 3, 'both names in one word', (cells, draws) =>
    setNames(cells, cells.first_name + draws.pick(['', '_', '.', '-']) + cells.last_name, ''),
  ),
  names('names-vcard', 2, 'the name as a phone exports it: Doe;Jane;;;', (cells, draws) =>
    setNames(
      cells,
      `${cells.last_name};${cells.first_name};${draws.pick([';;', ';Dr.;', ';;;'])}`,
      '',
    ),
  ),
  names('names-in-brackets', 2, 'the surname in brackets after the given name', (cells) =>
    setNames(cells, `${cells.first_name} (${cells.last_name})`, ''),
  ),
  names('names-title', 3, 'the job title after the name', (cells, draws, { job }) =>
    setNames(cells, wholeName(cells) + draws.pick([', ', ' - ', ' | ']) + job.title, ''),
  ),
  names(
    'names-salutation',
    2,
    'a salutation instead of the given name',
    (cells, draws, { clues }) => {
      cells.first_name = draws.pick(['Dear Mr', 'Dear Ms', 'Mr.', 'Mrs', 'Herr', 'Mme']);
      clues.given = '';
    },
  ),
];

const separators = [' - ', ' | ', ', ', ' at ', ' @ ', ' / ', ' — ', ': '];

const companyLayouts: readonly Kind[] = [
  namesWithCompany('company-and-name-exchanged', 4, 'name and company exchanged', (cells) =>
    setNames(cells, cells.company_name, '', wholeName(cells)),
  ),
  namesWithCompany('company-and-last-exchanged', 3, 'surname and company exchanged', (cells) =>
    setNames(cells, cells.first_name, cells.company_name, cells.last_name),
  ),
  namesWithCompany('company-first', 2, 'company, given name, surname in this order', (cells) =>
    setNames(cells, cells.company_name, cells.first_name, cells.last_name),
  ),
  namesWithCompany('company-behind-name', 4, 'the company after the name', (cells, draws) =>
    setNames(cells, wholeName(cells) + draws.pick(separators) + cells.company_name, '', ''),
  ),
  namesWithCompany('company-in-brackets', 3, 'the company in brackets after the name', (cells) =>
    setNames(cells, `${wholeName(cells)} (${cells.company_name})`, '', ''),
  ),
  namesWithCompany('company-behind-last', 3, 'the company after the surname', (cells, draws) =>
    setNames(
      cells,
      cells.first_name,
      cells.last_name + draws.pick([', ', ' (', ' - ']) + cells.company_name,
      '',
    ),
  ),
  namesWithCompany('company-before-name', 3, 'the name in the company’s cell', (cells, draws) => {
    const [name, company] = [wholeName(cells), cells.company_name];
    const both = draws.pick([`${company} - ${name}`, `${name}, ${company}`, `${company}: ${name}`]);
    setNames(cells, '', '', both);
  }),
  namesWithCompany(
    'company-headline',
    4,
    'title at company, as in a profile',
    (cells, draws, { job }) => {
      const { company_name: company } = cells;
      const title = job.title || 'Member';
      cells.company_name = draws.pick([
        `${title} at ${company}`,
        `${title}, ${company}`,
        `${title} @ ${company} | Speaker`,
        `${company} · ${title}`,
      ]);
    },
  ),
  namesWithCompany(
    'company-as-surname',
    2,
    'the company in the column of the surname, as some phones store it',
    (cells, _, { clues }) => {
      setNames(cells, cells.first_name, cells.company_name, '');
      clues.last = '';
    },
  ),
  namesWithCompany(
    'signature',
    2,
    'a signature of several lines in one cell',
    (cells, _draws, { job }) =>
      setNames(cells, `${wholeName(cells)}\n${job.title}\n${cells.company_name}`, '', ''),
  ),
];

const rowLayouts: readonly Kind[] = [
  columnKind(
    'row-shifted-right',
    4,
    'all columns moved one to the right',
    firstFive,
    (draft, { draws }) => {
      const { cells } = draft;
      if (cells.profile_url !== '') return;
      const { first_name, last_name, company_name, email } = cells;
      const lead = draws.isHit(0.5) ? '' : String(draws.below(900));
      shift(cells, [lead, first_name, last_name, company_name, email]);
    },
  ),
  columnKind(
    'row-shifted-left',
    3,
    'the full name in one column, the others moved one to the left',
    firstFive,
    (draft) => {
      const { cells } = draft;
      shift(cells, [wholeName(cells), cells.company_name, cells.email, cells.profile_url, '']);
    },
  ),
  columnKind(
    'row-in-one-cell',
    2,
    'a row of another delimiter in one cell',
    firstFive,
    (draft, { draws }) => {
      const { cells } = draft;
      const delimiter = draws.pick([';', '\t', '|']);
      const values = [cells.first_name, cells.last_name, cells.company_name, cells.email];
      shift(cells, [values.join(delimiter)]);
    },
  ),
];

/** A kind for rows that have an email; those without get the person's own. */
const withEmail = (name: string, weight: number, does: string, layout: Layout): Kind =>
  columnKind(name, weight, does, cellNames, (draft, source) => {
    const before = { cells: { ...draft.cells }, clues: { ...draft.clues } };
    addOwnEmail(draft, source);
    const filled = { ...draft.cells };
    if (filled.email.includes('@')) layout(draft.cells, source.draws, draft);
    if (cellNames.every((cell) => draft.cells[cell] === filled[cell])) restore(draft, before);
  });

/** A kind for rows that have a profile URL; those without get the person's own. */
const withUrl = (name: string, weight: number, does: string, layout: Layout): Kind =>
  columnKind(name, weight, does, cellNames, (draft, source) => {
    const before = { cells: { ...draft.cells }, clues: { ...draft.clues } };
    addOwnUrl(draft, source);
    const filled = { ...draft.cells };
    if (filled.profile_url.includes('.')) layout(draft.cells, source.draws, draft);
    if (cellNames.every((cell) => draft.cells[cell] === filled[cell])) restore(draft, before);
  });

/** Removes what was added to a row to which a kind does not apply. */
function restore(draft: Draft, before: Pick<Draft, 'cells' | 'clues'>): void {
  Object.assign(draft.cells, before.cells);
  Object.assign(draft.clues, before.clues);
}

const identifierLayouts: readonly Kind[] = [
  withEmail('email-alone', 3, 'only the email', (cells, _draws, { clues }) => {
    if (!clues.hasKey) return;
    keepOnly(cells, 'email');
    clues.given = clues.last = clues.company = '';
  }),
  withUrl('url-alone', 3, 'only the profile', (cells, _draws, { clues }) => {
    if (!clues.hasKey) return;
    keepOnly(cells, 'profile_url');
    clues.given = clues.last = clues.company = '';
  }),
  columnKind(
    'email-guessed-alone',
    3,
    'only an email in the form of the employer',
    cellNames,
    (draft, source) => {
      const { person, cells, clues } = draft;
      const domain = domainOf(draft, source);
      const [given, last] = [foldJoined(person.given), foldJoined(person.last)];
      if (clues.hasKey || domain === '' || given.length < 2) return;
      const written = source.draws.isHit(0.5) ? given : given.slice(0, 1);
      const email = `${written}${written === given ? '.' : ''}${last}@${domain}`;
      if (isOfOther(email, person, source)) return;
      keepOnly(cells, 'email');
      cells.email = email;
      Object.assign(clues, { given: written, last, company: '', domain });
    },
  ),
  withEmail('name-in-email', 3, 'the name with the email in its column', (cells) => {
    if (!/^[^\s<>]+@[^\s<>]+$/.test(cells.email) || cells.first_name === '') return;
    cells.email = `${wholeName(cells)} <${cells.email}>`;
    setNames(cells, '', '');
  }),
  withEmail(
    'email-in-company',
    2,
    'the email in the company’s cell',
    (cells, _draws, { clues }) => {
      setNames(cells, cells.first_name, cells.last_name, cells.email);
      cells.email = '';
      clues.company = '';
    },
  ),
  withEmail('email-in-first', 2, 'the email in the first column', (cells, _draws, { clues }) => {
    setNames(cells, cells.email, cells.last_name);
    cells.email = '';
    clues.given = '';
  }),
  withUrl('url-in-company', 2, 'the profile in the company’s cell', (cells, _draws, { clues }) => {
    setNames(cells, cells.first_name, cells.last_name, cells.profile_url);
    cells.profile_url = '';
    clues.company = '';
  }),
  withUrl('url-in-email', 2, 'the profile in the column of the email', (cells) => {
    if (cells.email !== '') return;
    cells.email = cells.profile_url;
    cells.profile_url = '';
  }),
];

/** Kinds of dirt that put values into other columns. */
export const columnKinds: readonly Kind[] = [
  columnKind(
    'company-in-title',
    4,
    'the company in the column of the title',
    ['company_name', 'title'],
    ({ cells, job }, { draws }) => {
      if (cells.company_name === '') return;
      cells.title = cells.company_name;
      cells.company_name = draws.isHit(0.5) ? job.title : '';
    },
  ),
  ...nameLayouts,
  ...companyLayouts,
  ...rowLayouts,
  ...identifierLayouts,
];
