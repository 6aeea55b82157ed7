// Repairs of names and companies: rows about no person, and cells with parts of two fields.
import { type RowText, readRowText } from '../match/graded/readings/read-identifiers.ts';
import {
  isOffice,
  isTestRow,
  isTwoPeople,
  type KnownWords,
  organisationPart,
  organisationWord,
} from '../match/graded/readings/row-signs.ts';
import { countryCode } from '../normalize/country-code.ts';
import { bareWord, nameWords, readNameParts } from '../normalize/messy/name-parts.ts';
import { companyNameKey } from '../normalize/normalize-company.ts';
import { nameKey } from '../normalize/normalize-name.ts';
import { splitName } from '../normalize/split-name.ts';
import {
  cellOf,
  type FoundNames,
  moveInto,
  putCell,
  type RowDraft,
  readDraft,
} from './row-draft.ts';

const namedCells = ['first_name', 'last_name', 'company_name'] as const;

/** A row says nothing of the names that people have. */
const noWords: KnownWords = {
  isAnyName: () => false,
  isGiven: () => false,
  areForms: () => true,
  isSurname: () => false,
};
/** Of a row that matching read as two people, it knows the names. */
const allWords: KnownWords = {
  isAnyName: () => true,
  isGiven: () => true,
  areForms: () => false,
  isSurname: () => true,
};

/** Empties the cells of a test row, a header, a note or an office, or of no person. */
export function dropTestRow(draft: RowDraft, isNoPerson: boolean): void {
  for (const cell of namedCells) {
    const text = readDraft(draft);
    if (!isTestRow(text) && !(isNoPerson && isOffice(text, noWords))) return;
    putCell(draft, cell, 'test_row', '');
  }
}

/** Empties a cell of the name that names two people. @param isNoPerson matching read the row so */
export function dropTwoPeople(draft: RowDraft, isNoPerson: boolean): void {
  const known = isNoPerson ? allWords : noWords;
  for (const cell of ['first_name', 'last_name'] as const) {
    const text: RowText = readRowText((one) => (one === cell ? cellOf(draft, cell) : ''));
    if (isTwoPeople(text, known)) putCell(draft, cell, 'two_people', '');
  }
}

const nameWordsMin = 2;
const nameWordsMax = 5;

const isOrganisation = (text: string): boolean =>
  organisationWord.test(text) || organisationPart.test(text);

/** Whether a text may be a person's whole name: titles and degrees do not count as words. */
function isWholeName(text: string): boolean {
  if (isOrganisation(text) || /\s(?:and|for|the)\s/i.test(text)) return false;
  const count = readNameParts(text).parts.flat().length;
  return count >= nameWordsMin && count <= nameWordsMax;
}

const separators = /\s+[-–—|@]\s+|\s*[|;]\s*|\s+at\s+|\s*[([]/i;
const separatorsOfName = new RegExp(`${separators.source}|,\\s*`, 'i');

export function splitNameAndCompany(draft: RowDraft): void {
  const cells = namedCells.filter((cell) => cellOf(draft, cell) !== '');
  const [cell] = cells;
  if (cell === undefined || cells.length !== 1) return;
  // The name of an organisation may have commas of its own.
  const sides = cellOf(draft, cell)
    .split(cell === 'company_name' ? separators : separatorsOfName)
    .map((side) => side.replace(/[)\]]+$/, '').trim())
    .filter(Boolean);
  const [one, other] = sides;
  if (one === undefined || other === undefined || sides.length !== 2) return;
  const [name, company] = isOrganisation(one) ? [other, one] : [one, other];
  if (!isOrganisation(company) || !isWholeName(name)) return;
  putCell(draft, cell, 'name_and_company', cell === 'company_name' ? company : name);
  if (cell === 'company_name') moveInto(draft, 'first_name', 'name_and_company', name);
  else moveInto(draft, 'company_name', 'name_and_company', company);
}

/** A whole name in two parts: as the matched person has them, if it is just that name. */
function splitAsFound(text: string, found: FoundNames | null) {
  const { first = '', last = '' } = found ?? {};
  const isFound = [first + last, last + first].some((whole) => nameKey(whole) === nameKey(text));
  return isFound ? { first, last } : splitName(text);
}

