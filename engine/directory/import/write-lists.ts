// Writes the rows of an import's lists into the directory, and the derived data.
import { setImmediate } from 'node:timers/promises';
import type { ImportOptions } from '../../contract/directory.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { createAddedKeys } from './added-keys.ts';
import { beginBulkLoad, beginPlainLoad, type LoadPlan } from './bulk-load.ts';
import type { StagedList, UnreadList } from './decode/decode-list.ts';
import type { ColumnChoices } from './decode/map-columns.ts';
import type { FactsOfList, ListKind } from './decode/parse-rows.ts';
import { readList } from './decode/read-list.ts';
import { type PersonFacts, tellsNobody } from './decode/read-person-row.ts';
import {
  clearTouched,
  deriveEmployment,
  derivePhones,
  raiseGeneration,
  touchNumber,
  touchSharedNumbers,
} from './derive.ts';
import {
  createSeenRecords,
  type ImportContext,
  type PlacedFacts,
  readNextId,
} from './import-context.ts';
import { createTally, type ImportTally, type RemarkOnRow } from './import-tally.ts';
import { createKnownPeople, createWaitingRows } from './known-people.ts';
import { createNamesakes } from './namesakes.ts';
import {
  companyColumns,
  dropRefusedCompanies,
  writeCompany,
  writeCompanyAliases,
} from './write-company.ts';
import { employmentColumns, endUnconfirmedJobs } from './write-employment.ts';
import { writeWaiting } from './write-listing.ts';
import { addPerson, personColumns, phoneColumns, writePerson } from './write-person.ts';

export type Lists = { readonly [Kind in ListKind]: StagedList | UnreadList | null };
/** SHA-256 of the rows of each list, in hex. */
export type ListHashes = { readonly [Kind in ListKind]: string | undefined };

export interface WriteListsOptions {
  readonly head: ImportHead;
  readonly companiesId: number;
  readonly choices: ColumnChoices;
  readonly dayOrder: ImportOptions['day_order'];
  readonly plan: LoadPlan;
  readonly signal: AbortSignal | undefined;
  /** Called with the number of rows done of a file or of a stage, and the total of this. */
  readonly onProgress: ((done: number, total: number, label: string) => void) | undefined;
}

export interface ImportHead {
  readonly importId: number;
  readonly source: string;
  readonly trust: number;
  readonly observedOn: string;
}

interface RowWriter<Kind extends ListKind> {
  write(facts: FactsOfList[Kind], remark: RemarkOnRow): void;
  end(): void;
}

function createCompanyWriter(context: ImportContext): RowWriter<'companies'> {
  return {
    write(facts, remark) {
      if (facts.values.name === undefined) writeCompanyAliases(context, facts, remark);
      else context.statedCompanies.add(writeCompany(context, facts, remark));
    },
    end: () => undefined,
  };
}

function placeRow(context: ImportContext, row: PersonFacts, remark: RemarkOnRow): PlacedFacts {
  const company = row.employment?.company;
  return { ...row, companyId: company ? writeCompany(context, company, remark) : null };
}

/** @param takeGroup takes the rows of each person, with a function that remarks on the first */
function createPersonWriter(
  context: ImportContext,
  takeGroup: (rows: readonly PlacedFacts[], remark: RemarkOnRow) => void,
): RowWriter<'people'> {
  // In most lists, rows with one id are adjacent; they are written as one person.
  let group: PersonFacts[] = [];
  let remarkOnGroup: RemarkOnRow = () => undefined;
  const end = () => {
    if (group.length === 0) return;
    takeGroup(
      group.map((row) => placeRow(context, row, remarkOnGroup)),
      remarkOnGroup,
    );
    group = [];
  };
  return {
    write(facts, remark) {
      const { givenId } = facts.person;
      const company = facts.employment?.company;
      if (company && givenId === '' && tellsNobody(facts)) {
        context.statedCompanies.add(writeCompany(context, company, remark));
        return;
      }
      if (givenId === '' || givenId !== group[0]?.person.givenId) end();
      if (group.length === 0) remarkOnGroup = remark;
      group.push(facts);
    },
    end,
  };
}

const remarkOn =
  (tally: ImportTally, file: string, line: number): RemarkOnRow =>
  (message, column) =>
    tally.remark({ file, line, message, ...(column && { column }) });

async function writeList<Kind extends ListKind>(
  context: ImportContext,
  kind: Kind,
  list: StagedList | UnreadList,
  writer: RowWriter<Kind>,
  { choices, dayOrder, signal, onProgress }: WriteListsOptions,
): Promise<string> {
  const { tally } = context;
  let done = 0;
  const { sha256, notRead, columns } = await readList(
    { kind, list, choices, dayOrder, signal },
    (row) => {
      tally.count('rows_read');
      done += 1;
      onProgress?.(done, Math.max(done, list.rowCount), list.fileName);
      const remark = remarkOn(tally, list.fileName, row.line);
      for (const [message, column] of row.remarks) remark(message, column);
      if (row.facts && 'person' in row.facts && row.facts.person.values.opted_out === '1')
        tally.count('rows_opted_out');
      if (row.facts) writer.write(row.facts, remark);
      else tally.count('rows_refused');
      for (const facts of row.further) writer.write(facts, remark);
    },
  );
  writer.end();
  tally.columns.push(...columns);
  for (const { line, message } of notRead) tally.remark({ file: list.fileName, line, message });
  // A file rarely has more lines than rows, so the rows done are reported as the total.
  onProgress?.(done, done, list.fileName);
  return sha256;
}

