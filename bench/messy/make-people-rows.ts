// Makes messy rows of people: deterministic by seed, with their labels.
import { createDraws, type Draws } from '../generate-draws.ts';
import { columnKinds } from './column-kinds.ts';
import { drawCombined } from './combinations.ts';
import {
  type CellName,
  type Cells,
  cellNames,
  createDraft,
  type Draft,
  groups,
  type Kind,
  readClues,
  type Source,
} from './draft.ts';
import { identifierKinds } from './identifier-kinds.ts';
import { dropLetter, swapLetters } from './letters.ts';
import { givenKinds, surnameKinds, wholeNameKinds } from './name-kinds.ts';
import type { Negative, NoPersonReason } from './negative.ts';
import { negatives } from './negatives.ts';
import { organisationKinds } from './organisation-kinds.ts';
import { readPopulation } from './population.ts';
import { drawName, isNamesakeElsewhere, privateMailbox, putName } from './population-rows.ts';
import { addTitle } from './row-titles.ts';
import type { Directory, Person, Split } from './sample-people.ts';
import { capitalize, foldWords } from './text.ts';
import { textKinds } from './text-kinds.ts';
import { weighted } from './weighted.ts';
import { compareRivals, costOfGiven, costOfLast, isOtherGiven } from './who-is-meant.ts';

/** All kinds of dirt in rows of people. */
export const peopleKinds: readonly Kind[] = [
  ...identifierKinds,
  ...givenKinds,
  ...surnameKinds,
  ...wholeNameKinds,
  ...organisationKinds,
  ...textKinds,
  ...columnKinds,
];

/** A row of a messy list with its label. */
export interface MessyRow {
  readonly id: string;
  readonly split: Split;
  readonly cells: Readonly<Cells>;
  /** The person that the row means; '' if no one is the right answer. */
  readonly personId: string;
  /** Why no one is the right answer; '' if someone is. */
  readonly reason: NoPersonReason | '';
  /** Names of what was done to the row, in order. */
  readonly kinds: readonly string[];
  /** The person that the row was made from. */
  readonly madeFrom: string;
}

/** The list to make. */
export interface MessyOrder {
  readonly seed: number;
  readonly split: Split;
  readonly count: number;
}

const negativeShare = 0.36;
const currentShare = 0.75;
const cleanShare = 0.03;
/** People tried for a kind of dirt, and rows tried before another kind is drawn. */
const leadTriesMax = 300;
const rowTriesMax = 10;
/** Shares of rows with one, two, three and four kinds of dirt, summed. */
const kindCountShares = [0.4, 0.75, 0.93, 1];
/** A stranger's row must cost more than this for everyone in the directory. */
const strangerCostMin = 1;

const drawKind = weighted(peopleKinds);
const drawNegative = weighted(negatives);

/** Whether a kind can be added: one of each group, but several identifiers of different columns. */
const isFree = (kind: Kind, chosen: readonly Kind[]): boolean =>
  !chosen.some(
    (other) =>
      other.group === kind.group &&
      (kind.group !== 'identifier' || kind.changes.some((cell) => other.changes.includes(cell))),
  );

/**
 * Kinds of dirt for a row, in the order in which they are applied; the first one must change the
 * row.
 */
function drawKinds(draws: Draws, split: Split, mayAdd: (kind: Kind) => boolean): Kind[] {
  const place = draws.random();
  const count = 1 + kindCountShares.findIndex((share) => share > place);
  const chosen: Kind[] = [];
  for (let at = 0; at < count; at++) {
    const isAddable = (kind: Kind) => mayAdd(kind) && isFree(kind, chosen);
    const kind = drawCombined(drawKind, draws, chosen, split, isAddable);
    if (kind) chosen.push(kind);
  }
  return chosen;
}

const inOrder = (kinds: readonly Kind[]): Kind[] =>
  kinds.toSorted((one, two) => groups.indexOf(one.group) - groups.indexOf(two.group));

const isLate = ({ group }: Kind): boolean => group === 'text' || group === 'columns';

/** Applies kinds in the order of their groups; returns the names of those that changed a cell. */
export function applyKinds(draft: Draft, kinds: readonly Kind[], source: Source): string[] {
  const applied: string[] = [];
  const apply = (kind: Kind) => {
    const before = { ...draft.cells };
    kind.apply(draft, source);
    if (cellNames.some((cell) => draft.cells[cell] !== before[cell])) applied.push(kind.name);
  };
  const ordered = inOrder(kinds);
  for (const kind of ordered) if (!isLate(kind)) apply(kind);
  readClues(draft);
  for (const kind of ordered) if (isLate(kind)) apply(kind);
  return applied;
}

