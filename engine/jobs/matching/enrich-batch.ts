// Answers a batch: from the directory, then rows without a match from the user's providers.
import { type Reason, reasons } from '../../contract/jobs/job.ts';
import {
  type ColumnMapping,
  type RowInputField,
  readMapped,
  rowInputFields,
} from '../../contract/jobs/row-input.ts';
import type { ProviderField, ProviderRow } from '../../contract/provider.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import { cleanCell } from '../../directory/normalize/messy/clean-cell.ts';
import { readNameCells } from '../../directory/normalize/split-name.ts';
import type { PersonAnswer } from '../../providers/waterfall/ask-person.ts';
import {
  refusalError,
  type Waterfall,
  type WaterfallOutcome,
} from '../../providers/waterfall/waterfall-run.ts';
import type { SharedAnswer } from '../../shared/queue/ask-shared.ts';
import type { SharedResult } from '../../shared/records/describe-results.ts';
import { parseRecords } from '../../spreadsheet/read-rows.ts';
import { suppressRows } from '../../suppression/suppress-rows.ts';
import type { SuppressionList } from '../../suppression/suppression-list.ts';

interface UpstreamRows {
  readonly positions: readonly number[];
  readonly outcome: WaterfallOutcome;
}

export interface BatchAnswer {
  readonly batch: MatchBatch;
  readonly upstreamRows: UpstreamRows | null;
  /** The version of the suppression list that the rows were checked with. */
  readonly listVersion: number;
  readonly completions?: ReadyAnswers | null;
  /** Positions of rows that are to be asked about once there is a network. */
  readonly deferred?: ReadonlySet<number>;
  /** Positions of rows that were left before their services had answered. */
  readonly unanswered?: ReadonlySet<number>;
  /** Resolves when these are answered; absent if there are none. */
  readonly whenAnswered?: Promise<unknown> | undefined;
  /** What the shared directory knows of rows that the own one does not know. */
  readonly shared?: readonly SharedResult[];
  /** Positions of the rows that an earlier decision answered with a person of it. */
  readonly recalled?: readonly number[];
  /** The run was stopped before everything was asked: nothing may be written. */
  readonly isStopped?: boolean;
}

/** A matched row whose person lacks values. */
export interface IncompleteRow {
  readonly position: number;
  readonly wanted: readonly ProviderField[];
  /** The row, with what the directory knows about the person. */
  complete(row: ProviderRow): ProviderRow;
}

export interface BatchRows {
  /** Complete records of the job's input. */
  readonly bytes: Uint8Array;
  readonly mapping: ColumnMapping;
  readonly list: SuppressionList;
  /** Lists the matched rows that lack values; by default they are not asked about. */
  listIncomplete?(batch: MatchBatch): readonly IncompleteRow[];
  /** Lists those among the rows that the shared directory answered. */
  listIncompleteShared?(results: readonly SharedResult[]): readonly IncompleteRow[];
  /** Asks the shared directory about rows at some positions; absent if there is none. */
  askShared?: AskShared | undefined;
  /** Whether rows wait for a shared directory that cannot be reached. */
  readonly waitsForShared?: boolean;
  /** Starts the time that the rows wait for their services; without it, they wait until the end. */
  startPatience?(): Patience | undefined;
  /** Whether the rows were asked about before in this run. */
  readonly isRepeated?: boolean;
}

/** The time that a batch waits for services. */
export interface Patience {
  /** Resolves when it is over. */
  readonly late: Promise<unknown>;
  end(): void;
}

/** @param positions those of the rows in the batch */
type AskShared = (
  rows: readonly (readonly string[])[],
  positions: readonly number[],
) => Promise<SharedAnswer>;

const noMatch = reasons.indexOf('no_match' satisfies Reason);

/** Rows without a match in the directory. Any other reason is final. */
function listUnmatched(batch: MatchBatch): number[] {
  const positions: number[] = [];
  for (let at = 0; at < batch.count; at += 1) if (batch.reasons[at] === noMatch) positions.push(at);
  return positions;
}

/** The name that a row gives, in two parts. */
export const readRowName = (cells: readonly string[], mapping: ColumnMapping) =>
  readNameCells(
    readMapped(cells, mapping, 'first_name'),
    mapping.last_name === undefined ? undefined : readMapped(cells, mapping, 'last_name'),
  );

/** A row as services read it: without placeholders, and with the name in two parts. */
function readRow(cells: readonly string[], mapping: ColumnMapping): ProviderRow {
  const { first, last } = readRowName(cells, mapping);
  const names: Readonly<Partial<Record<RowInputField, string>>> = {
    first_name: first,
    last_name: last,
  };
  const row: Partial<Record<RowInputField, string>> = {};
  for (const field of rowInputFields) {
    const cell = cleanCell(names[field] ?? readMapped(cells, mapping, field));
    if (cell !== '') row[field] = cell;
  }
  return row;
}

const listMarked = (
  positions: readonly number[],
  outcome: WaterfallOutcome,
  mark: 'deferred' | 'unanswered',
): number[] =>
  outcome.kind === 'answered' ? positions.filter((_at, nth) => outcome[mark][nth]) : [];

interface SharedStep {
  readonly shared: readonly SharedResult[];
  readonly recalled?: readonly number[];
  /** Positions that the providers may be asked about. */
  readonly open: readonly number[];
  readonly waiting: readonly number[];
  readonly isStopped?: boolean;
}

