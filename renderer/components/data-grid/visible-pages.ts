/**
 * Which pages of rows a grid needs: those in sight at once while one scrolls, and after a jump only
 * those where it ends.
 */
import { useCallback, useEffect, useRef, useState } from 'react';

/** Rows of a page. */
export const pageRows = 100;
/** A move by more pages than this is a jump, such as a drag of the scroll bar. */
const jumpPages = 10;
const jumpDelayMs = 60;
/** Pages that are fetched ahead in the direction of the last move. */
const pagesAhead = 2;

interface Sight {
  readonly first: number;
  readonly last: number;
  /** 1 down, -1 up. */
  readonly direction: 1 | -1;
}

/** Numbers from `first` to `last`, both included. */
const rangeOf = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);

/** The pages in sight, those to fetch ahead, nearest first, and the handler for the grid. */
export function useVisiblePages(rowCount: number) {
  const [{ first, last, direction }, setSight] = useState<Sight>({
    ...{ first: 0, last: 0, direction: 1 },
  });
  const shown = useRef(0);
  const jump = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(jump.current), []);
  const onSight = useCallback((firstRow: number, lastRow: number) => {
    const [from, to] = [Math.floor(firstRow / pageRows), Math.floor(lastRow / pageRows)];
    const show = () => {
      const move = Math.sign(from - shown.current);
      shown.current = from;
      // The same pages keep the state, so that the grid is not rendered again.
      setSight((before) =>
        before.first === from && before.last === to
          ? before
          : { first: from, last: to, direction: move === 0 ? before.direction : (move as 1 | -1) },
      );
    };
    clearTimeout(jump.current);
    if (Math.abs(from - shown.current) <= jumpPages) show();
    else jump.current = setTimeout(show, jumpDelayMs);
  }, []);
  const lastPage = Math.max(0, Math.ceil(rowCount / pageRows) - 1);
  const ahead =
    direction === 1
      ? rangeOf(last + 1, Math.min(lastPage, last + pagesAhead))
      : rangeOf(Math.max(0, first - pagesAhead), first - 1).reverse();
  return { pages: rangeOf(first, last), ahead, onSight };
}
