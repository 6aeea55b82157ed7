// Answers the calls about duplicates, searches for them and merges. A merge is answered once every
// read follows it; the indexes are built afterwards.
import {
  type Duplicate,
  type DuplicateDetail,
  type DuplicateField,
  type DuplicateFieldValue,
  type DuplicatesPage,
  type DuplicatesQuery,
  duplicates,
  likelihoodOf,
} from '../../contract/duplicates/duplicates.ts';
import { EngineError, invalid, notFound } from '../../contract/errors.ts';
import { whenClientLeaves } from '../../http/client-presence.ts';
import type { ApiServer } from '../../http/route-deps.ts';
import { serve } from '../../http/serve.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { Claim } from '../import/source-values.ts';
import { readGeneration } from '../open-directory.ts';
import type { DuplicateRouteDeps } from '../route-deps.ts';
import {
  type DecidedField,
  decideField,
  decideFields,
  isSameValue,
  jobFields,
  type RecordPair,
} from './decide-sides.ts';
import { countPairs, getPair, listPairs, type PairRow } from './duplicate.table.ts';
import { getSearch, presentSearch } from './duplicate-search.table.ts';
import { fieldLabels } from './field-labels.ts';
import { listMerges, presentMergeById } from './merge.table.ts';
import { findMainJobs } from './merge-people.ts';
import { chooseSurvivor, findRecord, nameOf } from './merge-records.ts';

const employerSql = `SELECT e.title, c.name AS company FROM person p
  LEFT JOIN employment e ON e.id = p.employment_id
  LEFT JOIN company c ON c.id = e.company_id AND c.listed = 0 WHERE p.id = ?`;

function detailOf(db: ReadableDatabase, { kind, own }: RecordPair): string {
  const words =
    kind === 'company'
      ? [own.domain, own.city, own.country]
      : Object.values(statement<Record<string, string | null>>(db, employerSql).get(own.id) ?? {});
  return words.filter(Boolean).join(', ');
}

const describeRecord = (db: ReadableDatabase, pair: RecordPair) => ({
  id: String(pair.own.uuid),
  name: nameOf(pair.kind, pair.own),
  detail: detailOf(db, pair),
});

const swap = ({ kind, own, other }: RecordPair): RecordPair => ({ kind, own: other, other: own });

function presentClaim(claim: Claim | null, claims: readonly Claim[]): DuplicateFieldValue | null {
  if (!claim) return null;
  const { value, name, observed_on, trust } = claim;
  const agreeing = claims.filter((one) => isSameValue(one.value, value));
  const witnesses = new Set(agreeing.map((one) => one.source)).size;
  return { value, source: name ?? claim.source, observed_on, trust, witnesses };
}

function presentField(field: string, decided: DecidedField): DuplicateField | null {
  const { own, other, winner, reason, claims } = decided;
  if (!own && !other) return null;
  const isBoth = own !== null && other !== null;
  const agrees = isBoth && isSameValue(own.value, other.value);
  return {
    field,
    label: fieldLabels[field] ?? field,
    verdict: isBoth ? (agrees ? 'agrees' : 'differs') : 'one_side',
    values: [presentClaim(own, claims), presentClaim(other, claims)],
    winner: winner === 'own' ? 0 : 1,
    reason,
  };
}

interface KeptList {
  readonly field: string;
  readonly sql: string;
}

const newestOf = 'max(s.id) AS importId';
const keptLists: Readonly<Record<RecordPair['kind'], readonly KeptList[]>> = {
  person: [
    {
      field: 'emails',
      sql: `SELECT lower(v.value) AS value, ${newestOf} FROM
        (SELECT email AS value, import_id FROM employment
           WHERE person_id = @id AND email IS NOT NULL
         UNION ALL SELECT value, import_id FROM person_key
           WHERE person_id = @id AND kind = 'email') v
        JOIN source_import s ON s.id = v.import_id GROUP BY 1 ORDER BY 1`,
    },
    {
      field: 'phones',
      sql: `SELECT number AS value, ${newestOf} FROM person_phone v
        JOIN source_import s ON s.id = v.import_id WHERE person_id = @id GROUP BY 1 ORDER BY 1`,
    },
    {
      field: 'employers',
      sql: `SELECT c.name AS value, ${newestOf} FROM employment v
        JOIN company c ON c.id = v.company_id JOIN source_import s ON s.id = v.import_id
        WHERE v.person_id = @id AND c.listed = 0 GROUP BY c.id ORDER BY 1`,
    },
  ],
  company: [
    {
      field: 'aliases',
      sql: `SELECT v.name AS value, ${newestOf} FROM company_alias v
        JOIN source_import s ON s.id = v.import_id WHERE company_id = @id GROUP BY 1 ORDER BY 1`,
    },
  ],
};

