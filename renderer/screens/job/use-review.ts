/**
 * The review of a job: the rows that wait for a decision, and the decisions made here.
 *
 * Decisions are sent immediately, one at a time, and the next row is shown without waiting for the
 * answer. If a decision is refused, its row is shown again.
 */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { type Pick, type ReviewRow, review } from '../../../engine/contract/jobs/review.ts';
import { ask } from '../../api/client.ts';
import { invalidate } from '../../api/query-cache.ts';
import { showFailure } from '../../components/toast.ts';

/** Rows that are fetched at once. */
const reviewPageRows = 50;
/** The next page is read when this many rows are left. */
const readAheadRows = 10;
/** The queries that a decision changes. */
const changed = ['job', 'jobs', 'rows', 'review-count', 'wallet', 'entries', 'state'];

/** The review as the details of a row show it. */
export interface Review {
  readonly isLoading: boolean;
  readonly error: Error | null;
  retry(): void;
  /** The open row with the evidence for its candidates; null if it does not wait. */
  readonly row: ReviewRow | null;
  /** Counts of the rows that are decided, here and earlier, and of the rows that wait. */
  readonly decided: number;
  readonly waiting: number;
  /** Whether the last row was decided or skipped, so that none is left. */
  readonly isDone: boolean;
  /** Chooses a candidate by its position, or none of them (null), and opens the next row. */
  choose(at: number | null): void;
  /** Opens the next row and leaves this one waiting. */
  skip(): void;
  /** Undoes the last step: withdraws a decision, or opens a skipped row again. */
  readonly undo: (() => void) | null;
}

/** One step of the user: the row, and whether it was decided or skipped. */
interface Step {
  readonly row: number;
  readonly isDecision: boolean;
}

/** A page that begins at the first row of the list, after the last one was read. */
const fromStart = -1;

/** The waiting rows from `firstRow` on; those before it come last. */
function useWaiting(jobId: string, firstRow: number | null) {
  const from = firstRow ?? 0;
  return useInfiniteQuery({
    queryKey: ['review', jobId, 'waiting', from],
    enabled: firstRow !== null,
    initialPageParam: from - 1,
    queryFn: ({ pageParam }) =>
      ask(review.list, {
        job_id: jobId,
        status: 'waiting',
        after: pageParam === fromStart ? undefined : pageParam,
        limit: reviewPageRows,
      }),
    getNextPageParam(page, _pages, _param, params) {
      const last = page.results.at(-1)?.row_index ?? from;
      const isSecondTurn = params.indexOf(fromStart) > 0;
      if (page.next !== null && !(isSecondTurn && last >= from)) return last;
      return params.includes(fromStart) ? null : fromStart;
    },
    // A decision made here must not reorder the rows on the screen.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/**
 * Reads the rows of a review and sends the decisions.
 * @param open the row whose details are open, if it may wait for a decision
 */
export function useReview(
  { job_id: jobId }: StatusData,
  open: number | null,
  onOpen: (row: number) => void,
): Review {
  const client = useQueryClient();
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [firstRow, setFirstRow] = useState(open);
  const query = useWaiting(jobId, firstRow);
  const send = useMutation({
    scope: { id: `review-${jobId}` },
    mutationFn: (pick: Pick) => ask(review.decide, { job_id: jobId, picks: [pick] }),
    onSettled: () => invalidate(client, ...changed),
    onError(error, pick) {
      setSteps((all) => all.filter(({ row }) => row !== pick.row_index));
      onOpen(pick.row_index);
      showFailure('The decision was not saved', error);
    },
  });
  const read = query.data?.pages.flatMap((page) => page.results) ?? [];
  // The second turn ends with rows of the first.
  const rows = [...new Map(read.map((one) => [one.row_index, one])).values()];
  const passed = new Set(steps.map(({ row }) => row));
  const decided = new Set(steps.flatMap(({ row, isDecision }) => (isDecision ? [row] : [])));
  const known = rows.find((one) => one.row_index === open);
  const row = known && !decided.has(known.row_index) ? known : null;
  // Another row was opened than those that follow: the review continues there.
  if (open !== null && !known && firstRow !== open && !query.isFetching) setFirstRow(open);
  const left = rows.length - passed.size;
  if (left < readAheadRows && query.hasNextPage && !query.isFetchingNextPage && !query.isError)
    void query.fetchNextPage();
  const [first] = query.data?.pages ?? [];
  const last = steps.at(-1);
  const pass = (isDecision: boolean) => {
    if (!row) return;
    const at = rows.indexOf(row);
    const next = [...rows.slice(at + 1), ...rows.slice(0, at)].find(
      (one) => !passed.has(one.row_index),
    );
    setSteps([
      ...steps.filter((one) => one.row !== row.row_index),
      { row: row.row_index, isDecision },
    ]);
    if (next) onOpen(next.row_index);
  };
  const isLast = rows.every((one) => passed.has(one.row_index));
  return {
    isLoading: open !== null && known === undefined && (query.isFetching || firstRow !== open),
    error: query.error,
    retry: () => void query.refetch(),
    row,
    decided: (first?.decided ?? 0) + decided.size,
    waiting: Math.max(0, (first?.waiting ?? 0) - decided.size),
    isDone: steps.length > 0 && isLast && !query.hasNextPage,
    choose(at) {
      const uuid = at === null ? null : row?.candidates[at]?.upstream_contact_uuid;
      if (!row || uuid === undefined) return;
      pass(true);
      send.mutate({ row_index: row.row_index, contact_uuid: uuid });
    },
    skip: () => pass(false),
    undo: last
      ? () => {
          setSteps(steps.slice(0, -1));
          if (last.isDecision) send.mutate({ row_index: last.row, undo: true });
          onOpen(last.row);
        }
      : null,
  };
}
