// The shared directory as the second step of a job: the rows that the own directory does not know
// are asked of it, and the accepted people are fetched.
import { setTimeout as waitFor } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { employmentStatuses } from '../../contract/jobs/job.ts';
import type { LayerCode } from '../../contract/jobs/layers.ts';
import type { TeamFailure } from '../../contract/jobs/offline.ts';
import {
  type ColumnMapping,
  type RowInputField,
  readMapped,
  rowInputFields,
} from '../../contract/jobs/row-input.ts';
import { sharedPatienceMs } from '../../contract/shared/limits.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { formatRecord } from '../../spreadsheet/format-record.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import { isUnreachable } from '../connection/shared-failure.ts';
import { readGeneration } from '../generation.ts';
import { layoutOf } from '../layout/shared-layout.ts';
import { checkAnswer } from '../records/check-people.ts';
import { createDescriber, describeWrong, type SharedResult } from '../records/describe-results.ts';
import { readFetchedRecords } from '../records/fetched-tables.ts';
import { createQueueOwner, type QueueAnswer } from './queue-owner.ts';
import type { WorkerWatch } from './worker-watch.ts';

export interface SharedRows {
  readonly firstRow: number;
  readonly rows: readonly (readonly string[])[];
  readonly mapping: ColumnMapping;
  readonly threshold: number;
  /** Earlier decisions of a person about the rows, for people that the own directory lacks. */
  readonly decisions?: readonly SharedDecision[];
}

/** An earlier decision: the row is this person. */
export interface SharedDecision {
  /** Position among the rows. */
  readonly position: number;
  readonly contactUuid: string;
  /** Code of employmentStatuses. */
  readonly employmentStatus: number;
  /** Bits of matchFields. */
  readonly matchedOn: number;
}

/** Why a run asks no more: the server cannot be used, or it has no worker. */
export interface SharedLoss {
  readonly reason: TeamFailure;
  readonly detail: string;
}

/** What the shared directory says: the results of the rows it knows, or that it was not reached. */
export type SharedAnswer =
  | {
      readonly kind: 'answered';
      readonly results: readonly SharedResult[];
      /** Positions that an earlier decision answered. */
      readonly recalled: readonly number[];
    }
  | { readonly kind: 'unreachable'; readonly detail: string }
  /** The run was stopped: nothing of the batch may be written. */
  | { readonly kind: 'stopped' };

export interface SharedRun {
  /**
   * Asks about rows. Rejects with SharedFailure if the login or the tables are wrong, and with
   * `upstream_error` if workers could not match the rows. A row whose answer cannot be right fails.
   */
  ask(rows: SharedRows): Promise<SharedAnswer>;
  /** Why the shared directory was given up in this run; null if it was not. */
  loss(): SharedLoss | null;
  hasAnswered(): boolean;
  /** Tells that the results up to a row are committed. Never rejects. */
  forget(endRow: number): Promise<void>;
  stop(): void;
  /** Deletes what the server has of an ended job. Never rejects. Whether nothing is left. */
  close(hasEnded: boolean): Promise<boolean>;
}

export interface SharedRunDeps {
  readonly connection: SharedConnection;
  /** Has the suppression list. */
  readonly store: ReadableDatabase;
  /** How long a server may be lost before the rows wait for it. */
  readonly patienceMs?: number;
  /** Tells whether there is a worker; without it, rows wait for one until the run is stopped. */
  readonly watch?: WorkerWatch | undefined;
}

const pauseMs = 250;

const tryAgain = 'Ask who runs the workers, then retry the failed rows.';
const wrongAnswer =
  'A worker of the team’s directory answered with a person who does not fit the row. ' + tryAgain;
const unreadableAnswer =
  'A worker of the team’s directory sent an answer that cannot be read. ' + tryAgain;

/** Takes the answer to a row away. */
function clearRow(batch: MatchBatch, row: number): void {
  batch.personIds[row] = 0;
  batch.companyIds[row] = 0;
}

const noWorker: SharedLoss = {
  reason: 'no_worker',
  detail:
    'No worker of the team’s directory answers. Start one with desk shared worker, or switch on ' +
    '“Match on this computer” under Connections, Team directory.',
};

/** Ends the wait of a batch. */
const noWorkerAnswers = new Error('no worker answers');

/** The cells that are compared, alone: no other value leaves this machine. */
function selectCells({ rows, mapping }: SharedRows) {
  const fields = rowInputFields.filter(
    (field) => field !== 'client_reference_id' && mapping[field] !== undefined,
  );
  const narrow: Partial<Record<RowInputField, number>> = {};
  for (const [at, field] of fields.entries()) narrow[field] = at;
  const lines = rows.map((cells) =>
    formatRecord(fields.map((field) => readMapped(cells, mapping, field))),
  );
  return { mapping: narrow as ColumnMapping, bytes: Buffer.from(lines.join('')) };
}

const leftCode = employmentStatuses.indexOf('Left');

