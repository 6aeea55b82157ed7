/**
 * The answer to a batch as bytes: a line of JSON with the number of rows and the candidates, then
 * the columns, little-endian. Both sides check it, because other machines write it.
 */
import { endianness } from 'node:os';
import { z } from 'zod';
import { employmentStatuses, matchReasons } from '../../contract/jobs/job.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';

/** The version of batches and answers. Engines and workers of another one ignore each other. */
export const queueFormat = 1;

const numbers = z.array(z.number()).max(3);
const HeadSchema = z.strictObject({
  count: z.int().min(0),
  candidates: z.array(
    z.strictObject({
      row: z.int().min(0),
      personIds: numbers,
      scores: numbers,
      companyIds: numbers,
      employmentStatuses: numbers,
      matchedOn: numbers,
    }),
  ),
});

const lineEnd = 10;
/** Bytes of the columns for each row. */
const rowBytes = 4 + 4 + 4 + 2 + 1 + 1;

const columnsOf = (batch: MatchBatch) => [
  ...[batch.personIds, batch.companyIds, batch.confidences, batch.matchedOn],
  ...[batch.employmentStatuses, batch.reasons],
];

// Every processor that the product runs on is little-endian.
if (endianness() !== 'LE') throw new Error('answers are written by little-endian processors');

/** Writes an answer. */
export function encodeAnswer(batch: MatchBatch): Buffer {
  const { count, candidates } = batch;
  const columns = columnsOf(batch).map((column) =>
    Buffer.from(column.buffer, column.byteOffset, column.byteLength),
  );
  return Buffer.concat([Buffer.from(`${JSON.stringify({ count, candidates })}\n`), ...columns]);
}

const hasKnownCodes = (batch: MatchBatch): boolean =>
  batch.personIds.every((id) => id >= 0) &&
  batch.confidences.every((confidence) => confidence >= 0 && confidence <= 1) &&
  batch.employmentStatuses.every((code) => code < employmentStatuses.length) &&
  batch.reasons.every((code) => code < matchReasons.length);

/** Reads an answer to a number of rows. Throws an Error if it is not one. */
export function decodeAnswer(bytes: Buffer, rowsExpected: number): MatchBatch {
  const headEnd = bytes.indexOf(lineEnd);
  const head = HeadSchema.parse(JSON.parse(bytes.toString('utf8', 0, headEnd)));
  const { count, candidates } = head;
  if (count !== rowsExpected || bytes.length !== headEnd + 1 + count * rowBytes)
    throw new Error('the answer of a worker has another number of rows');
  if (candidates.some(({ row }) => row >= count))
    throw new Error('the answer of a worker names a row that was not asked about');
  // A copy, because columns of numbers begin at multiples of their size.
  const { buffer } = new Uint8Array(bytes.subarray(headEnd + 1));
  const batch = {
    count,
    personIds: new Int32Array(buffer, 0, count),
    companyIds: new Int32Array(buffer, 4 * count, count),
    confidences: new Float32Array(buffer, 8 * count, count),
    matchedOn: new Uint16Array(buffer, 12 * count, count),
    employmentStatuses: new Uint8Array(buffer, 14 * count, count),
    reasons: new Uint8Array(buffer, 15 * count, count),
    candidates,
  };
  if (!hasKnownCodes(batch)) throw new Error('the answer of a worker has unknown codes');
  return batch;
}
