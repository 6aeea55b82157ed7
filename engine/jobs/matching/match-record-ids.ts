// An id that names one record of a list is evidence like an email (docs/matching.md, "Record ids").
import type { ImportKind } from '../../contract/directory.ts';
import { crmNames } from '../../contract/exports/crm-export.ts';
import { crmPresets, rankRecordId } from '../../contract/exports/crm-presets.ts';
import { employmentStatuses, matchFields, matchReasons } from '../../contract/jobs/job.ts';
import { type ColumnMapping, namesPeople, readMapped } from '../../contract/jobs/row-input.ts';
import { candidatesMax } from '../../contract/limits/directory.ts';
import { recordIdRowsMax } from '../../contract/limits/exports.ts';
import { recordUuid, uuidV5 } from '../../directory/import/uuid-v5.ts';
import type { BatchCandidates, MatchBatch } from '../../directory/index/match-batch.ts';
import { areNamesCompatible } from '../../directory/normalize/compatible-names.ts';
import { foldText } from '../../directory/normalize/fold-text.ts';
import { companyNameKey } from '../../directory/normalize/normalize-company.ts';
import { listOwnLists, readSomeIds } from '../../directory/read/own-lists.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { parseRecords } from '../../spreadsheet/read-rows.ts';
import { readRowName } from './enrich-batch.ts';

/** The letters of five bits that end an id of Salesforce. */
const endLetters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345';

/**
 * The forms of an id: Salesforce writes 15 characters, or 18, of which the last three say which of
 * the others are capitals.
 */
function listForms(id: string): string[] {
  if (!/^[a-z0-9]{15}(?:[A-Z0-5]{3})?$/i.test(id)) return [id];
  const short = id.slice(0, 15);
  const ends = [0, 5, 10].map((start) => {
    const capitals = [...short.slice(start, start + 5)].map((one) => /[A-Z]/.test(one));
    return endLetters[capitals.reduce((sum, is, at) => sum + (is ? 2 ** at : 0), 0)];
  });
  const long = `${short}${ends.join('')}`;
  return id.length === 15 || id === long ? [short, long] : [id];
}

/** A column that may have the ids of some own lists. */
interface IdColumn {
  readonly at: number;
  readonly sources: readonly string[];
  /** Whether its header says whose ids these are: then an id also speaks against a row. */
  readonly isTelling: boolean;
}