/** The second step: rows that the own directory does not know, before anything is paid for. */
async function askShared(
  { askShared: ask, waitsForShared }: BatchRows,
  open: readonly number[],
  records: () => readonly (readonly string[])[],
): Promise<SharedStep> {
  if (!ask || open.length === 0) return { shared: [], open, waiting: [] };
  const answer = await ask(
    open.map((at) => records()[at] ?? []),
    open,
  );
  if (answer.kind === 'stopped') return { shared: [], open: [], waiting: [], isStopped: true };
  if (answer.kind === 'unreachable')
    return waitsForShared
      ? { shared: [], open: [], waiting: open }
      : { shared: [], open, waiting: [] };
  const shared = answer.results.map((result) => ({
    ...result,
    position: open[result.position] ?? 0,
  }));
  // Someone who is unlikely keeps no provider from an answer, as in the own directory.
  const closed = shared.filter(({ reason }) => reason !== noMatch);
  const known = new Set(closed.map(({ position }) => position));
  const recalled = answer.recalled.map((position) => open[position] ?? 0);
  return { shared, recalled, open: open.filter((at) => !known.has(at)), waiting: [] };
}

const whenAllAnswered = (outcomes: readonly WaterfallOutcome[]): Promise<unknown> =>
  Promise.all(outcomes.map((one) => one.kind === 'answered' && one.whenAnswered));

/** Answers a batch. Without a provider and a shared directory, the match is all the work. */
export async function enrichBatch(
  match: Promise<{ batch: MatchBatch }>,
  waterfall: Waterfall | undefined,
  rows: BatchRows,
): Promise<BatchAnswer> {
  const { list, bytes, mapping } = rows;
  const { batch } = suppressRows(list, (await match).batch, bytes, mapping);
  const listVersion = list.version;
  let parsed: readonly (readonly string[])[] | null = null;
  const records = () => {
    parsed ??= parseRecords(bytes);
    return parsed;
  };
  const step = await askShared(rows, listUnmatched(batch), records);
  const { shared, recalled, open: positions, waiting, isStopped = false } = step;
  const known = { batch, listVersion, shared, isStopped, ...(recalled && { recalled }) };
  if (!waterfall || isStopped) return { ...known, upstreamRows: null, deferred: new Set(waiting) };
  const incomplete = [
    ...(rows.listIncomplete?.(batch) ?? []),
    ...(rows.listIncompleteShared?.(shared) ?? []),
  ];
  if (positions.length + incomplete.length === 0)
    return { ...known, upstreamRows: null, deferred: new Set(waiting) };
  const rowAt = (at: number) => readRow(records()[at] ?? [], mapping);
  const patience = rows.startPatience?.();
  const options = { late: patience?.late, isRepeated: rows.isRepeated ?? false };
  const [outcome, completed] = await Promise.all([
    waterfall.ask(positions.map(rowAt), undefined, options),
    waterfall.ask(
      incomplete.map(({ position, complete }) => complete(rowAt(position))),
      incomplete.map(({ wanted }) => wanted),
      options,
    ),
  ]).finally(() => patience?.end());
  // A matched row is complete without its providers, so that their refusal ends nothing.
  const matched = incomplete.map(({ position }) => position);
  const completions =
    incomplete.length > 0 && completed.kind === 'answered'
      ? { positions: matched, answers: completed.answers }
      : null;
  const upstreamRows = positions.length ? { positions, outcome } : null;
  const deferred = [
    ...waiting,
    ...listMarked(positions, outcome, 'deferred'),
    ...listMarked(matched, completed, 'deferred'),
  ];
  const unanswered = [
    ...listMarked(positions, outcome, 'unanswered'),
    ...listMarked(matched, completed, 'unanswered'),
  ];
  return {
    ...known,
    upstreamRows,
    completions,
    deferred: new Set(deferred),
    unanswered: new Set(unanswered),
    whenAnswered: unanswered.length > 0 ? whenAllAnswered([outcome, completed]) : undefined,
  };
}

export interface ReadyAnswers {
  readonly positions: readonly number[];
  readonly answers: readonly PersonAnswer[];
}

/** The answers without those for some positions. */
export function withoutRows(
  { positions, answers }: ReadyAnswers,
  excluded: ReadonlySet<number>,
): ReadyAnswers {
  const isKept = (_one: unknown, nth: number) => !excluded.has(positions[nth] ?? -1);
  return { positions: positions.filter(isKept), answers: answers.filter(isKept) };
}

/**
 * Resolves an outcome: after a provider has accepted any request of a job, an outage fails only
 * rows, not the job. Throws the job's error, an EngineError.
 */
export function resolveUpstream(upstreamRows: UpstreamRows, hasAccepted: boolean): ReadyAnswers {
  const { positions, outcome } = upstreamRows;
  // The request was aborted: the job has ended or the engine is stopping, so nothing is written.
  if (outcome.kind === 'stopped') throw new Error('what was not asked cannot be written');
  if (outcome.kind === 'answered') return { positions, answers: outcome.answers };
  if (outcome.code !== 'upstream_error' || !hasAccepted) throw refusalError(outcome);
  const { detail } = outcome;
  return {
    positions,
    answers: positions.map(() => ({
      kind: 'failed',
      detail,
      isUnavailable: true,
      isUncertain: false,
    })),
  };
}