function createContext(
  db: WritableDatabase,
  { head, plan, onProgress }: WriteListsOptions,
): ImportContext {
  const { isBulk, isWithoutCompanies } = plan;
  const tally = createTally();
  const onIndexed = (done: number, total: number) => {
    const rows = tally.counts.rows_read;
    onProgress?.(Math.round((rows * done) / total), rows, 'Indexing the rows');
  };
  const bulk = isBulk ? beginBulkLoad(db, plan, onIndexed) : beginPlainLoad(db);
  const seenPeople = createSeenRecords();
  return {
    db,
    claimant: { importId: head.importId, source: head.source, trust: head.trust },
    observedOn: head.observedOn,
    tally,
    bulk,
    insert: {
      person: bulk.insertInto('person', personColumns),
      employment: bulk.insertInto('employment', employmentColumns),
      person_phone: bulk.insertInto('person_phone', phoneColumns),
      company: bulk.insertInto('company', companyColumns),
    },
    newCompanies: isWithoutCompanies ? createAddedKeys() : null,
    seenPeople,
    namesakes: createNamesakes(db, seenPeople.has),
    seenCompanies: createSeenRecords(),
    statedCompanies: createSeenRecords(),
    refusedCompanies: new Set(),
    seenEmployments: createSeenRecords(),
    unsaidJobs: new Map(),
    changedPeople: createSeenRecords(),
    changedCompanies: createSeenRecords(),
    waitingListings: new Map(),
    seenDoubles: new Set(),
    companyIds: new Map(),
    nextIds: {
      person: readNextId(db, 'person'),
      employment: readNextId(db, 'employment'),
      company: readNextId(db, 'company'),
    },
    touchNumber: (number) => {
      if (!bulk.isLoading()) touchNumber(db, number);
    },
  };
}

function hasChanged({ counts }: ImportTally): boolean {
  const {
    rows_read,
    rows_opted_out,
    rows_refused,
    people_unchanged,
    companies_unchanged,
    ...changes
  } = counts;
  return Object.values(changes).some((count) => count > 0);
}

function endUnsaidJobs(context: ImportContext): void {
  const { db, tally, unsaidJobs, changedPeople } = context;
  for (const [personId, saidOn] of unsaidJobs) {
    if (!endUnconfirmedJobs(context, personId, saidOn)) continue;
    deriveEmployment(db, personId);
    if (changedPeople.has(personId)) continue;
    tally.counts.people_unchanged--;
    tally.count('people_updated');
  }
}

/** Writes what waited for all rows, and counts the records that it changes. */
function endWaiting(context: ImportContext): void {
  const { tally, changedPeople, changedCompanies } = context;
  writeWaiting(context, (record, id) => {
    const changed = record === 'person' ? changedPeople : changedCompanies;
    if (changed.has(id)) return;
    changed.add(id);
    const plural = record === 'person' ? 'people' : 'companies';
    tally.counts[`${plural}_unchanged`]--;
    tally.count(`${plural}_updated`);
  });
}

/** Writes the people of a bulk load: new ones at once, those who wait with the indexes. */
async function writeManyPeople(
  context: ImportContext,
  list: StagedList | UnreadList,
  options: WriteListsOptions,
): Promise<string> {
  const { db, bulk, claimant, tally } = context;
  const known = createKnownPeople(db, claimant);
  const waiting = createWaitingRows(db);
  let waitingCount = 0;
  const writer = createPersonWriter(context, (rows) => {
    const uuid = known.admit(rows);
    if (uuid !== null) return addPerson(context, rows, uuid);
    waiting.add(rows);
    waitingCount += rows.length;
  });
  let [read, shown] = [0, 0];
  // Rows that wait are not done. Those of one person begin to wait together.
  const onProgress = (done: number, total: number) => {
    read = done;
    shown = Math.max(shown, done - waitingCount);
    options.onProgress?.(shown, total, list.fileName);
  };
  const sha256 = await writeList(context, 'people', list, writer, { ...options, onProgress });
  bulk.finish();
  let done = 0;
  for (let groups = waiting.read(0); groups.length > 0; groups = waiting.read(done)) {
    for (const rows of groups) {
      writePerson(context, rows, remarkOn(tally, list.fileName, rows[0]!.line));
      waitingCount -= rows.length;
    }
    done += groups.length;
    onProgress(read, read);
    await setImmediate();
    options.signal?.throwIfAborted();
  }
  return sha256;
}

function writeFewPeople(
  context: ImportContext,
  list: StagedList | UnreadList,
  options: WriteListsOptions,
): Promise<string> {
  const writer = createPersonWriter(context, (...group) => writePerson(context, ...group));
  return writeList(context, 'people', list, writer, options);
}

export async function writeLists(
  db: WritableDatabase,
  lists: Lists,
  options: WriteListsOptions,
): Promise<{ tally: ImportTally; hashes: ListHashes }> {
  clearTouched(db);
  const context = createContext(db, options);
  const { tally, bulk } = context;
  const { isBulk } = options.plan;
  const writePeople = isBulk ? writeManyPeople : writeFewPeople;
  const { companies, people } = lists;
  const ofCompanies: ImportContext = {
    ...context,
    claimant: { ...context.claimant, importId: options.companiesId },
    waitingListings: new Map(),
  };
  const writer = createCompanyWriter(ofCompanies);
  const hashes = {
    companies: companies
      ? await writeList(ofCompanies, 'companies', companies, writer, options)
      : undefined,
    people: people ? await writePeople(context, people, options) : undefined,
  };
  bulk.finish();
  dropRefusedCompanies(context);
  endWaiting(ofCompanies);
  endWaiting(context);
  endUnsaidJobs(context);
  if (isBulk) touchSharedNumbers(db);
  derivePhones(db);
  if (hasChanged(tally)) raiseGeneration(db);
  return { tally, hashes };
}
