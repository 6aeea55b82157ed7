// Answers rows of a batch as a person decided about the same contact in an earlier job of the
// account (docs/rules.md, "Reviews"). The rows are then written and charged as any other.
import { employmentStatuses, matchReasons } from '../../contract/jobs/job.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import type { SharedDecision } from '../../shared/queue/ask-shared.ts';
import { parseRecords } from '../../spreadsheet/read-rows.ts';
import type { JobRow } from '../job.table.ts';
import { hashContact } from './contact-hash.ts';
import {
  findMemories,
  hasMemory,
  type Memory,
  type Recall,
  readReviewKey,
} from './review-memory.table.ts';
import { presentDecision } from './review-pick.table.ts';

const noMatch = matchReasons.indexOf('no_match');
const statusCode = {
  Current: employmentStatuses.indexOf('Current'),
  Changed: employmentStatuses.indexOf('Changed'),
  Left: employmentStatuses.indexOf('Left'),
} as const;

function statusOf({ hasJob, isThere, companyId, employmentStatus }: Memory): number {
  if (!hasJob) return statusCode.Left;
  if (companyId > 0) return isThere ? statusCode.Current : statusCode.Changed;
  return employmentStatus === statusCode.Current ? statusCode.Current : statusCode.Changed;
}

/** Whether the batch names only people that the decision excluded. */
function isDecided(batch: MatchBatch, at: number, offered: ReadonlySet<number>): boolean {
  const person = batch.personIds[at] ?? 0;
  if (person !== 0) return offered.has(person);
  const candidates = batch.candidates.find(({ row }) => row === at)?.personIds ?? [];
  return candidates.every((candidate) => offered.has(candidate));
}

/** Applies a decision to a row of the batch. Returns false if it does not apply any more. */
function recallRow(batch: MatchBatch, at: number, memory: Memory): boolean {
  const { contactUuid, personId, companyId, openConfidence, matchedOn } = memory;
  if (contactUuid !== null) {
    if (personId === null) return false;
    batch.personIds[at] = personId;
    batch.companyIds[at] = companyId;
    batch.employmentStatuses[at] = statusOf(memory);
    batch.reasons[at] = 0;
    // A person decided, so the match is certain.
    batch.confidences[at] = 1;
    batch.matchedOn[at] = matchedOn;
    return true;
  }
  if (!isDecided(batch, at, new Set(JSON.parse(memory.offeredIds) as number[]))) return false;
  batch.personIds[at] = 0;
  batch.companyIds[at] = 0;
  batch.employmentStatuses[at] = 0;
  batch.reasons[at] = noMatch;
  batch.confidences[at] = openConfidence;
  batch.matchedOn[at] = 0;
  return true;
}

/** The record that an earlier decision answered a row. */
export const presentRecall = (memory: Memory, rowIndex: number): Recall => ({
  rowIndex,
  isNone: memory.contactUuid === null,
  ...presentDecision(memory),
});

/** The decisions about rows that the shared directory is asked about, for people of it. */
export const listDecisions = (
  elsewhere: Recalled['elsewhere'],
  positions: readonly number[],
): SharedDecision[] =>
  positions.flatMap((at, position) => {
    const memory = elsewhere.get(at);
    if (!memory || memory.contactUuid === null) return [];
    const { contactUuid, employmentStatus, matchedOn } = memory;
    return [{ position, contactUuid, employmentStatus, matchedOn }];
  });

export interface Recalled {
  readonly recalls: readonly Recall[];
  /** Decisions for people that the directory lacks, by the position of their row. */
  readonly elsewhere: ReadonlyMap<number, Memory>;
}

const nothing: Recalled = { recalls: [], elsewhere: new Map() };

/**
 * Changes the rows of a batch that a person decided about. One query for the batch, none if the
 * account has decided nothing.
 * @param database a connection with the directory attached
 * @param bytes the rows of the batch
 */
export function recallDecisions(
  database: ReadableDatabase,
  job: Pick<JobRow, 'accountId' | 'mapping'>,
  batch: MatchBatch,
  { firstRow, bytes }: { readonly firstRow: number; readonly bytes: Uint8Array },
): Recalled {
  if (!hasMemory(database, job.accountId)) return nothing;
  const key = readReviewKey(database);
  const hashes = parseRecords(bytes).map((row) => hashContact(key, row, job.mapping));
  const asked = [...new Set(hashes)].filter((hash) => hash !== null);
  const memories = new Map(
    findMemories(database, job.accountId, asked).map((memory) => [memory.contactHash, memory]),
  );
  if (memories.size === 0) return nothing;
  const elsewhere = new Map<number, Memory>();
  const recalls = hashes.flatMap((hash, at) => {
    const memory = hash === null ? undefined : memories.get(hash);
    if (!memory) return [];
    if (memory.contactUuid !== null && memory.personId === null) elsewhere.set(at, memory);
    return recallRow(batch, at, memory) ? [presentRecall(memory, firstRow + at)] : [];
  });
  return { recalls, elsewhere };
}
