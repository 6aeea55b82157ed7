/**
 * The state of a review: the waiting rows, the row that is shown, and the decisions made here.
 *
 * Decisions are sent immediately, one at a time, and the next row is shown without waiting for the
 * answer. If a decision is refused, its row is shown again.
 */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReviewRow } from '../../../engine/contract/jobs/review.ts';
import { invalidate } from '../../api/query-cache.ts';
import { readReview, sendPicks } from '../../api/review.ts';
import { reviewPageRows } from '../../api/transport/first-requests.ts';
import { showFailure } from '../../components/toast.ts';

/** The next page is read when this many rows are left. */
const readAheadRows = 10;
/** The queries that a decision changes. */
const changed = ['job', 'jobs', 'rows', 'review-count', 'wallet', 'entries', 'state'];

/** A review as its screen shows it. */
export interface Review {
  readonly isLoading: boolean;
  readonly error: Error | null;
  retry(): void;
  /** The row that is shown; null if no row waits. */
  readonly row: ReviewRow | null;
  /** Counts of the rows that are decided, here and earlier, and of the rows that wait. */
  readonly decided: number;
  readonly waiting: number;
  /** Chooses a candidate by its position, or none of them (null). */
  choose(at: number | null): void;
  /** Shows the next row and leaves this one waiting. */
  skip(): void;
  /** Undoes the last step: withdraws a decision, or shows a skipped row again. */
  readonly undo: (() => void) | null;
}

/** One step of the user: the row, and whether it was decided or skipped. */
interface Step {
  readonly row: ReviewRow;
  readonly isDecision: boolean;
}

/** A page that begins at the first row of the list, after the last one was read. */
const fromStart = -1;

/**
 * Reads the rows of a review and sends the decisions.
 * @param firstRow the row to begin with; those before it come last
 */
export function useReview(jobId: string, firstRow = 0): Review {
  const client = useQueryClient();
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const query = useInfiniteQuery({
    queryKey: ['review', jobId, 'waiting', firstRow],
    initialPageParam: firstRow - 1,
    queryFn: ({ pageParam }) =>
      readReview(jobId, {
        status: 'waiting',
        after: pageParam === fromStart ? null : pageParam,
        limit: reviewPageRows,
      }),
    getNextPageParam(page, _pages, _param, params) {
      const last = page.results.at(-1)?.row_index ?? firstRow;
      const isSecondTurn = params.indexOf(fromStart) > 0;
      if (page.next !== null && !(isSecondTurn && last >= firstRow)) return last;
      return params.includes(fromStart) ? null : fromStart;
    },
    // A decision made here must not reorder the rows on the screen.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const send = useMutation({
    scope: { id: `review-${jobId}` },
    mutationFn: (pick: Parameters<typeof sendPicks>[1][number]) => sendPicks(jobId, [pick]),
    onSettled: () => invalidate(client, ...changed),
    onError(error, pick) {
      setSteps((all) => all.filter(({ row }) => row.row_index !== pick.row_index));
      showFailure('The decision was not saved', error);
    },
  });
  const read = query.data?.pages.flatMap((page) => page.results) ?? [];
  // The second turn ends with rows of the first.
  const rows = [...new Map(read.map((one) => [one.row_index, one])).values()];
  const passed = new Set(steps.map(({ row }) => row.row_index));
  const row = rows.find(({ row_index: index }) => !passed.has(index)) ?? null;
  const left = rows.length - passed.size;
  if (left < readAheadRows && query.hasNextPage && !query.isFetchingNextPage && !query.isError)
    void query.fetchNextPage();
  const here = steps.filter(({ isDecision }) => isDecision).length;
  const [first] = query.data?.pages ?? [];
  const last = steps.at(-1);
  return {
    isLoading: query.isPending || (row === null && query.hasNextPage && !query.isError),
    error: query.error,
    retry: () => void query.refetch(),
    row,
    decided: (first?.decided ?? 0) + here,
    waiting: Math.max(0, (first?.waiting ?? 0) - here),
    choose(at) {
      const uuid = at === null ? null : row?.candidates[at]?.upstream_contact_uuid;
      if (!row || uuid === undefined) return;
      setSteps([...steps, { row, isDecision: true }]);
      send.mutate({ row_index: row.row_index, contact_uuid: uuid });
    },
    skip() {
      if (row) setSteps([...steps, { row, isDecision: false }]);
    },
    undo: last
      ? () => {
          setSteps(steps.slice(0, -1));
          if (last.isDecision) send.mutate({ row_index: last.row.row_index, undo: true });
        }
      : null,
  };
}
