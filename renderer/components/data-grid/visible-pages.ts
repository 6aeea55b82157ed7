// Which pages of rows a grid needs: those in sight at once while one scrolls, those that a scroll
// reaches soon, and after a jump only those where it ends.
import { useCallback, useEffect, useRef, useState } from 'react';
import { pageRows } from '../../api/transport/first-requests.ts';

/** A move by more pages than this is a jump, such as a drag of the scroll bar. */
const jumpPages = 10;
const jumpDelayMs = 60;
/** Pages that are fetched ahead in the direction of the last move: at rest, and at most. */
const pagesAheadMin = 3;
export const pagesAheadMax = 24;
/** How long a page may take to arrive, on a busy machine. */
const aheadMs = 1_500;

interface Sight {
  readonly first: number;
  readonly last: number;
  /** 1 down, -1 up. */
  readonly direction: 1 | -1;
  readonly ahead: number;
}

/** Numbers from `first` to `last`, both included. */
const rangeOf = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);

/** What is left of a speed at the next move: a busy machine delays single frames. */
const slowdown = 0.8;
/** How long a page that is never idle waits until it fetches ahead. */
const idleMsMax = 1_000;
const pauseMs = 1_000;

/** Measures how fast one scrolls. Returns the pages that are reached before a page arrives. */
function createSpeedometer() {
  let row = 0;
  let at = 0;
  let rowsPerMs = 0;
  let speed = 0;
  return (firstRow: number, now: number): number => {
    const elapsedMs = Math.max(1, now - at);
    const before = elapsedMs > pauseMs ? 0 : rowsPerMs;
    rowsPerMs = Math.abs(firstRow - row) / elapsedMs;
    // The slower of two moves: a single one may be a jump.
    speed = Math.max(Math.min(before, rowsPerMs), elapsedMs > pauseMs ? 0 : speed * slowdown);
    row = firstRow;
    at = now;
    const pages = Math.ceil((speed * aheadMs) / pageRows);
    return Math.min(pagesAheadMax, Math.max(pagesAheadMin, pages));
  };
}

/** The pages in sight, those to fetch ahead, nearest first, and the handler for the grid. */
export function useVisiblePages(rowCount: number) {
  const [{ first, last, direction, ahead: count }, setSight] = useState<Sight>({
    first: 0,
    last: 0,
    direction: 1,
    ahead: pagesAheadMin,
  });
  const shown = useRef({ row: 0, page: 0 });
  const measure = useRef(createSpeedometer()).current;
  const jump = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(jump.current), []);
  const onSight = useCallback(
    (firstRow: number, lastRow: number) => {
      const [from, to] = [Math.floor(firstRow / pageRows), Math.floor(lastRow / pageRows)];
      const ahead = measure(firstRow, performance.now());
      const move = Math.sign(firstRow - shown.current.row);
      const show = () => {
        shown.current = { row: firstRow, page: from };
        // The same pages keep the state, so that nothing is rendered again.
        setSight((before) =>
          before.first === from && before.last === to
            ? before
            : { first: from, last: to, direction: (move || before.direction) as 1 | -1, ahead },
        );
      };
      if (jump.current !== undefined) clearTimeout(jump.current);
      jump.current = undefined;
      if (Math.abs(from - shown.current.page) <= jumpPages) show();
      else jump.current = setTimeout(show, jumpDelayMs);
    },
    [measure],
  );
  const lastPage = Math.max(0, Math.ceil(rowCount / pageRows) - 1);
  const ahead =
    direction === 1
      ? rangeOf(last + 1, Math.min(lastPage, last + count))
      : rangeOf(Math.max(0, first - count), first - 1).reverse();
  return { pages: rangeOf(first, last), ahead, onSight };
}

/**
 * Returns the function that fetches ahead in an effect: at first when the rows in sight are there
 * and the page is idle, so that they are not delayed, later at once. Nothing is rendered for it.
 * @param isShown whether the rows in sight are there
 */
export function useFetchAhead(
  isShown: boolean,
): (fetchPages: () => void) => (() => void) | undefined {
  const hasBegun = useRef(false);
  return useCallback(
    (fetchPages) => {
      if (hasBegun.current) {
        fetchPages();
        return undefined;
      }
      if (!isShown) return undefined;
      const begin = () => {
        hasBegun.current = true;
        fetchPages();
      };
      const idle = requestIdleCallback(begin, { timeout: idleMsMax });
      return () => cancelIdleCallback(idle);
    },
    [isShown],
  );
}
