// The projection: converts matches to result rows inside SQLite (docs/rules.md, "What the layers
// answer"). A job runs it with the attached directory, a dry run on a separate connection; both use
// the same SELECT.
import { type Candidate, type Reason, reasons } from '../../contract/jobs/job.ts';
import type { LayerCode } from '../../contract/jobs/layers.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { MatchBatch } from '../index/match-batch.ts';
import {
  companyBitsSql,
  companyFieldsSql,
  companyFoundSql,
  contentsSql,
  employmentJoinSql,
  fieldsSql,
  layerBitsSql,
  readsRecord,
} from './projection-fields.ts';
import { companyProvenanceSql, provenanceSql } from './provenance.ts';

export { expandProvenance } from './provenance.ts';

/** Row status of a match whose person or employer was deleted: the row must be matched again. */
export const vanishedStatus = 255;

const suppressedReason = reasons.indexOf('suppressed');

export interface ProjectionOptions {
  readonly schema: 'directory' | 'main';
  readonly layers: readonly LayerCode[];
  /**
   * A table with earlier rows of the same SELECT, by id: rows of a batch may name one to be copied
   * instead of projected. By default there is none.
   */
  readonly copiedFrom?: 'main.result';
}

export interface Projection {
  /**
   * Writes a batch to temp.matched. Row indices start at `firstRowIndex`.
   * @param copiedIds for each row the id in `copiedFrom` of a row with the same person, company and
   *   move, made from the same state of the directory; null if there is none
   */
  load(batch: MatchBatch, firstRowIndex: number, copiedIds?: readonly (number | null)[]): void;
  /**
   * A SELECT over temp.matched without parameters, ordered by row_index, with the columns
   * row_index, status, reason, contact_uuid, layer_bits, fields, confidence, matched_on,
   * candidates, provenance and contents. status and reason are codes of contract/jobs/job.ts, or
   * `vanishedStatus`; contents has a bit for each of rowContents, and is NULL in a copied row.
   */
  readonly selectSql: string;
}

// A row's outcome is packed in one number, because binding values costs more than unpacking it.
const matchedTable = `CREATE TEMP TABLE IF NOT EXISTS matched (
  row_index INTEGER PRIMARY KEY,
  person_id INTEGER NOT NULL,
  company_id INTEGER NOT NULL,
  outcome INTEGER NOT NULL,
  copied_id INTEGER,
  candidates TEXT,
  employment_status INTEGER AS (outcome & 255),
  reason INTEGER AS ((outcome >> 8) & 255),
  confidence REAL AS (((outcome >> 16) & 65535) / 1000.0),
  matched_on INTEGER AS (outcome >> 32)
)`;
const boundColumns = ['person_id', 'company_id', 'outcome', 'copied_id'];
// Rows per INSERT. Binding many at once halves the cost of a row. Only the first row of a statement
// has its index bound; the others follow it.
const rowsPerInsert = 64;

function packOutcome(batch: MatchBatch, at: number): number {
  const confidence = Math.round((batch.confidences[at] ?? 0) * 1000);
  return (
    (batch.employmentStatuses[at] ?? 0) +
    (batch.reasons[at] ?? 0) * 2 ** 8 +
    confidence * 2 ** 16 +
    (batch.matchedOn[at] ?? 0) * 2 ** 32
  );
}

/** Creates temp.matched on the connection, and the statement over it. */
export function createProjection(db: ReadableDatabase, options: ProjectionOptions): Projection {
  db.exec(matchedTable);
  return { load: createLoader(db, options.schema), selectSql: buildSelect(options) };
}