const shownValuesMax = 10;

function readKept(db: ReadableDatabase, sql: string, id: number): DuplicateFieldValue | null {
  const found = statement<{ value: string; importId: number }>(db, sql).all({ id });
  if (found.length === 0) return null;
  const newest = Math.max(...found.map(({ importId }) => importId));
  const source = statement<Pick<DuplicateFieldValue, 'source' | 'observed_on' | 'trust'>>(
    db,
    'SELECT ifnull(name, source) AS source, observed_on, trust FROM source_import WHERE id = ?',
  ).get(newest);
  const values = found.slice(0, shownValuesMax).map(({ value }) => value);
  const rest = found.length - values.length;
  return {
    value: [...values, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n'),
    source: source?.source ?? '',
    observed_on: source?.observed_on ?? '',
    trust: source?.trust ?? 0,
    witnesses: new Set(found.map(({ importId }) => importId)).size,
  };
}

function presentKept(
  db: ReadableDatabase,
  { own, other }: RecordPair,
  { field, sql }: KeptList,
): DuplicateField | null {
  const [mine, theirs] = [readKept(db, sql, own.id), readKept(db, sql, other.id)];
  if (!mine && !theirs) return null;
  const lines = mine?.value.split('\n') ?? [];
  const isShared = theirs?.value.split('\n').some((value) => lines.includes(value)) ?? false;
  return {
    field,
    label: fieldLabels[field] ?? field,
    values: [mine, theirs],
    verdict: mine && theirs ? (isShared ? 'agrees' : 'differs') : 'one_side',
    winner: null,
    reason: 'all_kept',
  };
}

function presentJob(db: ReadableDatabase, { own, other }: RecordPair): DuplicateField[] {
  const jobs = findMainJobs(db, own, other);
  if (!jobs) return [];
  return Object.entries(jobFields).flatMap(([name, field]) => {
    const decided = decideField(db, 'employment', jobs.own, jobs.other, field, undefined);
    return presentField(name, decided) ?? [];
  });
}

function presentFields(db: ReadableDatabase, pair: RecordPair): DuplicateField[] {
  const decided = [...decideFields(db, pair, new Map())].flatMap(([field, one]) =>
    field === 'opted_out' ? [] : (presentField(field, one) ?? []),
  );
  const kept = keptLists[pair.kind].flatMap((list) => presentKept(db, pair, list) ?? []);
  const jobs = pair.kind === 'person' ? presentJob(db, pair) : [];
  return [...decided, ...jobs, ...kept];
}

function readPair(db: ReadableDatabase, { kind, one, other }: PairRow): RecordPair {
  return { kind, own: findRecord(db, kind, one), other: findRecord(db, kind, other) };
}

function presentPair(
  db: ReadableDatabase,
  row: PairRow,
  pair: RecordPair,
  fields: readonly DuplicateField[],
): Duplicate {
  const labels = (verdict: DuplicateField['verdict']) =>
    fields.filter((field) => field.verdict === verdict).map(({ label }) => label);
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    probability: Math.min(0.999, row.probability),
    likelihood: likelihoodOf(row.probability),
    records: [describeRecord(db, pair), describeRecord(db, swap(pair))],
    agrees: labels('agrees'),
    differs: labels('differs'),
  };
}

/** A page of pairs. @param isRunning whether a search runs */
function readDuplicates(
  db: ReadableDatabase,
  query: DuplicatesQuery,
  isRunning: boolean,
): DuplicatesPage {
  const duplicates = listPairs(db, query, query).map((row) => {
    const pair = readPair(db, row);
    return presentPair(db, row, pair, presentFields(db, pair));
  });
  const search = presentSearch(getSearch(db), readGeneration(db), isRunning);
  return { duplicates, total: countPairs(db, query), search };
}