/** Applies earlier decisions to a batch. Returns the positions of those whose person is there. */
async function recallShared(
  client: PoolClient,
  batch: MatchBatch,
  decisions: readonly SharedDecision[],
): Promise<number[]> {
  if (decisions.length === 0) return [];
  const { buckets } = await layoutOf(client);
  const { rows } = await client.query<{ id: number; uuid: string; hasJob: boolean }>(
    `SELECT p.id, p.uuid, coalesce(bool_or(e.is_current = 1), false) AS "hasJob"
     FROM person p LEFT JOIN employment e
       ON ${buckets ? 'e.bucket = p.bucket AND ' : ''}e.person_id = p.id
     WHERE p.uuid = ANY($1) GROUP BY p.id, p.uuid`,
    [decisions.map(({ contactUuid }) => contactUuid)],
  );
  const people = new Map(rows.map((row) => [row.uuid, row]));
  return decisions.flatMap(({ position, contactUuid, employmentStatus, matchedOn }) => {
    const person = people.get(contactUuid);
    if (!person) return [];
    batch.personIds[position] = person.id;
    batch.companyIds[position] = 0;
    batch.employmentStatuses[position] = person.hasJob ? employmentStatus : leftCode;
    batch.reasons[position] = 0;
    // A person decided, so the match is certain.
    batch.confidences[position] = 1;
    batch.matchedOn[position] = matchedOn;
    return [position];
  });
}

/** The calls of a connection, and for how long its server has said nothing. */
function followContact(connection: SharedConnection) {
  // A batch may wait for a worker for long: only a server that says nothing is lost.
  let contactMs = performance.now();
  const note = () => {
    contactMs = performance.now();
  };
  const use: SharedConnection['use'] = async (act) => {
    const result = await connection.use(act);
    note();
    return result;
  };
  return { use, note, silentMs: () => performance.now() - contactMs };
}

export function openSharedRun(
  { connection, store, watch, patienceMs = sharedPatienceMs }: SharedRunDeps,
  jobUuid: string,
  layers: readonly LayerCode[],
): SharedRun {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (ms: number) => waitFor(ms, undefined, { signal });
  const contact = followContact(connection);
  const { use } = contact;
  let lost: SharedLoss | null = null;
  const look = async () => {
    if (lost || (await watch?.isSilent({ use }))) throw noWorkerAnswers;
  };
  const owner = createQueueOwner({ connection: { ...connection, use }, wait, look }, jobUuid);
  const describer = createDescriber(layers);
  let hasAnswered = false;
  const askOnce = async (rows: SharedRows) => {
    const { firstRow, threshold } = rows;
    const asked = { firstRow, threshold, count: rows.rows.length, ...selectCells(rows) };
    const readOnce = async () => {
      const answer = await owner.ask(asked, signal);
      hasAnswered = true;
      watch?.noteWorker();
      return use(async (client) => ({ ...(await readAnswer(client, rows, answer)), answer }));
    };
    const first = await readOnce();
    // A load may have ended between the answer and this.
    if (first.wrongRows === 0 || first.generation === first.answer.generation) return first;
    await owner.dropAnswer(asked);
    return readOnce();
  };
  /** What an answer comes to: the rows for which it cannot be right fail. */
  const readAnswer = async (client: PoolClient, rows: SharedRows, answer: QueueAnswer) => {
    const generation = (await readGeneration(client))?.number ?? 0;
    const { decisions = [] } = rows;
    if (!answer.batch) {
      const results = describeWrong(rows.rows.keys(), unreadableAnswer);
      return { results, recalled: [], wrongRows: 0, generation };
    }
    const claimed = await readFetchedRecords(client, describer.database, answer.batch);
    const { batch, wrong } = await checkAnswer(describer.database, answer.batch, claimed, rows);
    for (const row of wrong) clearRow(batch, row);
    const recalled = await recallShared(client, batch, decisions);
    const decided = new Set(recalled);
    const failed = [...wrong].filter((row) => !decided.has(row));
    const records =
      recalled.length > 0 ? await readFetchedRecords(client, describer.database, batch) : claimed;
    const results = describer.describe(batch, records, store);
    return {
      recalled,
      wrongRows: failed.length,
      generation,
      results: [...results, ...describeWrong(failed, wrongAnswer)],
    };
  };
  /** Each batch that is given up does so: another one's may be written only after the first's. */
  const giveUpWorkers = () => {
    lost ??= noWorker;
    void owner.keepFirst().catch(() => undefined);
  };
  return {
    async ask(rows) {
      contact.note();
      // One batch waits for the server; the others of the run then do not wait once more.
      while (lost === null)
        try {
          return { kind: 'answered', ...(await askOnce(rows)) };
        } catch (error) {
          if (signal.aborted) return { kind: 'stopped' };
          if (error === noWorkerAnswers) giveUpWorkers();
          else if (!isUnreachable(error)) throw error;
          else if (contact.silentMs() >= patienceMs)
            lost = { reason: 'unavailable', detail: (error as Error).message };
          else await wait(pauseMs).catch(() => undefined);
        }
      return { kind: 'unreachable', detail: lost.detail };
    },
    loss: () => lost,
    hasAnswered: () => hasAnswered,
    async forget(endRow) {
      // The rows that wait are committed too, and the batch of the first ones stays.
      if (lost === null) await owner.forget(endRow).catch(() => undefined);
    },
    stop: () => stopping.abort(new Error('the run has ended')),
    async close(hasEnded) {
      stopping.abort(new Error('the run has ended'));
      describer.close();
      if (!hasEnded || lost?.reason === 'unavailable') return false;
      return owner.forgetAll().then(
        () => true,
        () => false,
      );
    },
  };
}
