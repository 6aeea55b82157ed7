// The answer to a batch as bytes: a line of JSON with the number of rows and the candidates, then
// the columns, little-endian. Both sides check it, because other machines write it.
import { endianness } from 'node:os';
import { z } from 'zod';
import { employmentStatuses, matchFields, matchReasons } from '../../contract/jobs/job.ts';
import { candidatesMax } from '../../contract/limits/directory.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';

/** The version of batches and answers. Engines and workers of another one ignore each other. */
export const queueFormat = 1;

const idMax = 2 ** 31 - 1;
const perCandidate = <Value extends z.ZodType>(value: Value) =>
  z.array(value).min(1).max(candidatesMax);
const CandidatesSchema = z
  .strictObject({
    row: z.int().min(0),
    personIds: perCandidate(z.int().min(1).max(idMax)),
    scores: perCandidate(z.number().min(0).max(1)),
    companyIds: perCandidate(z.int().min(0).max(idMax)),
    employmentStatuses: perCandidate(
      z
        .int()
        .min(1)
        .max(employmentStatuses.length - 1),
    ),
    matchedOn: perCandidate(
      z
        .int()
        .min(0)
        .max(2 ** matchFields.length - 1),
    ),
  })
  .refine(({ row, ...columns }) =>
    Object.values(columns).every(({ length }) => length === columns.personIds.length),
  );
const HeadSchema = z.strictObject({
  count: z.int().min(0),
  candidates: z
    .array(CandidatesSchema)
    .refine((all) => new Set(all.map(({ row }) => row)).size === all.length),
});

const lineEnd = 10;
/** Bytes of the columns for each row. */
const rowBytes = 4 + 4 + 4 + 2 + 1 + 1;

/** More than the line needs by itself, and for the candidates of each row. */
const headBytesMax = { line: 64, row: 320 } as const;

export const answerBytesMax = (count: number): number =>
  headBytesMax.line + count * (headBytesMax.row + rowBytes);

const columnsOf = (batch: MatchBatch) => [
  batch.personIds,
  batch.companyIds,
  batch.confidences,
  batch.matchedOn,
  batch.employmentStatuses,
  batch.reasons,
];

// Every processor that the product runs on is little-endian.
if (endianness() !== 'LE') throw new Error('answers are written by little-endian processors');

export function encodeAnswer(batch: MatchBatch): Buffer {
  const { count, candidates } = batch;
  const columns = columnsOf(batch).map((column) =>
    Buffer.from(column.buffer, column.byteOffset, column.byteLength),
  );
  return Buffer.concat([Buffer.from(`${JSON.stringify({ count, candidates })}\n`), ...columns]);
}

/** Reasons that a service has, and no matcher. */
const sourceError = matchReasons.indexOf('source_error');

const hasKnownCodes = (batch: MatchBatch): boolean =>
  batch.personIds.every((id) => id >= 0) &&
  batch.companyIds.every((id) => id >= 0) &&
  batch.confidences.every((confidence) => confidence >= 0 && confidence <= 1) &&
  batch.matchedOn.every((bits) => bits < 2 ** matchFields.length) &&
  batch.employmentStatuses.every((code) => code < employmentStatuses.length) &&
  batch.reasons.every((code) => code < matchReasons.length && code !== sourceError) &&
  // Either a person or a reason.
  batch.reasons.every((code, row) => (code === 0) === batch.personIds[row]! > 0) &&
  batch.employmentStatuses.every((code, row) => code > 0 === batch.personIds[row]! > 0) &&
  batch.candidates.every(({ row }) => row < batch.count && batch.personIds[row] === 0);

/** Reads an answer to a number of rows. Throws an Error if it is not one. */
export function decodeAnswer(bytes: Buffer, rowsExpected: number): MatchBatch {
  if (bytes.length > answerBytesMax(rowsExpected))
    throw new Error('the answer of a worker is too long');
  const headEnd = bytes.indexOf(lineEnd);
  const text = bytes.toString('utf8', 0, headEnd);
  const head = HeadSchema.parse(JSON.parse(text));
  if (JSON.stringify(head) !== text) throw new Error('the answer of a worker has more in its line');
  const { count, candidates } = head;
  if (count !== rowsExpected || bytes.length !== headEnd + 1 + count * rowBytes)
    throw new Error('the answer of a worker has another number of rows');
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