export function splitFullName(draft: RowDraft, found: FoundNames | null): void {
  const [first, last] = [cellOf(draft, 'first_name'), cellOf(draft, 'last_name')];
  const text = first === '' ? last : last === '' ? first : '';
  if (text === '' || !isWholeName(text)) return;
  const name = splitAsFound(text, found);
  if (name.first === '' || name.last === '') return;
  putCell(draft, 'first_name', 'full_name', name.first);
  putCell(draft, 'last_name', 'full_name', name.last);
}

const segmentBreak = /\s+[-–—|:>/]\s+|[,;|()[\]]+/;
const department =
  /^(?:the )?(?:(?:dept|department|division|office|faculty|section|branch|unit)\b|\p{L}+(?: \p{L}+)? (?:dept|department|division|office|branch)$)/iu;
const stateCode = /^[A-Z]{2}$/;

const isPlace = (segment: string): boolean =>
  stateCode.test(segment) || countryCode(segment) !== null;

/** Whether the rest of a cell is the organisation of a department before it, not its other task. */
const isOrganisationBehind = (rest: readonly string[]): boolean =>
  rest.some((segment) => isOrganisation(segment) && !/\sand\s/i.test(segment));

function isPartOfCompany(segments: readonly string[], at: number): boolean {
  const segment = segments[at]!;
  if (isPlace(segment)) return true;
  return department.test(segment) && (at > 0 || isOrganisationBehind(segments.slice(1)));
}

export function dropCompanyPart(draft: RowDraft, found: FoundNames | null): void {
  const text = cellOf(draft, 'company_name');
  if (!segmentBreak.test(text)) return;
  const segments = text
    .split(segmentBreak)
    .map((segment) => segment.trim())
    .filter(Boolean);
  if (segments.length < 2) return;
  const key = found === null ? '' : companyNameKey(found.company);
  const isFound = (segment: string): boolean => key !== '' && companyNameKey(segment) === key;
  const kept =
    key !== '' && companyNameKey(text) !== key && segments.some(isFound)
      ? segments.filter(isFound)
      : segments.filter((_segment, at) => !isPartOfCompany(segments, at));
  const [company] = kept;
  if (company !== undefined && kept.length === 1)
    putCell(draft, 'company_name', 'company_part', company);
}

const plainText = /^[a-z0-9 ,.&'-]*$/;
const plainWord = /^[a-z]+$/;

/** Whether a plain text has the letters of a plain word; true if either is not plain. */
function mayHold(text: string, word: string): boolean {
  if (!plainText.test(text) || !plainWord.test(word)) return true;
  return text.replace(/[^a-z0-9]+/g, '').includes(word);
}

function holdsName(text: string, { first, last }: FoundNames): boolean {
  // Most companies do not have the person's name, and taking words apart takes long.
  if (!mayHold(text.toLowerCase(), last.toLowerCase())) return false;
  const words = new Set(nameWords(text).map(bareWord));
  return [first, last].every((name) => nameWords(name).every((word) => words.has(bareWord(word))));
}

/** Names that are exchanged, or in the columns next to theirs, as the matched person shows. */
export function placeNames(draft: RowDraft, found: FoundNames): void {
  const [first, last] = [nameKey(found.first), nameKey(found.last)];
  if (first === '' || last === '' || first === last) return;
  const cells = namedCells.map((cell) => cellOf(draft, cell));
  const [inFirst = '', inLast = '', inCompany = ''] = cells;
  const [firstKey, lastKey] = [nameKey(inFirst), nameKey(inLast)];
  if (firstKey === first && lastKey === last) return;
  if (firstKey === last && lastKey === first) {
    putCell(draft, 'first_name', 'names_exchanged', inLast);
    putCell(draft, 'last_name', 'names_exchanged', inFirst);
  } else if (lastKey === first && nameKey(inCompany) === last) {
    const { inEmail } = readDraft(draft);
    putCell(draft, 'first_name', 'columns_shifted', inLast);
    putCell(draft, 'last_name', 'columns_shifted', inCompany);
    putCell(draft, 'company_name', 'columns_shifted', inEmail);
    if (inEmail !== '') putCell(draft, 'email', 'columns_shifted', '');
  } else if (holdsName(inCompany, found) && !holdsName(`${inFirst} ${inLast}`, found)) {
    putCell(draft, 'first_name', 'columns_shifted', found.first);
    putCell(draft, 'last_name', 'columns_shifted', found.last);
    putCell(draft, 'company_name', 'columns_shifted', `${inFirst} ${inLast}`.trim());
  }
}
