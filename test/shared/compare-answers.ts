// Compares the answers of the shared directory with those of the index in memory.
import { rowInputFields } from '../../engine/contract/jobs/row-input.ts';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import type { MatchBatch } from '../../engine/directory/index/match-batch.ts';
import { createMatcher } from '../../engine/directory/match/match-rows.ts';
import { defaultMatchThreshold } from '../../engine/directory/match/match-threshold.ts';
import type { ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import type { SharedMatcher } from '../../engine/shared/match-shared.ts';
import { formatRecords } from '../../engine/spreadsheet/format-record.ts';

const mapping = Object.fromEntries(rowInputFields.map((field, at) => [field, at]));

/** Every answer, a line each: what an answer consists of, and its candidates. */
export function listAnswers(batch: MatchBatch): string[] {
  const candidates = new Map(batch.candidates.map((one) => [one.row, one]));
  return Array.from({ length: batch.count }, (_, row) =>
    JSON.stringify([
      batch.personIds[row],
      batch.companyIds[row],
      batch.employmentStatuses[row],
      batch.reasons[row],
      batch.confidences[row],
      batch.matchedOn[row],
      candidates.get(row) ?? null,
    ]),
  );
}

/** The answers of both, for the same rows. */
export async function answerBoth(
  db: ReadableDatabase,
  matcher: SharedMatcher,
  rows: readonly Readonly<Record<string, string>>[],
  batchRows = rows.length,
): Promise<{ embedded: string[]; shared: string[] }> {
  const cells = rows.map((row) => rowInputFields.map((field) => row[field] ?? ''));
  const embedded: string[] = [];
  const shared: string[] = [];
  const inMemory = createMatcher(buildIndex(db));
  for (let from = 0; from < cells.length; from += batchRows) {
    const part = cells.slice(from, from + batchRows);
    const bytes = formatRecords(part);
    const { batch } = await matcher.match(bytes, mapping, defaultMatchThreshold);
    embedded.push(...listAnswers(inMemory.matchRows(bytes, mapping, defaultMatchThreshold)));
    shared.push(...listAnswers(batch));
  }
  return { embedded, shared };
}
