// Applies a person's decisions about rows that matching left undecided. A pick enriches its row and
// is charged like an enriched row; the charge follows the pick (docs/rules.md, "Reviews").
//
//   waiting ──pick a candidate──> enriched, charged ──pick another──> enriched, charged once
//      │ ^                              │
//      │ └───────────undo───────────────┴──none of them──> decided, returned
//      └──none of them──> decided, free
import { createHash } from 'node:crypto';
import { recordAudit } from '../../audit/record-audit.ts';
import { creditUnits, formatCredits } from '../../contract/credits.ts';
import { type EngineError, invalid } from '../../contract/errors.ts';
import { type Reason, type RowStatus, reasons, rowStatuses } from '../../contract/jobs/job.ts';
import type { Pick, PicksApplied } from '../../contract/jobs/review.ts';
import {
  createProjection,
  describeCandidates,
  findCandidateFit,
  type Projection,
  vanishedStatus,
} from '../../directory/read/projection.ts';
import { type Spending, spendAllowed } from '../../ledger/approve-spending.ts';
import type { Permit } from '../../ledger/key-guard.ts';
import { charge, refund } from '../../ledger/ledger.ts';
import { survivorOf } from '../../ledger/merged-person.table.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { openInput } from '../../spreadsheet/input-folders.ts';
import type { RowsFile } from '../../spreadsheet/read-rows.ts';
import { namesContact, namesRow } from '../../suppression/suppress-rows.ts';
import { readSuppressionList } from '../../suppression/suppression-list.ts';
import { getJob, type JobRow } from '../job.table.ts';
import { countReview } from '../job-charges.table.ts';
import { type DecidedRows, pricePicks } from '../repeats/price-picks.ts';
import { countParts } from '../results/batch-parts.ts';
import { requireFinished } from '../results/export-result.ts';
import { listBatchesBetween, recountBatch } from '../results/job-batch.table.ts';
import {
  overwriteResult,
  type ResultRecord,
  readResults,
  summarizeRange,
} from '../results/result.table.ts';
import { readFields } from '../results/result-fields.ts';
import { batchOf, type Projected } from './chosen-candidate.ts';
import { hashContact } from './contact-hash.ts';
import { putMemory, readReviewKey } from './review-memory.table.ts';
import { countWaiting, deletePick, getPick, type PickRow, putPick } from './review-pick.table.ts';
import type { TeamPicks } from './team-candidates.ts';

export interface PicksCommand extends Spending {
  readonly jobId: string;
  readonly picks: readonly Pick[];
}

interface Sums {
  applied: number;
  chargedUnits: number;
  refundedUnits: number;
  enriched: number;
}

interface Review {
  readonly database: WritableDatabase;
  readonly job: JobRow;
  readonly projection: Projection;
  readonly keyId: string | null;
  readonly at: string;
  readonly sums: Sums;
  readonly decided: DecidedRows;
  readonly team: TeamPicks;
  readonly input: RowsFile;
}

/** The reason of a row that means none of its candidates. */
const noMatch = reasons.indexOf('no_match' satisfies Reason);

const codeOf = (status: RowStatus): number => rowStatuses.indexOf(status);

const refusal = (rowIndex: number, sentence: string): EngineError =>
  invalid(`Row ${rowIndex}: ${sentence} Nothing was applied.`);

/** The result of a row if someone of the team's directory is accepted. */
function projectShared({ database, team }: Review, rowIndex: number, uuid: string): Projected {
  const found = team.get(rowIndex);
  const values = readFields({ fields: found?.fields ?? '{}' });
  // The list may have changed since the person was read.
  if (!found || namesContact(readSuppressionList(database), uuid, values))
    throw refusal(
      rowIndex,
      "the person is no longer in the team's directory. Choose another candidate.",
    );
  return found;
}

const readCompanyId = (database: WritableDatabase, uuid: string): number | undefined =>
  statement<{ id: number }>(database, 'SELECT id FROM directory.company WHERE uuid = ?').get(uuid)
    ?.id;

