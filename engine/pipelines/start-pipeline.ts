// Starts a pipeline: its row, its people and the idempotency record are written in one transaction.
import { randomUUID } from 'node:crypto';
import { getAccountById } from '../accounts/account.table.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { CreditUnits } from '../contract/credits.ts';
import type { Command } from '../contract/endpoints.ts';
import { EngineError } from '../contract/errors.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { PipelinePreview, pipelines } from '../contract/pipelines/app-pipelines.ts';
import type { PipelineKind, StartedPipeline } from '../contract/pipelines/pipeline.ts';
import { type Spending, spendAllowed } from '../ledger/approve-spending.ts';
import { findReplay, rememberIdempotent } from '../ledger/idempotency.ts';
import { authoriseSpending, type Permit } from '../ledger/key-guard.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { adoptInput, dropInput } from '../spreadsheet/input-folders.ts';
import { priceValidation } from '../validations/validate-emails.ts';
import {
  getPipeline,
  insertPipeline,
  type NewPipelineRow,
  type PipelineRow,
  requirePipelineById,
} from './pipeline.table.ts';
import { priceAuthorised } from './price-pipeline.ts';

// The commands that start and cancel a pipeline, to the writer thread. Each may reject with an
// EngineError.

export interface KnownContact {
  readonly uuid: string;
  readonly has: Readonly<Record<PipelineKind, boolean>>;
}

export type PipelineSubject =
  | {
      readonly source: 'contacts';
      readonly input: { readonly dir: string; readonly rowCount: number };
      readonly mapping: ColumnMapping;
    }
  | {
      readonly source: 'uuids';
      readonly uuids: readonly string[];
      /** Those of a dry run's sample that only the team's directory has. */
      readonly team?: readonly KnownContact[];
    }
  /** person.id of the directory, from a search. */
  | { readonly source: 'people'; readonly personIds: readonly number[] };

export interface PipelineCommand extends Spending {
  readonly title: string;
  readonly subject: PipelineSubject;
  /** In the order in which credits are spent on a contact. */
  readonly kinds: readonly PipelineKind[];
  readonly verifyEmails: boolean;
  readonly idempotency: { readonly keyScope: string; readonly key: string } | null;
  /** SHA-256 of everything that must be identical in a repeat. */
  readonly fingerprint: string;
}

/** `replayed`: an earlier request with the same idempotency key started this pipeline. */
export interface PipelineAnswer {
  readonly data: StartedPipeline;
  readonly replayed: boolean;
}

export interface PipelineCalls {
  /** Refuses what the key may not spend. Nothing is held until all contacts are looked up. */
  startPipeline(command: PipelineCommand): Promise<PipelineAnswer>;
  'pipelines.cancel': Command<typeof pipelines.cancel>;
}

export interface PipelinePreviewRequest {
  readonly accountId: number;
  readonly subject: PipelineSubject;
  readonly kinds: readonly PipelineKind[];
  /** Price of verifying an email; 0 if emails are not verified. */
  readonly verifyPriceUnits: CreditUnits;
  readonly threshold: number;
}

/** Calls to the reader thread. Each may reject with an EngineError. */
export interface PipelineReads {
  /** A dry run over the contacts of a pipeline, for the values it would unlock. Stores nothing. */
  previewPipeline(command: Omit<PipelinePreviewRequest, 'threshold'>): Promise<PipelinePreview>;
}

const describeStarted = ({ uuid, status }: PipelineRow): StartedPipeline => ({
  pipeline_id: uuid,
  status,
});

/** The contacts of a pipeline as they are stored. Duplicate UUIDs are one contact. */
function keepSubject(
  subject: PipelineSubject,
): Pick<NewPipelineRow, 'source' | 'mapping' | 'total' | 'subjects'> {
  const { source } = subject;
  if (source === 'contacts')
    return { source, mapping: subject.mapping, total: subject.input.rowCount };
  const subjects = source === 'uuids' ? [...new Set(subject.uuids)] : subject.personIds;
  return { source, mapping: {}, total: subjects.length, subjects };
}

function insertOrder(
  database: WritableDatabase,
  { accountId, keyId, title, kinds, ...command }: PipelineCommand,
  uuid: string,
  permit: Permit,
  at: string,
): PipelineRow {
  const account = getAccountById(database, accountId);
  if (!account) throw new Error(`no account ${accountId}`);
  const subject = keepSubject(command.subject);
  const verifyPriceUnits = command.verifyEmails ? priceValidation(database, accountId) : null;
  const wish = { kinds, verifyPriceUnits };
  const mostUnits = priceAuthorised(database, { accountId, keyId }, wish, subject);
  const id = insertPipeline(database, {
    uuid,
    accountId,
    keyId,
    title,
    kinds,
    verifyPriceUnits,
    createdAt: at,
    authorisedUnits: authoriseSpending(database, keyId, mostUnits, permit, at),
    ...subject,
    matchThreshold: account.matchThreshold,
  });
  return requirePipelineById(database, id);
}

/**
 * Queues a pipeline. The caller's rows are on disk before it exists. Charges and holds nothing.
 * Throws `validation_error` if email validation is switched off, `idempotency_conflict`, and
 * `spending_cap_reached` and `approval_required` if its key may not spend the maximum cost; a
 * refusal leaves nothing behind.
 */
export function startPipeline(
  database: WritableDatabase,
  folder: string,
  command: PipelineCommand,
  now: Date,
): PipelineAnswer {
  const { accountId, subject, idempotency, fingerprint } = command;
  const earlier = findReplay(database, idempotency, fingerprint, now);
  if (earlier !== null) {
    const row = getPipeline(database, accountId, earlier);
    if (!row) throw new EngineError('idempotency_conflict');
    return { data: describeStarted(row), replayed: true };
  }
  const at = now.toISOString();
  const uuid = randomUUID();
  if (subject.source === 'contacts') adoptInput(folder, uuid, subject.input.dir);
  try {
    return spendAllowed(database, command, fingerprint, now, (permit) => {
      const row = insertOrder(database, command, uuid, permit, at);
      recordAudit(database, {
        action: 'pipeline_started',
        at,
        accountId,
        keyId: command.keyId,
        subject: uuid,
        rows: row.total,
        details: { values: command.kinds.join(' ') },
      });
      if (idempotency)
        rememberIdempotent(database, { ...idempotency, fingerprint, jobUuid: uuid, at });
      return { data: describeStarted(row), replayed: false };
    });
  } catch (error) {
    if (subject.source === 'contacts') dropInput(folder, uuid);
    throw error;
  }
}