/**
 * Whether the row has enough to identify someone: a key, a full name, or a name and a place of
 * work.
 */
function saysEnough({ clues }: Draft): boolean {
  if (clues.hasKey) return true;
  const where = clues.company !== '' || clues.domain !== '';
  return clues.last !== '' && (clues.given !== '' || where) ? true : clues.given !== '' && where;
}

/** The label of a row about a person in the directory; null if it describes someone else. */
export function labelRow(draft: Draft, directory: Directory): 'match' | 'ambiguous' | null {
  const { clues, person, job } = draft;
  if (clues.hasKey) return 'match';
  if (!saysEnough(draft) || isOtherGiven(clues.given, person, directory)) return null;
  const origin = { clues, person, companyId: job.companyId, company: job.company };
  const { own, best } = compareRivals(origin, directory);
  if (best < own) return null;
  return best === own ? 'ambiguous' : 'match';
}

/** Whether someone in the directory explains a row that should have no person. */
function isExplained(draft: Draft, negative: Negative, directory: Directory): boolean {
  const { clues, job } = draft;
  const { company } = job;
  if (negative.isAboutHidden) {
    const origin = { clues, person: draft.person, companyId: job.companyId, company };
    const isNameless = clues.given === '' && clues.last === '';
    return !isNameless && compareRivals(origin, directory, strangerCostMin).rival !== null;
  }
  if (!negative.isStranger || clues.last === '') return false;
  const stranger: Person = {
    ...draft.person,
    given: clues.given,
    last: clues.last,
    middle: '',
    nickname: '',
    otherNames: [],
  };
  const origin = { clues, person: stranger, companyId: job.companyId, company };
  return compareRivals(origin, directory, strangerCostMin).rival !== null;
}

/** Whether a row says a name and nothing else of who is meant. */
const isNameAlone = ({ clues }: Draft): boolean =>
  !clues.hasKey && !clues.hasPhone && clues.company === '' && clues.domain === '';

type Made = Omit<MessyRow, 'id' | 'split'>;

const drawDraft = (people: readonly Person[], draws: Draws): Draft => {
  const person = draws.pick(people);
  const current = person.jobs.filter((job) => job.isCurrent);
  const jobs = current.length > 0 && draws.isHit(currentShare) ? current : person.jobs;
  return createDraft(person, draws.pick(jobs));
};

const formerTag = ({ person, job }: Draft): string[] =>
  person.jobs.some((other) => other.isCurrent && other.companyId !== job.companyId) &&
  !job.isCurrent
    ? ['former-employer']
    : [];

const isBlank = (cells: Cells): boolean => cellNames.every((cell) => cells[cell].trim() === '');

/** A draft that a kind of dirt changes; null if few people's rows can have it. */
function drawDraftFor(kind: Kind | undefined, people: readonly Person[], source: Source) {
  for (let tries = 0; tries < leadTriesMax; tries++) {
    const draft = drawDraft(people, source.draws);
    if (!kind) return draft;
    const trial = createDraft(draft.person, draft.job);
    if (applyKinds(trial, [kind], source).length > 0) return draft;
  }
  return null;
}

/** A row about a person of the directory; null if this draw makes none. */
function makePositive(kinds: readonly Kind[], people: readonly Person[], source: Source) {
  const draft = drawDraftFor(kinds[0], people, source);
  if (!draft) return null;
  const applied = applyKinds(draft, kinds, source);
  if (isBlank(draft.cells) || (kinds.length > 0 && applied.length === 0)) return null;
  const label = labelRow(draft, source.directory);
  if (label === null) return null;
  const tags = [...formerTag(draft), ...applied];
  const isOther = label === 'match' && isNameAlone(draft) && isNamesakeElsewhere(draft, source);
  if (label === 'match') addTitle(draft, !isOther, source.directory);
  return {
    cells: draft.cells,
    personId: label === 'match' && !isOther ? draft.person.id : '',
    reason: isOther ? ('none' as const) : label === 'match' ? ('' as const) : label,
    kinds: tags.length === 0 ? ['clean'] : tags,
    madeFrom: draft.person.id,
  };
}