/** The result of a row if a candidate is accepted. Throws `validation_error`. */
function projectCandidate(review: Review, record: ResultRecord, uuid: string): Projected {
  const { database, projection } = review;
  const { rowIndex } = record;
  const fit = findCandidateFit(record.candidates, uuid);
  if (!fit) throw refusal(rowIndex, `${uuid} is not one of its candidates.`);
  if (fit.isShared) return projectShared(review, rowIndex, uuid);
  const person = statement<{ id: number }>(
    database,
    'SELECT id FROM directory.person WHERE uuid = ?',
  ).get(survivorOf(database, uuid));
  const gone = 'the record is no longer in the directory. Choose another candidate.';
  const company = person ? undefined : readCompanyId(database, uuid);
  if (!person && company === undefined) throw refusal(rowIndex, gone);
  const chosen = company === undefined ? fit : { ...fit, companyId: company };
  projection.load(batchOf(person?.id ?? 0, chosen), rowIndex);
  const found = statement<Projected>(database, projection.selectSql).get();
  if (!found || found.status === vanishedStatus || found.contact_uuid === null)
    throw refusal(rowIndex, gone);
  return found;
}

/** Writes the outcome of a row. Its price follows once all decisions are written. */
function writeOutcome(
  review: Review,
  record: ResultRecord,
  pick: PickRow | null,
  uuid: string | null,
  isUndo: boolean,
): void {
  const { database, job } = review;
  const id = job.resultBase + record.rowIndex;
  if (uuid === null) {
    overwriteResult(database, id, {
      status: codeOf('skipped'),
      reason: isUndo ? (pick?.openReason ?? record.reason) : noMatch,
      contactUuid: null,
      layerBits: 0,
      fields: null,
      provenance: null,
      error: null,
      confidence: pick?.openConfidence ?? record.confidence,
    });
    return;
  }
  const found = projectCandidate(review, record, uuid);
  overwriteResult(database, id, {
    status: codeOf('enriched'),
    reason: 0,
    contactUuid: found.contact_uuid,
    layerBits: found.layer_bits,
    fields: found.fields,
    // A person decided, so the match is certain.
    confidence: 1,
    provenance: found.provenance,
    error: null,
  });
}

function noteDecision(
  { database, decided: { oldUnits, people } }: Review,
  rowIndex: number,
  pick: PickRow | null,
  uuid: string | null,
): void {
  if (!oldUnits.has(rowIndex)) oldUnits.set(rowIndex, pick?.priceUnits ?? 0);
  for (const person of [pick?.contactUuid, uuid])
    if (person) people.add(survivorOf(database, person));
}

const noFit = { companyId: 0, employmentStatus: 0, matchedOn: 0, isShared: false };

/** Remembers the decision about a row for later jobs of the account. An undo deletes it again. */
function remember({ database, job, input }: Review, record: ResultRecord, uuid: string | null) {
  const { rowIndex, candidates } = record;
  const row = input.readRange(rowIndex, 1)[0] ?? [];
  const contactHash = hashContact(readReviewKey(database), row, job.mapping);
  if (contactHash === null) return;
  const fit = uuid === null ? null : findCandidateFit(candidates, uuid);
  const { companyId, employmentStatus, matchedOn, isShared } = fit ?? noFit;
  putMemory(database, {
    accountId: job.accountId,
    contactHash,
    jobId: job.id,
    rowIndex,
    employmentStatus,
    matchedOn,
    // The ids of the team's companies mean others here.
    companyId: isShared ? 0 : companyId,
    offered: describeCandidates(candidates).map((one) => one.upstream_contact_uuid),
  });
}

/** Applies one decision. Throws `validation_error` if the row cannot be decided. */
function applyPick(review: Review, decision: Pick): void {
  const { database, job, sums, keyId, at, input } = review;
  const rowIndex = decision.row_index;
  if (rowIndex >= job.totalRows) throw refusal(rowIndex, `the job has ${job.totalRows} rows.`);
  const [record] = readResults(database, {
    resultBase: job.resultBase,
    firstRow: rowIndex,
    count: 1,
  });
  const row = input.readRange(rowIndex, 1)[0] ?? [];
  if (namesRow(readSuppressionList(database), row, job.mapping))
    throw refusal(rowIndex, 'it is suppressed.');
  const pick = getPick(database, job.id, rowIndex);
  const isWaiting = record?.candidates && record.status === codeOf('skipped');
  if (!record || (!pick && !isWaiting))
    throw refusal(rowIndex, 'it does not wait for a decision. List the rows that do.');
  const isUndo = 'undo' in decision;
  const uuid = isUndo ? null : decision.contact_uuid;
  if (isUndo ? !pick : pick && pick.contactUuid === uuid) return;
  writeOutcome(review, record, pick, uuid, isUndo);
  noteDecision(review, rowIndex, pick, uuid);
  sums.applied += 1;
  sums.enriched += Number(uuid !== null) - Number(pick !== null && pick.contactUuid !== null);
  if (isUndo) {
    deletePick(database, job.id, rowIndex);
    return;
  }
  putPick(database, job.id, {
    rowIndex,
    contactUuid: uuid,
    priceUnits: creditUnits(0),
    keyId,
    at,
    openReason: pick?.openReason ?? record.reason,
    openConfidence: pick?.openConfidence ?? record.confidence,
  });
  remember(review, record, uuid);
}