function createLoader(db: ReadableDatabase, schema: string): Projection['load'] {
  const bound = boundColumns.map(() => '?').join(', ');
  const insertOf = (rows: number) =>
    db.prepare(
      `INSERT INTO temp.matched (row_index, ${boundColumns.join(', ')})
       VALUES (?, ${bound})${`, (NULL, ${bound})`.repeat(rows - 1)}`,
    );
  const [insertMany, insertOne] = [insertOf(rowsPerInsert), insertOf(1)];
  const describe = db.prepare('UPDATE temp.matched SET candidates = ? WHERE row_index = ?');
  const clear = db.prepare('DELETE FROM temp.matched');
  // SQLite prepares a statement again for each value of a plain `?`, and none of `? + 0`.
  const readCandidate = db
    .prepare(
      `SELECT p.uuid, trim(p.first_name || ' ' || p.last_name), e.title, c.name
       FROM ${schema}.person p
       LEFT JOIN ${schema}.employment e ON e.id = p.employment_id
       LEFT JOIN ${schema}.company c ON c.id = e.company_id
       WHERE p.id = ? + 0 AND p.suppressed = 0`,
    )
    .raw();
  const readCompany = db
    .prepare(
      `SELECT uuid, name, industry, coalesce(domain, city) FROM ${schema}.company
       WHERE id = ? + 0 AND listed = 0`,
    )
    .raw();
  return (batch, firstRowIndex, copiedIds) => {
    clear.run();
    const insert = (statement: typeof insertMany, first: number, rows: number) => {
      const values: unknown[] = [firstRowIndex + first];
      for (let at = first; at < first + rows; at++)
        values.push(
          batch.personIds[at],
          batch.companyIds[at],
          packOutcome(batch, at),
          copiedIds?.[at] ?? null,
        );
      statement.run(values);
    };
    let at = 0;
    for (; at + rowsPerInsert <= batch.count; at += rowsPerInsert)
      insert(insertMany, at, rowsPerInsert);
    for (; at < batch.count; at++) insert(insertOne, at, 1);
    for (const candidates of batch.candidates) {
      const { row, personIds, scores } = candidates;
      const described = personIds.flatMap((id, rank) => {
        const found = (
          id === 0 ? readCompany.get(candidates.companyIds[rank] ?? 0) : readCandidate.get(id)
        ) as unknown[] | undefined;
        if (!found) return [];
        const fit = [candidates.companyIds, candidates.employmentStatuses, candidates.matchedOn];
        const score = Math.round((scores[rank] ?? 0) * 1000) / 1000;
        return [[...found, score, ...fit.map((values) => values[rank] ?? 0)]];
      });
      if (described.length) describe.run(JSON.stringify(described), firstRowIndex + row);
    }
  };
}

const code = (reason: Reason): number => reasons.indexOf(reason);

/**
 * The columns of a row about a company. Layers about people are not applicable to it; without a
 * layer about companies it has too little data.
 */
function describeCompany(
  schema: string,
  layers: readonly LayerCode[],
  hasOffice: boolean,
): Readonly<Record<'status' | 'reason' | 'uuid' | 'layerBits' | 'fields' | 'provenance', string>> {
  if (!hasOffice)
    return {
      status: '1',
      reason: String(code('too_little_data')),
      uuid: 'NULL',
      layerBits: '0',
      fields: 'NULL',
      provenance: 'NULL',
    };
  const isFound = `(h.listed = 0 AND ${companyFoundSql(layers)})`;
  const whenFound = (sql: string, otherwise = 'NULL') => `iif(${isFound}, ${sql}, ${otherwise})`;
  return {
    status: `CASE WHEN h.id IS NULL THEN ${vanishedStatus} WHEN ${isFound} THEN 0 ELSE 1 END`,
    reason: `CASE WHEN h.listed THEN ${suppressedReason}
      WHEN ${isFound} THEN 0 ELSE ${code('no_match')} END`,
    uuid: whenFound('h.uuid'),
    layerBits: whenFound(companyBitsSql(layers), '0'),
    fields: whenFound(companyFieldsSql(layers)),
    provenance: whenFound(companyProvenanceSql(schema)),
  };
}

