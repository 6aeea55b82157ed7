// The review of a job: the rows that wait for a decision, and the decisions made here.
//
// Decisions are sent immediately, one at a time, and the next row is shown without waiting for the
// answer. If a decision is refused, its row is shown again.
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
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

export interface Review {
  readonly isLoading: boolean;
  readonly error: Error | null;
  retry(): void;
  /** The open row with the evidence for its candidates; null if it does not wait. */
  readonly row: ReviewRow | null;
  /** Whether the open row waits, or was decided or skipped here. */
  readonly isHere: boolean;
  /** Counts of the rows that are decided, here and earlier, and of the rows that wait. */
  readonly decided: number;
  readonly waiting: number;
  /** Whether the end of the list was reached: every row was decided or skipped. */
  readonly isDone: boolean;
  /** Chooses a candidate by its position, or none of them (null), and opens the next row. */
  choose(at: number | null): void;
  skip(): void;
  /** Opens the first row that was skipped, once the end was reached; null if none was. */
  readonly goThroughSkipped: (() => void) | null;
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
 * @param open the row whose details are open
 * @param mayWait whether that row may wait for a decision
 */
export function useReview(
  { job_id: jobId }: StatusData,
  open: number | null,
  mayWait: boolean,
  onOpen: (row: number) => void,
): Review {
  const client = useQueryClient();
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const waitingRow = mayWait ? open : null;
  const [firstRow, setFirstRow] = useState(waitingRow);
  // The row whose step was the last one of the list.
  const [endedAt, setEndedAt] = useState<number | null>(null);
  const query = useWaiting(jobId, firstRow);
  const send = useMutation({
    scope: { id: `review-${jobId}` },
    mutationFn: (pick: Pick) => ask(review.decide, { job_id: jobId, picks: [pick] }),
    onSettled: () => invalidate(client, ...changed),
    onError(error, pick) {
      setSteps((all) => all.filter(({ row }) => row !== pick.row_index));
      setEndedAt(null);
      onOpen(pick.row_index);
      showFailure('The decision was not saved', error);
    },
  });
  const read = query.data?.pages.flatMap((page) => page.results) ?? [];
  // The second turn ends with rows of the first.
  const rows = [...new Map(read.map((one) => [one.row_index, one])).values()];
  const passed = new Set(steps.map(({ row }) => row));
  const decisions = steps.filter(({ isDecision }) => isDecision);
  const decided = new Set(decisions.map(({ row }) => row));
  const decidedRows = rows.filter((one) => decided.has(one.row_index)).length;
  const known = rows.find((one) => one.row_index === waitingRow);
  const isAtEnd = endedAt !== null && endedAt === open;
  const row = known && !isAtEnd && !decided.has(known.row_index) ? known : null;
  // Another row was opened than those that follow: the review continues there.
  const isUnread = waitingRow !== null && known === undefined;
  if (isUnread && firstRow !== waitingRow && !query.isFetching) setFirstRow(waitingRow);
  const goAgain = () => {
    setSteps(decisions);
    setEndedAt(null);
  };
  // A row was opened after the end: the skipped ones follow again.
  if (endedAt !== null && !isAtEnd) goAgain();
  const left = rows.length - passed.size;
  if (left < readAheadRows && query.hasNextPage && !query.isFetchingNextPage && !query.isError)
    void query.fetchNextPage();
  const [first] = query.data?.pages ?? [];
  const last = steps.at(-1);
  const findNext = (from: number | null) => {
    const at = rows.findIndex((one) => one.row_index === from);
    return [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))].find(
      (one) => !passed.has(one.row_index) && one.row_index !== from,
    );
  };
  const pass = (isDecision: boolean) => {
    if (!row) return;
    const others = steps.filter((one) => one.row !== row.row_index);
    setSteps([...others, { row: row.row_index, isDecision }]);
    const next = findNext(row.row_index);
    if (next) onOpen(next.row_index);
    else setEndedAt(row.row_index);
  };
  // Rows that were read after the last known one was passed.
  const readLater = isAtEnd ? findNext(open)?.row_index : undefined;
  useEffect(() => {
    if (readLater === undefined) return;
    setEndedAt(null);
    onOpen(readLater);
  }, [readLater, onOpen]);
  const isDone = isAtEnd && !query.hasNextPage && readLater === undefined;
  const skipped = rows.filter((one) => !decided.has(one.row_index));
  const [firstSkipped] = skipped.toSorted((one, other) => one.row_index - other.row_index);
  return {
    isLoading:
      (isUnread && (query.isFetching || firstRow !== waitingRow)) || (isAtEnd && query.hasNextPage),
    error: query.error,
    retry: () => void query.refetch(),
    row,
    isHere: row !== null || (open !== null && passed.has(open)),
    decided: (first?.decided ?? 0) + decidedRows,
    waiting: Math.max(0, (first?.waiting ?? 0) - decidedRows),
    isDone,
    choose(at) {
      const uuid = at === null ? null : row?.candidates[at]?.upstream_contact_uuid;
      if (!row || uuid === undefined) return;
      pass(true);
      send.mutate({ row_index: row.row_index, contact_uuid: uuid });
    },
    skip: () => pass(false),
    goThroughSkipped:
      isDone && firstSkipped
        ? () => {
            goAgain();
            onOpen(firstSkipped.row_index);
          }
        : null,
    undo: last
      ? () => {
          setSteps(steps.slice(0, -1));
          setEndedAt(null);
          if (last.isDecision) send.mutate({ row_index: last.row, undo: true });
          onOpen(last.row);
        }
      : null,
  };
}