function recountBatches({ database, job }: Review, rows: readonly number[]): void {
  const seen = new Set<number>();
  for (const row of rows) {
    const [batch] = listBatchesBetween(database, job.id, { firstRow: row, lastRow: row });
    if (!batch || seen.has(batch.firstRow)) continue;
    seen.add(batch.firstRow);
    const firstId = job.resultBase + batch.firstRow;
    const lastId = firstId + batch.rowCount - 1;
    const { statuses, facts } = summarizeRange(database, firstId, lastId);
    const countOf = (status: RowStatus) =>
      statuses.reduce((sum, code) => sum + Number(code === codeOf(status)), 0);
    recountBatch(database, {
      jobId: job.id,
      firstRow: batch.firstRow,
      enriched: countOf('enriched'),
      skipped: countOf('skipped'),
      parts: countParts(statuses),
      facts,
    });
  }
}

/** Charges and refunds the changes of the decisions. Throws what `charge` throws. */
function settle({ database, job, sums, keyId, at }: Review, permit: Permit): void {
  const subject = { kind: 'review', id: job.uuid } as const;
  const { chargedUnits, refundedUnits } = sums;
  if (refundedUnits > 0)
    refund(database, job.accountId, creditUnits(refundedUnits), subject, at, keyId);
  charge(database, job.accountId, creditUnits(chargedUnits), subject, at, keyId, permit);
}

function recordDecisions({ database, job, sums, keyId, at }: Review): void {
  const { applied: rows, chargedUnits, refundedUnits } = sums;
  const { accountId, uuid: subject } = job;
  const units = creditUnits(chargedUnits);
  const details = refundedUnits > 0 ? { refunded: formatCredits(creditUnits(refundedUnits)) } : {};
  const note = { action: 'review_decided', at, accountId, keyId, subject, rows, units } as const;
  recordAudit(database, { ...note, details });
}

const fingerprintOf = ({ jobId, picks }: PicksCommand): string =>
  createHash('sha256')
    .update(JSON.stringify([jobId, picks]))
    .digest('hex');

/**
 * Applies decisions about rows of a completed job, all of them or none. A repeated decision changes
 * nothing and is free. Throws `not_found`, `not_ready`, `job_cancelled`, the job's own error,
 * `validation_error` if a row or a person cannot be chosen, `insufficient_credits`,
 * `spending_cap_reached` and `approval_required`.
 * @param team the results of rows for which someone of the team's directory is chosen
 */
export function applyPicks(
  database: WritableDatabase,
  folder: string,
  command: PicksCommand,
  now: Date,
  team: TeamPicks = new Map(),
): PicksApplied {
  const sums: Sums = { applied: 0, chargedUnits: 0, refundedUnits: 0, enriched: 0 };
  const job = requireFinished(getJob(database, command.accountId, command.jobId));
  const input = openInput(folder, job.uuid, job.totalRows);
  try {
    spendAllowed(database, command, fingerprintOf(command), now, (permit) => {
      const projection = createProjection(database, { schema: 'directory', layers: job.codes });
      const { keyId } = command;
      const decided = { oldUnits: new Map<number, number>(), people: new Set<string>() };
      const at = now.toISOString();
      const review = { database, job, projection, keyId, sums, decided, input, at, team };
      for (const decision of command.picks) applyPick(review, decision);
      if (sums.applied === 0) return;
      const { duplicates, paidBefore, ...units } = pricePicks(database, job, decided);
      Object.assign(sums, units);
      settle(review, permit);
      recordDecisions(review);
      countReview(database, job.id, {
        enriched: sums.enriched,
        units: sums.chargedUnits - sums.refundedUnits,
        duplicates,
        paidBefore,
      });
      recountBatches(
        review,
        command.picks.map((decision) => decision.row_index),
      );
    });
  } finally {
    input.close();
  }
  return {
    applied: sums.applied,
    credits_charged: formatCredits(creditUnits(sums.chargedUnits)),
    credits_refunded: formatCredits(creditUnits(sums.refundedUnits)),
    remaining: countWaiting(database, job),
  };
}