/** A pair by id. Throws `not_found`. */
function requirePair(db: ReadableDatabase, id: number): PairRow {
  const row = getPair(db, id);
  if (!row)
    throw notFound(
      `There is no pair ${id}: it was merged, or one of its records is gone or suppressed.`,
    );
  return row;
}

/** The records of a pair, the survivor first. Throws `not_found` and `validation_error`. */
function orderPair(db: ReadableDatabase, row: PairRow, survivor: string | undefined): RecordPair {
  const pair = readPair(db, row);
  if (survivor === undefined)
    return chooseSurvivor(db, row.kind, pair.own, pair.other) === pair.own ? pair : swap(pair);
  if (survivor.toLowerCase() === row.one) return pair;
  if (survivor.toLowerCase() === row.other) return swap(pair);
  throw invalid('survivor: name one of the two records of the pair.');
}

/** A pair with its evidence and the preview of its merge. Throws `not_found`. */
export function readDuplicate(
  db: ReadableDatabase,
  id: number,
  survivor: string | undefined,
): DuplicateDetail {
  const row = requirePair(db, id);
  const pair = orderPair(db, row, survivor);
  const fields = presentFields(db, pair);
  return { ...presentPair(db, row, pair, fields), fields };
}

export function addDuplicateRoutes(server: ApiServer, context: DuplicateRouteDeps): void {
  const { environment } = context;
  const { reader } = environment;
  const presentNow = () => {
    const db = environment.directoryDatabase;
    return presentSearch(getSearch(db), readGeneration(db), reader.isSearchingDuplicates());
  };
  const setDismissed = async (pairId: number, isDismissed: boolean, author: string) => {
    requirePair(environment.directoryDatabase, pairId);
    await reader.dismissDuplicate({ pairId, isDismissed, author });
    return readDuplicate(environment.directoryDatabase, pairId, undefined);
  };
  serve(server, context, duplicates, {
    async search({ wait, ...body }, { request, reply }) {
      if (wait === '1') {
        await context.tasks.run(reader.searchDuplicates(body, whenClientLeaves(request)));
        reply.code(200);
        return presentNow();
      }
      const search = reader.searchDuplicates(body);
      // A refusal, such as a search that already runs, is known at once.
      const begun = new Promise<void>((resolve) => setImmediate(resolve));
      await Promise.race([search, begun]);
      search
        .catch((error: unknown) => {
          if (!(error instanceof EngineError))
            reply.log.error(error, 'a search for duplicates failed');
        })
        .finally(() => context.events.publish({ type: 'duplicates' }, null));
      return presentNow();
    },
    stopSearch() {
      reader.stopDuplicateSearch();
      return presentNow();
    },
    list: (query) =>
      readDuplicates(environment.directoryDatabase, query, reader.isSearchingDuplicates()),
    read: ({ id, survivor }) => readDuplicate(environment.directoryDatabase, id, survivor),
    async merge({ id, survivor, choices }, { caller }) {
      const db = environment.directoryDatabase;
      const { kind, own, other } = orderPair(db, requirePair(db, id), survivor);
      const mergeId = await reader.mergeRecords({
        kind,
        survivor: String(own.uuid),
        other: String(other.uuid),
        choices,
        acrossLegalForms: false,
        author: caller.account.name,
      });
      return presentMergeById(db, mergeId);
    },
    dismiss: ({ id }, { caller }) => setDismissed(id, true, caller.account.name),
    reopen: ({ id }, { caller }) => setDismissed(id, false, caller.account.name),
    merges: (query) => listMerges(environment.directoryDatabase, query),
    async mergeByHand(given, { caller }) {
      const { across_legal_forms: acrossLegalForms, ...records } = given;
      const author = caller.account.name;
      const mergeId = await reader.mergeRecords({ ...records, acrossLegalForms, author });
      return presentMergeById(environment.directoryDatabase, mergeId);
    },
    async undoMerge({ id: mergeId }, { caller }) {
      await reader.undoMerge({ mergeId, author: caller.account.name });
      return presentMergeById(environment.directoryDatabase, mergeId);
    },
  });
}
