/** Pipelines and email validations as kinds of retention. */
import {
  clearDeletedPipelines,
  listEndedPipelines,
  markPipelineDeleted,
} from '../pipelines/deleted-pipeline.table.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import {
  clearDeletedValidations,
  listEndedValidations,
  markValidationDeleted,
} from '../validations/deleted-validation.table.ts';
import { measureInput } from './due-jobs.ts';
import { type KindRules, sumFound } from './kind-rules.ts';

/** Bytes of a stored contact, and of a verdict: means of typical ones. */
const contactBytes = 300;
const verdictBytes = 50;

export const pipelineRules: KindRules = {
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

export const validationRules: KindRules = {
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