/** The headers of any number: "ID", "No.", "Reference". */
const anyNumber =
  /^(?:row |record |line |key )?(?:ids?|uuid|guid|no|nr|number|ref|reference|reference id|#)$/;
const ownHeaders = new Set(crmNames.flatMap((crm) => crmPresets[crm].idHeaders));
/** An id that no other list has by chance: letters and digits, or very many digits. */
const ownForm = /^(?=.*\d)(?:(?=.*[a-z])[a-z0-9-]{12,}|\d{16,})$/i;

const normalizeHeader = (header: string): string =>
  foldText(header)
    .replace(/[^\p{L}\p{N}#]+/gu, ' ')
    .trim();
const isAnyNumber = (header: string): boolean =>
  anyNumber.test(normalizeHeader(header)) && !ownHeaders.has(header.trim().toLowerCase());

/**
 * The columns with ids of own lists: each list's column has the header of its ids, or one that the
 * CRM of its ids has; any other column of ids may be that of each list.
 */
function findIdColumns(
  directory: ReadableDatabase,
  kind: ImportKind,
  headers: readonly string[],
  mapping: ColumnMapping,
): IdColumn[] {
  const lists = listOwnLists(directory).filter((list) => list.kind === kind);
  const columns: IdColumn[] = [];
  const unplaced: string[] = [];
  for (const { source, idHeader } of lists) {
    if (idHeader === null) continue;
    const own = normalizeHeader(idHeader);
    const same = headers.findIndex((header) => normalizeHeader(header) === own);
    const ids = same < 0 ? readSomeIds(directory, kind, source, recordIdRowsMax) : [];
    const ofCrm = new Set(
      crmNames.flatMap((crm) =>
        crmPresets[crm].kind === kind && ids.length > 0 && rankRecordId(crm, idHeader, ids) !== null
          ? crmPresets[crm].idHeaders.filter((header) => header !== 'id')
          : [],
      ),
    );
    const at = same < 0 ? headers.findIndex((one) => ofCrm.has(one.trim().toLowerCase())) : same;
    if (at < 0) unplaced.push(source);
    else columns.push({ at, sources: [source], isTelling: !isAnyNumber(headers[at] ?? '') });
  }
  const at = mapping.client_reference_id;
  if (at !== undefined && unplaced.length > 0)
    columns.push({ at, sources: unplaced, isTelling: false });
  return columns;
}

interface Holder {
  /** person.id or company.id. */
  readonly id: number;
  readonly givenId: string;
  readonly source: string;
}

const holdersSql = (record: 'person' | 'company'): string =>
  `SELECT DISTINCT l.id, l.givenId, s.source FROM (
     SELECT r.id, r.given_id AS givenId, r.import_id FROM json_each(@uuids) w
       JOIN directory.${record} r ON r.uuid = w.value WHERE r.given_id IS NOT NULL
     UNION ALL
     SELECT t.${record}_id, t.given_id, t.import_id FROM json_each(@ids) w
       JOIN directory.${record}_listing t ON t.given_id = w.value AND t.given_id <> '') l
   JOIN directory.source_import s ON s.id = l.import_id AND s.status = 'completed'`;

/** The records of ids, by source and id. */
function readHolders(
  database: ReadableDatabase,
  record: 'person' | 'company',
  asked: readonly { readonly id: string; readonly sources: readonly string[] }[],
): Map<string, Set<number>> {
  const ids = new Set(asked.map(({ id }) => id));
  const uuids = new Set(
    asked.flatMap(({ id, sources }) => [
      recordUuid(record, id),
      ...sources.map((source) => uuidV5(`desk:${record}:${source}:${id}`)),
    ]),
  );
  const found = statement<Holder>(database, holdersSql(record)).all({
    ids: JSON.stringify([...ids]),
    uuids: JSON.stringify([...uuids]),
  });
  const holders = new Map<string, Set<number>>();
  for (const { id, givenId, source } of found) {
    const key = `${source}\0${givenId}`;
    holders.set(key, (holders.get(key) ?? new Set()).add(id));
  }
  return holders;
}

interface Known {
  readonly names: readonly { readonly first: string; readonly last: string }[];
  readonly isHidden: boolean;
  readonly hasJob: boolean;
  readonly jobs: readonly { companyId: number; nameKey: string; isCurrent: number }[];
}

function readKnownPerson(database: ReadableDatabase, id: number): Known {
  const names = statement<{ first: string; last: string }>(
    database,
    `SELECT first_name AS first, last_name AS last FROM directory.person WHERE id = @id
     UNION SELECT nickname, last_name FROM directory.person WHERE id = @id AND nickname IS NOT NULL
     UNION SELECT first_name, last_name FROM directory.person_name WHERE person_id = @id`,
  ).all({ id });
  const own = statement<{ isHidden: number; hasLeft: number }>(
    database,
    `SELECT opted_out OR suppressed AS isHidden, has_left AS hasLeft FROM directory.person
     WHERE id = ?`,
  ).get(id);
  const jobs = statement<Known['jobs'][number]>(
    database,
    `SELECT c.id AS companyId, c.name_key AS nameKey, e.is_current AS isCurrent
     FROM directory.employment e JOIN directory.company c ON c.id = e.company_id
     WHERE e.person_id = ? ORDER BY e.is_current DESC`,
  ).all(id);
  return { names, isHidden: own?.isHidden === 1, hasJob: own?.hasLeft === 0, jobs };
}

const idBit = 1 << matchFields.indexOf('client_reference_id');
const keyBits = (1 << matchFields.indexOf('email')) | (1 << matchFields.indexOf('profile_url'));
const nameBits = (1 << matchFields.indexOf('first_name')) | (1 << matchFields.indexOf('last_name'));
/** As likely as a name with an email that one person holds. */
const idConfidence = 0.995;
/** A candidate whose name has slips is as likely as this. */
const slipMin = 0.5;
const reasonOf = (reason: (typeof matchReasons)[number]) => matchReasons.indexOf(reason);
const conflict = reasonOf('conflicting_evidence');
/** Reasons of rows that an id answers; any other stands. */
const openReasons = new Set(
  ['no_match', 'ambiguous', 'too_little_data'].map((reason) =>
    matchReasons.indexOf(reason as (typeof matchReasons)[number]),
  ),
);

type Match = Readonly<
  Record<'personId' | 'companyId' | 'employmentStatus' | 'score' | 'matchedOn', number>
>;

function answer(batch: MatchBatch, row: number, match: Match): void {
  batch.personIds[row] = match.personId;
  batch.companyIds[row] = match.companyId;
  batch.employmentStatuses[row] = match.employmentStatus;
  batch.confidences[row] = match.score;
  batch.matchedOn[row] = match.matchedOn;
  batch.reasons[row] = 0;
}

/** The candidates of a row whose parts belong to different records. */
function leaveOpen(batch: MatchBatch, row: number, matches: readonly Match[]): BatchCandidates {
  answer(batch, row, { personId: 0, companyId: 0, employmentStatus: 0, score: 0, matchedOn: 0 });
  batch.reasons[row] = conflict;
  const named = matches.slice(0, candidatesMax);
  return {
    row,
    personIds: named.map(({ personId }) => personId),
    scores: named.map(() => 1 / (named.length + 1)),
    companyIds: named.map(({ companyId }) => companyId),
    employmentStatuses: named.map(({ employmentStatus }) => employmentStatus),
    matchedOn: named.map(({ matchedOn }) => matchedOn),
  };
}

const matchAt = (candidates: BatchCandidates | undefined): Match[] =>
  (candidates?.personIds ?? []).map((personId, at) => ({
    personId,
    companyId: candidates?.companyIds[at] ?? 0,
    employmentStatus: candidates?.employmentStatuses[at] ?? 0,
    score: candidates?.scores[at] ?? 0,
    matchedOn: candidates?.matchedOn[at] ?? 0,
  }));

const statusOf = (status: (typeof employmentStatuses)[number]) =>
  employmentStatuses.indexOf(status);

function matchPerson(id: number, known: Known, company: string, hasName: boolean): Match {
  const key = companyNameKey(company);
  const job = key === '' ? undefined : known.jobs.find(({ nameKey }) => nameKey === key);
  const isThere = key === '' || job?.isCurrent === 1;
  const whereabouts = isThere ? 'Current' : 'Changed';
  return {
    personId: id,
    companyId: job?.companyId ?? 0,
    employmentStatus: statusOf(known.hasJob ? whereabouts : 'Left'),
    score: idConfidence,
    matchedOn: idBit | (hasName ? nameBits : 0),
  };
}

/** What an id says of a row: the record, and whether nothing else has this id by chance. */
interface Named {
  readonly id: number;
  readonly isTelling: boolean;
}

/** Decides one row about a person. Returns its candidates if it is open. */
function decidePerson(
  batch: MatchBatch,
  row: number,
  { id, isTelling }: Named,
  known: Known,
  cells: readonly string[],
  mapping: ColumnMapping,
  candidates: BatchCandidates | undefined,
): BatchCandidates | null {
  const before = batch.personIds[row] ?? 0;
  const reason = batch.reasons[row] ?? 0;
  const others = matchAt(candidates);
  const name = readRowName(cells, mapping);
  const hasName = name.first !== '' || name.last !== '';
  const [best] = others;
  const isSlip = before === 0 && best?.personId === id && best.score >= slipMin;
  const agrees = isSlip || known.names.some((one) => areNamesCompatible(name, one));
  if (before === id) {
    batch.matchedOn[row]! |= idBit;
    batch.confidences[row] = Math.max(batch.confidences[row] ?? 0, idConfidence);
    return null;
  }
  if (!isTelling && !(agrees && name.first !== '' && name.last !== '')) return null;
  if (before === 0 && !openReasons.has(reason)) return null;
  const match =
    others.find(({ personId }) => personId === id) ??
    matchPerson(id, known, readMapped(cells, mapping, 'company_name'), hasName && agrees);
  const isOthersKey = before !== 0 && ((batch.matchedOn[row] ?? 0) & keyBits) !== 0;
  if (agrees && !isOthersKey) {
    if (known.isHidden) {
      answer(batch, row, { ...match, personId: 0, companyId: 0, score: 0, matchedOn: 0 });
      batch.employmentStatuses[row] = 0;
      batch.reasons[row] = reasonOf('suppressed');
    } else
      answer(batch, row, { ...match, score: idConfidence, matchedOn: match.matchedOn | idBit });
    return null;
  }
  if (!isTelling) return null;
  const answered: Match[] =
    before === 0
      ? []
      : [
          {
            personId: before,
            companyId: batch.companyIds[row] ?? 0,
            employmentStatus: batch.employmentStatuses[row] ?? 0,
            score: batch.confidences[row] ?? 0,
            matchedOn: batch.matchedOn[row] ?? 0,
          },
        ];
  const rest = others.filter(({ personId }) => personId !== id);
  return leaveOpen(batch, row, [...answered, match, ...rest]);
}

/** Decides one row about a company. Returns its candidates if it is open. */
function decideCompany(
  database: ReadableDatabase,
  batch: MatchBatch,
  row: number,
  { id, isTelling }: Named,
  cells: readonly string[],
  mapping: ColumnMapping,
  candidates: BatchCandidates | undefined,
): BatchCandidates | null {
  const before = batch.companyIds[row] ?? 0;
  if (before === id) {
    batch.matchedOn[row]! |= idBit;
    batch.confidences[row] = Math.max(batch.confidences[row] ?? 0, idConfidence);
    return null;
  }
  if (before === 0 && !openReasons.has(batch.reasons[row] ?? 0)) return null;
  const company = statement<{ nameKey: string; domain: string | null }>(
    database,
    'SELECT name_key AS nameKey, domain FROM directory.company WHERE id = ?',
  ).get(id);
  if (!company) return null;
  const key = companyNameKey(readMapped(cells, mapping, 'company_name'));
  const domain = readMapped(cells, mapping, 'company_domain')
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?|[/?#:].*$/g, '');
  const others = matchAt(candidates);
  const isOneName =
    key !== '' && (company.nameKey.startsWith(key) || key.startsWith(company.nameKey));
  const agrees =
    isOneName ||
    (domain !== '' && domain === company.domain) ||
    (key === '' && domain === '' && isTelling) ||
    others.some(({ companyId }) => companyId === id);
  const match = {
    personId: 0,
    companyId: id,
    employmentStatus: 0,
    score: idConfidence,
    matchedOn: idBit | (isOneName ? 1 << matchFields.indexOf('company_name') : 0),
  };
  if (agrees) answer(batch, row, match);
  else if (isTelling) {
    const answered = before === 0 ? [] : [{ ...match, companyId: before }];
    const rest = others.filter(({ companyId }) => companyId !== id);
    return leaveOpen(batch, row, [...answered, match, ...rest]);
  }
  return null;
}

/** Changes the rows of a batch, given with their bytes, that have the id of a record. */
export type RecordIdMatcher = (batch: MatchBatch, bytes: Uint8Array) => MatchBatch;

/**
 * Matches rows of a list by ids of records. Its columns are found once; a batch of a list without
 * a column of ids costs nothing.
 * @param database a connection with the directory attached as `directory`
 */
export function createRecordIdMatcher(
  database: ReadableDatabase,
  list: { readonly headers: readonly string[]; readonly mapping: ColumnMapping },
): RecordIdMatcher {
  const { mapping } = list;
  const isOfCompanies = !namesPeople(mapping) && mapping.company_name !== undefined;
  const kind: ImportKind = isOfCompanies ? 'companies' : 'people';
  let columns: readonly IdColumn[] | null = null;
  return (batch, bytes) => {
    columns ??= findIdColumns(database, kind, list.headers, mapping);
    return columns.length === 0
      ? batch
      : matchById(database, { kind, columns, mapping }, batch, bytes);
  };
}

interface IdList {
  readonly kind: ImportKind;
  readonly columns: readonly IdColumn[];
  readonly mapping: ColumnMapping;
}

function matchById(
  database: ReadableDatabase,
  { kind, columns, mapping }: IdList,
  batch: MatchBatch,
  bytes: Uint8Array,
): MatchBatch {
  const record = kind === 'people' ? 'person' : 'company';
  const rows = parseRecords(bytes);
  const asked = rows.flatMap((cells) =>
    columns.flatMap(({ at, sources }) => {
      const id = (cells[at] ?? '').trim();
      return id === '' ? [] : listForms(id).map((form) => ({ id: form, sources }));
    }),
  );
  if (asked.length === 0) return batch;
  const holders = readHolders(database, record, asked);
  if (holders.size === 0) return batch;
  const candidates = new Map(batch.candidates.map((one) => [one.row, one]));
  for (const [row, cells] of rows.entries()) {
    const named = nameRecord(columns, holders, cells);
    if (named === null) continue;
    const before = candidates.get(row);
    const open =
      kind === 'people'
        ? decidePerson(
            batch,
            row,
            named,
            readKnownPerson(database, named.id),
            cells,
            mapping,
            before,
          )
        : decideCompany(database, batch, row, named, cells, mapping, before);
    if (open !== null) candidates.set(row, open);
    else if (batch.reasons[row] === 0) candidates.delete(row);
  }
  return { ...batch, candidates: [...candidates.values()] };
}

/** The one record that the ids of a row name; null if they name none or several. */
function nameRecord(
  columns: readonly IdColumn[],
  holders: ReadonlyMap<string, ReadonlySet<number>>,
  cells: readonly string[],
): Named | null {
  const found = columns.flatMap(({ at, sources, isTelling }) => {
    const id = (cells[at] ?? '').trim();
    const forms = listForms(id);
    const people = new Set(
      sources.flatMap((source) =>
        forms.flatMap((form) => [...(holders.get(`${source}\0${form}`) ?? [])]),
      ),
    );
    const [one] = people;
    return one === undefined || people.size > 1
      ? []
      : { id: one, isTelling: isTelling || ownForm.test(id) };
  });
  const telling = found.filter((one) => one.isTelling);
  const best = telling.length > 0 ? telling : found;
  const [first] = best;
  return first && best.every(({ id }) => id === first.id) ? first : null;
}
