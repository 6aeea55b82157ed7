/** The rules of every kind, and the times before which items of it are due. */
import { listAccounts } from '../accounts/account.table.ts';
import type {
  DueItems,
  EffectiveRetention,
  RetentionKind,
  RetentionPolicy,
} from '../contract/retention/retention.ts';
import {
  clearDeletedPipelines,
  listEndedPipelines,
  markPipelineDeleted,
} from '../pipelines/deleted-pipeline.table.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import {
  clearDeletedValidations,
  listEndedValidations,
  markValidationDeleted,
} from '../validations/deleted-validation.table.ts';
import { createJobRules, measureInput } from './due-jobs.ts';
import { answerRules, backupRules, deliveryRules, monitorRules, toolRules } from './due-records.ts';
import { readRetention } from './effective-days.ts';
import { type DueScope, type KindRules, sumFound } from './kind-rules.ts';

/** Bytes of a stored contact, and of a verdict: means of typical ones. */
const contactBytes = 300;
const verdictBytes = 50;

const pipelineRules: KindRules = {
  find: (database, folder, { accountId, before }) =>
    sumFound(
      listEndedPipelines(database, accountId, before).map(({ uuid, total, completedAt }) => ({
        at: completedAt,
        kept: null,
        bytes: measureInput(folder, uuid) + total * contactBytes,
      })),
    ),
  *remove({ database, folder, count }, { accountId, before, at }) {
    for (const { id } of listEndedPipelines(database, accountId, before)) {
      inTransaction(database, () => {
        markPipelineDeleted(database, id, at);
        count(1);
      });
      yield;
      yield* clearDeletedPipelines(database, folder);
    }
  },
};

const validationRules: KindRules = {
  find: (database, _folder, { accountId, before }) =>
    sumFound(
      listEndedValidations(database, accountId, before).map(({ totalEmails, completedAt }) => ({
        at: completedAt,
        kept: null,
        bytes: totalEmails * verdictBytes,
      })),
    ),
  *remove({ database, count }, { accountId, before, at }) {
    for (const { id } of listEndedValidations(database, accountId, before)) {
      inTransaction(database, () => {
        markValidationDeleted(database, id, at);
        count(1);
      });
      yield;
      yield* clearDeletedValidations(database);
    }
  },
};

/** The rules of a kind; null if the run does not delete it. */
const rulesByKind: Readonly<Record<RetentionKind, KindRules | null>> = {
  jobs: createJobRules('enrichment'),
  pipelines: pipelineRules,
  validations: validationRules,
  monitor_jobs: monitorRules,
  webhook_deliveries: deliveryRules,
  tool_activity: toolRules,
  provider_answers: answerRules,
  backups: backupRules,
  // The HTTP server removes them (http/upload-store.ts).
  uploads: null,
};

const dayMs = 86_400_000;

/** When items of a kind must have ended to be due. */
const scopeOf = (accountId: number, days: number, now: Date): DueScope => ({
  accountId,
  before: new Date(now.getTime() - days * dayMs).toISOString(),
  at: now.toISOString(),
});

/** What is due for an account at its days, kind by kind. */
export const findDue = (
  database: ReadableDatabase,
  folder: string,
  query: {
    readonly accountId: number;
    readonly kinds: readonly Pick<EffectiveRetention, 'kind' | 'days'>[];
    readonly now: Date;
  },
): DueItems[] =>
  query.kinds.flatMap(({ kind, days }) => {
    const rules = rulesByKind[kind];
    if (rules === null) return [];
    if (days === null)
      return { kind, days, items: 0, bytes: 0, oldest: null, newest: null, kept: [] };
    const found = rules.find(database, folder, scopeOf(query.accountId, days, query.now));
    return { kind, days, ...found, kept: [...found.kept] };
  });

/** A kind whose items of an account, or of the folder, are deleted. */
export interface DueKind {
  readonly kind: RetentionKind;
  readonly rules: KindRules;
  readonly scope: DueScope;
}

/** Everything that is deleted after days, of all accounts. Kinds of the folder come once. */
export function listDueKinds(
  database: ReadableDatabase,
  policy: RetentionPolicy,
  now: Date,
): DueKind[] {
  const [first] = listAccounts(database);
  return listAccounts(database).flatMap((account) =>
    readRetention(database, account.id, policy).flatMap(({ kind, scope, days }) => {
      const rules = rulesByKind[kind];
      if (rules === null || days === null) return [];
      if (scope === 'folder' && account !== first && account.id !== first?.id) return [];
      return { kind, rules, scope: scopeOf(account.id, days, now) };
    }),
  );
}

/** Whether anything is deleted after days that a person or an organisation has set. */
export const hasDays = (database: ReadableDatabase, policy: RetentionPolicy): boolean =>
  listAccounts(database).some(({ id }) =>
    readRetention(database, id, policy).some(
      ({ days, source }) => days !== null && source !== 'product',
    ),
  );