/** Kinds that only rewrite what the row says. Rows of strangers must not name the person. */
const isOfCellsAlone = ({ group, changes }: Kind): boolean =>
  group !== 'columns' || changes.every((cell) => namesAndCompany.includes(cell));
const namesAndCompany: readonly CellName[] = ['first_name', 'last_name', 'company_name'];

/** A row without a person; null if this draw makes none. */
function makeNegative(
  negative: Negative,
  people: readonly Person[],
  hidden: readonly Person[],
  source: Source,
  split: Split,
): Made | null {
  const draft = drawDraft(negative.isAboutHidden ? hidden : people, source.draws);
  if (!negative.make(draft, source)) return null;
  const kinds = source.draws.isHit(0.5)
    ? drawKinds(
        source.draws,
        split,
        (kind) =>
          negative.mayAdd.includes(kind.group) && (negative.isAboutHidden || isOfCellsAlone(kind)),
      )
    : [];
  const applied = applyKinds(draft, kinds, source);
  if (isBlank(draft.cells)) return null;
  if (negative.isAboutHidden && !saysEnough(draft)) return null;
  if (isExplained(draft, negative, source.directory)) return null;
  // A title would tell the holders of an ambiguous name apart.
  if (negative.reason !== 'ambiguous') {
    const isOwn = negative.isAboutHidden === true || negative.reason === 'conflict';
    addTitle(draft, isOwn, source.directory);
  }
  return {
    cells: draft.cells,
    personId: '',
    reason: negative.reason,
    kinds: [negative.name, ...applied],
    madeFrom: draft.person.id,
  };
}

/** The people of a split, and where draws about them come from. */
function openSplit(directory: Directory, { seed, split }: MessyOrder) {
  const draws = createDraws(seed);
  const own = directory.people.filter(
    ({ id, given, last }) => directory.splitOf(id) === split && given !== '' && last !== '',
  );
  const people = own.filter(({ id }) => !directory.isHidden(id));
  const hidden = own.filter(({ id }) => directory.isHidden(id));
  const source: Source = { draws, directory, drawOther: () => draws.pick(people) };
  return { people, hidden, source };
}

/** The form of a row without an employer. */
interface SparseRow {
  readonly draft: Draft;
  readonly isMatch: boolean;
  readonly reason: NoPersonReason | '';
}

const initialShare = 0.08;

/** A row of a name and nothing else, or with a private mailbox; null if this draw makes none. */
function makeNameAlone(draft: Draft, source: Source): SparseRow | null {
  const { person, cells } = draft;
  const { draws } = source;
  const isInitial = draws.isHit(initialShare);
  if (isInitial) {
    cells.first_name = `${person.given[0]}.`;
    readClues(draft);
  }
  const label = labelRow(draft, source.directory);
  if (label === null) return null;
  if (!isInitial) putName(cells, person.given, person.last, draws);
  if (draws.isHit(0.3)) cells.email = privateMailbox(person.given, person.last, draws);
  if (label === 'ambiguous') return { draft, isMatch: false, reason: label };
  const isOther = isNamesakeElsewhere(draft, source);
  return { draft, isMatch: !isOther, reason: isOther ? 'none' : '' };
}

/** A row of a phone and a name, of which a third name another person: a relative, a later owner. */
function makePhoneRow(draft: Draft, source: Source): SparseRow | null {
  const { person, cells } = draft;
  const { draws, directory } = source;
  const [phone = ''] = person.phones;
  if (directory.phoneHolders.get(phone) !== 1) return null;
  cells.phone = phone;
  if (draws.isHit(1 / 3)) {
    const other = drawName(draws);
    if (draws.isHit(0.6)) cells.first_name = other.given;
    else cells.last_name = other.last;
    const cost =
      costOfGiven(cells.first_name, person, directory) + costOfLast(cells.last_name, person);
    return cost < 3 ? null : { draft, isMatch: false, reason: 'none' };
  }
  const nicknames = [...(directory.nicknames.get(foldWords(person.given)) ?? [])].map(capitalize);
  const slip = draws.pick([dropLetter, swapLetters]);
  cells.first_name = draws.pick([
    person.given,
    nicknames.length > 0 ? draws.pick(nicknames) : person.given,
    slip(person.given, draws),
  ]);
  if (draws.isHit(0.3)) cells.last_name = slip(person.last, draws);
  return isOtherGiven(cells.first_name, person, directory)
    ? null
    : { draft, isMatch: true, reason: '' };
}

