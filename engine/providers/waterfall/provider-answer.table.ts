// `provider_answer` and `provider_tally`: what was answered, and how often a field is found.
import { z } from 'zod';
import { emailStatuses } from '../../contract/jobs/job.ts';
import type { FieldHit, ProviderField } from '../../contract/provider.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { readJson } from '../../platform/sqlite/read-json.ts';
import { statement } from '../../platform/sqlite/statement.ts';

const HitSchema = z.object({
  values: z.record(z.string(), z.string()),
  status: z.enum(emailStatuses).optional(),
  confidence: z.number().nullable(),
  source: z.string().optional(),
});

export interface StoredAnswer {
  readonly field: ProviderField;
  readonly provider: string;
  readonly requestId: number;
  readonly outcome: 'hit' | 'miss' | 'lost' | 'uncertain';
  /** Null unless it is a hit. */
  readonly hit: FieldHit | null;
  /** ISO 8601 in UTC. */
  readonly fetchedAt: string;
}

export function storeAnswer(
  database: WritableDatabase,
  subject: string,
  answer: StoredAnswer,
  keepDays: number | null,
): void {
  const { hit, fetchedAt } = answer;
  const keptUntil =
    keepDays === null ? null : new Date(Date.parse(fetchedAt) + keepDays * 86_400_000);
  const { values, status, confidence, source } = hit ?? {};
  statement(
    database,
    `INSERT OR REPLACE INTO provider_answer (subject, field, provider, request_id, outcome, answer,
       observed_on, fetched_at, kept_until)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    subject,
    answer.field,
    answer.provider,
    answer.requestId,
    answer.outcome,
    hit && JSON.stringify({ values, status, confidence, source }),
    hit?.observedOn ?? null,
    fetchedAt,
    keptUntil?.toISOString() ?? null,
  );
}

/** Answers that may be used at a time. A damaged hit was paid for and is not asked for again. */
export const findAnswers = (
  database: ReadableDatabase,
  subject: string,
  at: string,
): StoredAnswer[] =>
  statement<Omit<StoredAnswer, 'hit'> & { answer: string | null; observedOn: string | null }>(
    database,
    `SELECT field, provider, request_id AS requestId, outcome, answer, observed_on AS observedOn,
       fetched_at AS fetchedAt
     FROM provider_answer WHERE subject = ? AND (kept_until IS NULL OR kept_until > ?)
     ORDER BY field, provider`,
  )
    .all(subject, at)
    .map(({ answer, observedOn, ...stored }) => {
      if (answer === null) return { ...stored, hit: null };
      const hit = readJson(HitSchema.nullable(), answer, null);
      if (!hit) return { ...stored, outcome: 'lost', hit: null };
      return { ...stored, hit: { kind: 'hit', ...(hit as Omit<FieldHit, 'kind'>), observedOn } };
    });

/** Whether any provider has answered anything that is still stored. */
export const hasAnswers = (database: ReadableDatabase): boolean =>
  statement(database, 'SELECT 1 FROM provider_answer LIMIT 1').get() !== undefined;

/** Deletes answers that the terms of their services no longer allow to be kept. */
export const dropExpiredAnswers = (database: WritableDatabase, at: string): number =>
  statement(database, 'DELETE FROM provider_answer WHERE kept_until <= ?').run(at).changes;

export function countAsked(
  database: WritableDatabase,
  provider: string,
  field: ProviderField,
  isHit: boolean,
): void {
  statement(
    database,
    `INSERT INTO provider_tally (provider, field, asked, hits) VALUES (?, ?, 1, ?)
     ON CONFLICT (provider, field) DO UPDATE SET asked = asked + 1, hits = hits + excluded.hits`,
  ).run(provider, field, isHit ? 1 : 0);
}

export interface ProviderTally {
  readonly provider: string;
  readonly field: ProviderField;
  readonly asked: number;
  readonly hits: number;
}

export const listTallies = (database: ReadableDatabase): ProviderTally[] =>
  statement<ProviderTally>(
    database,
    'SELECT provider, field, asked, hits FROM provider_tally ORDER BY provider, field',
  ).all();
