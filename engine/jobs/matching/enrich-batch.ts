/**
 * Answers a batch of rows: first from the directory, then rows without a match from the provider
 * behind it, if the environment has one.
 */

import { EngineError } from '../../contract/errors.ts';
import { type Reason, reasons } from '../../contract/jobs/job.ts';
import type { ColumnMapping, RowInputField } from '../../contract/jobs/row-input.ts';
import type { ProviderAnswer, ProviderRow } from '../../contract/provider.ts';
import { providerFailures } from '../../contract/provider.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import type { AskOutcome, Upstream } from '../../providers/upstream-client.ts';
import { parseRecords } from '../../spreadsheet/read-rows.ts';

/** A provider's outcome for some rows of a batch. */
interface UpstreamRows {
  /** Positions of the rows in the batch. */
  readonly positions: readonly number[];
  readonly outcome: AskOutcome;
}

/** The answers to a batch: matches of the directory, and the provider's outcome. */
export interface BatchAnswer {
  readonly batch: MatchBatch;
  readonly upstreamRows: UpstreamRows | null;
}

/** Rows of a batch to answer. */
export interface BatchRows {
  readonly jobUuid: string;
  readonly firstRow: number;
  /** Complete records of the job's input. */
  readonly bytes: Uint8Array;
  readonly mapping: ColumnMapping;
}

const noMatch = reasons.indexOf('no_match' satisfies Reason);

/** Rows without a match in the directory. Any other reason is final. */
function listUnmatched(batch: MatchBatch): number[] {
  const positions: number[] = [];
  for (let at = 0; at < batch.count; at += 1) if (batch.reasons[at] === noMatch) positions.push(at);
  return positions;
}

function readRow(cells: readonly string[], mapping: ColumnMapping): ProviderRow {
  const row: Partial<Record<RowInputField, string>> = {};
  for (const [field, column] of Object.entries(mapping)) {
    const cell = cells[column] ?? '';
    if (cell !== '') row[field as RowInputField] = cell;
  }
  return row;
}

/** Answers a batch. Without a provider, the match is all the work. */
export async function enrichBatch(
  match: Promise<{ batch: MatchBatch }>,
  upstream: Upstream | undefined,
  rows: BatchRows,
): Promise<BatchAnswer> {
  const { batch } = await match;
  const positions = upstream ? listUnmatched(batch) : [];
  if (!upstream || positions.length === 0) return { batch, upstreamRows: null };
  const records = parseRecords(rows.bytes);
  const outcome = await upstream.ask({
    id: `${rows.jobUuid}:${rows.firstRow}`,
    rows: positions.map((at) => readRow(records[at] ?? [], rows.mapping)),
  });
  return { batch, upstreamRows: { positions, outcome } };
}

/** A provider's answers, one for each position. */
export interface ReadyAnswers {
  readonly positions: readonly number[];
  readonly answers: readonly ProviderAnswer[];
}

/**
 * Resolves an outcome with the table of failures: after the provider has accepted any request of a
 * job, `unavailable` fails only rows, not the job. Throws the job's error, an EngineError.
 */
export function resolveUpstream(upstreamRows: UpstreamRows, hasAccepted: boolean): ReadyAnswers {
  const { positions, outcome } = upstreamRows;
  // The request was aborted: the job has ended or the engine is stopping, so nothing is written.
  if (outcome.kind === 'stopped') throw new Error('what was not asked cannot be written');
  if (outcome.kind === 'answered') return { positions, answers: outcome.answers };
  const { failure, detail } = outcome;
  if (failure === 'unavailable' && hasAccepted)
    return { positions, answers: positions.map(() => ({ kind: 'failed', detail })) };
  throw new EngineError(providerFailures[failure].jobError, detail);
}