/** Which identifiers of a person no one else has. */
function listOwnKeys({ emails, urls, phones }: Person, directory: Directory) {
  const { emailHolders, urlHolders, phoneHolders } = directory;
  return [
    ...emails.map((text) => ({ cell: 'email', text, holders: emailHolders }) as const),
    ...urls.map((text) => ({ cell: 'profile_url', text, holders: urlHolders }) as const),
    ...phones.map((text) => ({ cell: 'phone', text, holders: phoneHolders }) as const),
  ].filter(({ text, holders }) => holders.get(text) === 1);
}

/**
 * A row of an identifier and half a name, of which a third has the given name of another person.
 */
function makeHalfNameRow(draft: Draft, source: Source): SparseRow | null {
  const { person, cells } = draft;
  const { draws, directory } = source;
  const keys = listOwnKeys(person, directory);
  if (keys.length === 0) return null;
  const { cell, text } = draws.pick(keys);
  cells[cell] = text;
  cells.last_name = '';
  if (draws.isHit(1 / 3)) {
    cells.first_name = drawName(draws).given;
    const isNear = costOfGiven(cells.first_name, person, directory) < 3;
    return isNear ? null : { draft, isMatch: false, reason: 'conflict' };
  }
  const shorts = [...(directory.nicknames.get(foldWords(person.given)) ?? [])].map(capitalize);
  const half = draws.pick(['given', 'given', 'nickname', 'initial', 'slip', 'surname', 'near']);
  if (half === 'nickname' && shorts.length > 0) cells.first_name = draws.pick(shorts);
  else if (half === 'initial') cells.first_name = `${person.given[0]}.`;
  else if (half === 'slip')
    cells.first_name = draws.pick([dropLetter, swapLetters])(person.given, draws);
  else if (half === 'surname') {
    cells.first_name = '';
    cells.last_name = person.last;
  } else if (half === 'near' && cell !== 'phone') {
    cells.last_name = capitalize(readPopulation().surname.drawNear(person.last, draws) ?? '');
    if (draws.isHit(0.5)) cells.company_name = draft.job.company;
  }
  return { draft, isMatch: true, reason: '' };
}

const phoneShare = 0.3;
const halfNameShare = 0.24;

/** Makes rows without an employer: a name, alone or with a private mailbox or a phone. */
export function makeSparseRows(directory: Directory, order: MessyOrder): MessyRow[] {
  const { people, source } = openSplit(directory, order);
  const { draws } = source;
  const rows: MessyRow[] = [];
  while (rows.length < order.count) {
    const place = draws.random();
    const ofKey = place < phoneShare ? makePhoneRow : makeHalfNameRow;
    const make = place < phoneShare + halfNameShare ? ofKey : makeNameAlone;
    const draft = drawDraft(people, draws);
    draft.cells.company_name = '';
    readClues(draft);
    const made = make(draft, source);
    if (made === null) continue;
    if (made.reason !== 'ambiguous') addTitle(draft, made.isMatch, directory);
    rows.push({
      id: `${order.split}-sparse-${rows.length + 1}`,
      split: order.split,
      cells: draft.cells,
      personId: made.isMatch ? draft.person.id : '',
      reason: made.reason,
      kinds: ['sparse'],
      madeFrom: draft.person.id,
    });
  }
  return rows;
}

/** Makes a messy list of one split; the same for the same seed. */
export function makePeopleRows(directory: Directory, order: MessyOrder): MessyRow[] {
  const { split, count } = order;
  const { people, hidden, source } = openSplit(directory, order);
  const { draws } = source;
  const rows: MessyRow[] = [];
  while (rows.length < count) {
    const isNegative = draws.isHit(negativeShare);
    const negative = isNegative ? drawNegative(draws) : null;
    const kinds = negative || draws.isHit(cleanShare) ? [] : drawKinds(draws, split, () => true);
    let made: Made | null = null;
    for (let tries = 0; tries < rowTriesMax && made === null; tries++)
      made = negative
        ? makeNegative(negative, people, hidden, source, split)
        : makePositive(kinds, people, source);
    if (made) rows.push({ id: `${split}-${rows.length + 1}`, split, ...made });
  }
  return rows;
}
