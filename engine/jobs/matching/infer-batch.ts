// Infers the work emails that the people of a batch lack, after the directory and the providers
// were asked (docs/rules.md, "Inferred emails"). The batch's transaction writes them.
import { setImmediate as yieldThread } from 'node:timers/promises';
import { rowStatuses } from '../../contract/jobs/job.ts';
import type { ValidationReason } from '../../contract/validations.ts';
import {
  createEmailInference,
  isKnownAddress,
} from '../../directory/email-patterns/infer-emails.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import type { SuppressionList } from '../../suppression/suppression-list.ts';
import type { JobRow } from '../job.table.ts';
import { compactInferred, type NewInferredEmail } from '../results/inferred-email.ts';
import { readResults, setInferredEmail } from '../results/result.table.ts';
import { readFields } from '../results/result-fields.ts';
import type { ReadyAnswers } from './enrich-batch.ts';

/** Checks addresses and their domains, without a charge. Never rejects because of the network. */
export type CheckEmails = (emails: readonly string[]) => Promise<{
  /** One for each address, in order. */
  readonly reasons: readonly ValidationReason[];
  /** Stores what is now known about the domains. Call inside a transaction. */
  keep(): void;
}>;

interface InferDeps {
  /** The writing connection, with the directory attached as `directory`. */
  readonly database: WritableDatabase;
  /** Without it, nothing is inferred. */
  readonly checkEmails?: CheckEmails | undefined;
  now(): Date;
  /** True when the engine is stopping: no batch is written any more. */
  isStopping(): boolean;
}

export interface InferredRows {
  readonly rows: readonly { readonly position: number; readonly inferred: NewInferredEmail }[];
  /** Stores what is now known about their domains. */
  keep(): void;
}

export type InferBatch = (
  batch: MatchBatch,
  completions: ReadyAnswers | null | undefined,
) => Promise<InferredRows>;

const enriched = rowStatuses.indexOf('enriched');

/** Rows after which other work of the thread gets a turn. */
const yieldRows = 100;

const none: InferredRows = { rows: [], keep: () => undefined };

/**
 * What the check of an address says about its domain. Null: the address is not proposed, because
 * its domain takes no mail, or because it is known as invalid, disposable or a role's.
 */
const checkOfReason: Partial<Record<ValidationReason, NewInferredEmail['domain_check']>> = {
  domain_accepts_mail: 'accepts_mail',
  domain_not_answering: 'unchecked',
  network_unavailable: 'unchecked',
  network_unreliable: 'unchecked',
};

/** Positions of rows for which a provider found an email. */
function listAnswered(completions: ReadyAnswers | null | undefined): ReadonlySet<number> {
  const answered = (completions?.positions ?? []).filter((_position, nth) => {
    const answer = completions?.answers[nth];
    return answer?.kind === 'found' && answer.contact.values.Email !== undefined;
  });
  return new Set(answered);
}

/** Creates the inference of a job; null if the job does not infer emails. */
export function openInference(
  { database, checkEmails, now, isStopping }: InferDeps,
  job: Pick<JobRow, 'inferEmails' | 'codes'>,
): InferBatch | null {
  if (!job.inferEmails || !checkEmails || !job.codes.includes('L1')) return null;
  const inference = createEmailInference(database, 'directory');
  return async (batch, completions) => {
    const answered = listAnswered(completions);
    const found: Omit<NewInferredEmail, 'domain_check'>[] = [];
    const positions: number[] = [];
    const day = now().toISOString().slice(0, 10);
    for (let position = 0; position < batch.count; position += 1) {
      const personId = batch.personIds[position] ?? 0;
      if (personId === 0 || answered.has(position)) continue;
      if (isStopping()) return none;
      if (position % yieldRows === 0) await yieldThread();
      const inferred = await inference.infer(personId);
      if (!inferred) continue;
      const { of: compared, ...rest } = inferred;
      found.push({ ...rest, compared, inferred_on: day });
      positions.push(position);
    }
    if (found.length === 0) return none;
    const { reasons, keep } = await checkEmails(found.map(({ email }) => email));
    const rows = found.flatMap((inferred, at) => {
      const check = reasons[at] && checkOfReason[reasons[at]];
      const position = positions[at];
      if (check === undefined || position === undefined) return [];
      return [{ position, inferred: { ...inferred, domain_check: check } }];
    });
    return { rows, keep };
  };
}

/**
 * Writes the inferred emails of rows that are enriched and have no email. Call inside the batch's
 * transaction, after its results and the answers of providers. An address that the directory has
 * meanwhile, or that is suppressed, is not written.
 */
export function writeInferred(
  database: WritableDatabase,
  job: Pick<JobRow, 'resultBase'> & { readonly firstRow: number },
  { rows, keep }: InferredRows,
  list: SuppressionList,
): void {
  keep();
  for (const { position, inferred } of rows) {
    const firstRow = job.firstRow + position;
    const [stored] = readResults(database, { resultBase: job.resultBase, firstRow, count: 1 });
    if (stored?.status !== enriched || readFields(stored).Email) continue;
    if (isKnownAddress(database, 'directory', inferred.email)) continue;
    if (list.hasEmail(inferred.email)) continue;
    setInferredEmail(database, job.resultBase + firstRow, compactInferred(inferred));
  }
}
