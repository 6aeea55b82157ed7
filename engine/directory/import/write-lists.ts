/** Writes the rows of an import's lists into the directory, and the derived data. */
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
import { createSeenRecords, type ImportContext, readNextId } from './import-context.ts';
import { createTally, type ImportTally, type RemarkOnRow } from './import-tally.ts';
import { createNamesakes } from './namesakes.ts';
import { companyColumns, writeCompany, writeCompanyAliases } from './write-company.ts';
import { employmentColumns, endUnconfirmedJobs } from './write-employment.ts';
import { writeWaiting } from './write-listing.ts';
import { personColumns, phoneColumns, writePerson } from './write-person.ts';

export type Lists = { readonly [Kind in ListKind]: StagedList | UnreadList | null };
/** SHA-256 of the rows of each list, in hex. */
export type ListHashes = { readonly [Kind in ListKind]: string | undefined };

export interface WriteListsOptions {
  readonly head: ImportHead;
  readonly choices: ColumnChoices;
  readonly dayOrder: ImportOptions['day_order'];
  readonly plan: LoadPlan;
  readonly signal: AbortSignal | undefined;
  /** Called with the number of rows done of a file, and the total of this file. */
  readonly onProgress: ((done: number, total: number, fileName: string) => void) | undefined;
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
      else writeCompany(context, facts, remark);
    },
    end: () => undefined,
  };
}

function createPersonWriter(context: ImportContext): RowWriter<'people'> {
  // In most lists, rows with one id are adjacent; they are written as one person.
  let group: PersonFacts[] = [];
  let remarkOnGroup: RemarkOnRow = () => undefined;
  const end = () => {
    if (group.length) writePerson(context, group, remarkOnGroup);
    group = [];
  };
  return {
    write(facts, remark) {
      const { givenId } = facts.person;
      const company = facts.employment?.company;
      if (company && tellsNobody(facts)) {
        writeCompany(context, company, remark);
        return;
      }
      if (givenId === '' || givenId !== group[0]?.person.givenId) end();
      if (group.length === 0) remarkOnGroup = remark;
      group.push(facts);
    },
    end,
  };
}

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
      const remark: RemarkOnRow = (message, column) =>
        tally.remark({ file: list.fileName, line: row.line, message, ...(column && { column }) });
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

function createContext(db: WritableDatabase, head: ImportHead, plan: LoadPlan): ImportContext {
  const { isBulk, isFresh, isWithoutCompanies } = plan;
  const bulk = isBulk ? beginBulkLoad(db, plan) : beginPlainLoad(db);
  const seenPeople = createSeenRecords();
  return {
    db,
    claimant: { importId: head.importId, source: head.source, trust: head.trust },
    observedOn: head.observedOn,
    tally: createTally(),
    bulk,
    insert: {
      person: bulk.insertInto('person', personColumns),
      employment: bulk.insertInto('employment', employmentColumns),
      person_phone: bulk.insertInto('person_phone', phoneColumns),
      company: bulk.insertInto('company', companyColumns),
    },
    newPeople: isFresh ? createAddedKeys() : null,
    newCompanies: isWithoutCompanies ? createAddedKeys() : null,
    seenPeople,
    namesakes: createNamesakes(db, seenPeople.has),
    seenCompanies: createSeenRecords(),
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
    // In an empty directory the shared numbers are found at the end, all at once.
    touchNumber: isFresh ? () => undefined : (number) => touchNumber(db, number),
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

/** Ends jobs that newer data on a person omits. */
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

/** Writes both lists and the derived data inside the open transaction. */
export async function writeLists(
  db: WritableDatabase,
  lists: Lists,
  options: WriteListsOptions,
): Promise<{ tally: ImportTally; hashes: ListHashes }> {
  clearTouched(db);
  const context = createContext(db, options.head, options.plan);
  const { tally, bulk } = context;
  const write = async <Kind extends ListKind>(kind: Kind, writer: RowWriter<Kind>) => {
    const list = lists[kind];
    return list ? writeList(context, kind, list, writer, options) : undefined;
  };
  const hashes = {
    companies: await write('companies', createCompanyWriter(context)),
    people: await write('people', createPersonWriter(context)),
  };
  bulk.needCompanies();
  bulk.needIndices();
  endWaiting(context);
  endUnsaidJobs(context);
  if (options.plan.isFresh) touchSharedNumbers(db);
  derivePhones(db);
  if (hasChanged(tally)) raiseGeneration(db);
  return { tally, hashes };
}