function buildSelect({ schema, layers, copiedFrom }: ProjectionOptions): string {
  // Joins on NULL cost nothing: a row that is copied or has no match, or of a person who left,
  // reads nothing more.
  const isProjected = 'm.copied_id IS NULL';
  const office = readsRecord(layers, 'office')
    ? `LEFT JOIN ${schema}.company h
       ON h.id = iif(m.company_id > 0 AND ${isProjected}, m.company_id, e.company_id)`
    : '';
  const isVanished = office ? 'm.company_id > 0 AND h.id IS NULL' : '0';
  // A row about a company has no person; the layers about companies answer for its company.
  const isCompany = '(m.person_id = 0 AND m.company_id > 0)';
  const company = describeCompany(schema, layers, office !== '');
  const whenFound = (sql: string, ofCompany: string, otherwise = 'NULL') =>
    `iif(${isCompany}, ${ofCompany}, iif(p.suppressed = 0, ${sql}, ${otherwise}))`;
  const orCopied = (copied: string, projected: string) =>
    copiedFrom ? `iif(${isProjected}, ${projected}, ${copied})` : projected;
  const status = `CASE WHEN ${isCompany} THEN ${company.status}
    WHEN p.id IS NULL THEN iif(m.person_id = 0, 1, ${vanishedStatus})
    WHEN p.suppressed THEN 1 WHEN ${isVanished} THEN ${vanishedStatus} ELSE 0 END`;
  const reason = `CASE WHEN ${isCompany} THEN ${company.reason} WHEN m.person_id = 0 THEN m.reason
    ELSE iif(p.suppressed, ${suppressedReason}, 0) END`;
  const columns = {
    row_index: 'm.row_index',
    status: orCopied('k.status', status),
    reason: orCopied('k.reason', reason),
    contact_uuid: orCopied('k.contact_uuid', whenFound('p.uuid', company.uuid)),
    layer_bits: orCopied('k.layer_bits', whenFound(layerBitsSql(layers), company.layerBits, '0')),
    fields: orCopied('k.fields', whenFound(fieldsSql(layers), company.fields)),
    confidence: 'm.confidence',
    matched_on: 'm.matched_on',
    candidates: 'm.candidates',
    provenance: orCopied(
      'k.provenance',
      whenFound(provenanceSql(schema, layers), company.provenance),
    ),
    contents: orCopied('NULL', whenFound(contentsSql(layers), '0', '0')),
  };
  const selected = Object.entries(columns).map(([name, sql]) => `${sql} AS ${name}`);
  return `SELECT ${selected.join(',\n  ')}
FROM temp.matched m
${copiedFrom ? `LEFT JOIN ${copiedFrom} k ON k.id = m.copied_id` : ''}
LEFT JOIN ${schema}.person p ON p.id = iif(${isProjected}, m.person_id, NULL)
${employmentJoinSql(schema)}
LEFT JOIN ${schema}.company c ON c.id = e.company_id
${office}
ORDER BY m.row_index`;
}

type StoredCandidate = [
  uuid: string,
  name: string,
  title: string | null,
  company: string | null,
  score: number,
  companyId: number,
  employmentStatus: number,
  matchedOn: number,
  /** Whether the person is of the shared directory; companyId is then of it too. */
  isShared?: true,
];

/** The columns of MatchBatch that a result gets if a candidate is accepted. */
export interface CandidateFit {
  readonly companyId: number;
  readonly employmentStatus: number;
  readonly matchedOn: number;
  readonly isShared: boolean;
}

const readStored = (compact: string | null): StoredCandidate[] =>
  compact === null ? [] : JSON.parse(compact);

/** Parses the candidates column: up to three people that a row may mean, best first. */
export const describeCandidates = (compact: string | null): Candidate[] =>
  readStored(compact).map(([uuid, name, title, company, score]) => ({
    upstream_contact_uuid: uuid,
    name,
    title: title ?? '',
    company_name: company ?? '',
    score,
  }));

/** The fit of the candidate with a UUID in the candidates column; null if there is none. */
export function findCandidateFit(compact: string | null, uuid: string): CandidateFit | null {
  const found = readStored(compact).find(([candidate]) => candidate === uuid);
  if (!found) return null;
  const [, , , , , companyId, employmentStatus, matchedOn, isShared = false] = found;
  return { companyId, employmentStatus, matchedOn, isShared };
}

/** The candidates column of a row that the shared directory answered: its people are of it. */
export const markShared = (compact: string): string =>
  JSON.stringify(readStored(compact).map((stored) => [...stored.slice(0, 8), true]));

/** The candidates column without some people; null if no one is left. */
export function withoutCandidates(
  compact: string | null,
  isLeftOut: (uuid: string) => boolean,
): string | null {
  const kept = readStored(compact).filter(([uuid]) => !isLeftOut(uuid));
  return kept.length === 0 ? null : JSON.stringify(kept);
}
