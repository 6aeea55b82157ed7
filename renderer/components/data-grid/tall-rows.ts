// Finds the rows in sight of a very tall grid. Chromium limits an element to 33 million pixels, so
// the body has at most `bodyPxMax`, and the scroll bar is mapped to rows; short moves are exact.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { rowHeightPx, useDensity } from '../../preferences/density.ts';

const bodyPxMax = 8_000_000;
/** Rows above and below those in sight. A bar that is not mapped moves ahead of the page. */
const rowsAround = { exact: 6, mapped: 1 } as const;
/** A move by more heights of the view than this is one of the scroll bar, which is mapped. */
const shortMoveViews = 2;
/** Rows are placed from a multiple of this row, so that a move changes few places. */
const originRows = 4_096;

/** What is shown: the first of `count` rows. */
interface RowWindow {
  readonly first: number;
  readonly count: number;
}

interface Place {
  /** Pixels of rows scrolled past. */
  offset: number;
  /** The position of the scroll bar that belongs to `offset`. */
  top: number;
  totalPx: number;
}

/** Height of the room below the header, in pixels. */
const viewOf = (scroller: HTMLElement): number => Math.max(0, scroller.clientHeight - rowHeightPx);

/** Pixels of rows per pixel of the scroll bar; 1 while the rows fit an element. */
function scaleOf(scroller: HTMLElement, totalPx: number): number {
  if (totalPx <= bodyPxMax) return 1;
  return (totalPx - viewOf(scroller)) / (bodyPxMax - viewOf(scroller));
}

function offsetAfter(scroller: HTMLElement, { offset, top, totalPx }: Place): number {
  const scale = scaleOf(scroller, totalPx);
  const to = scroller.scrollTop;
  if (scale === 1 || to === top) return scale === 1 ? to : offset;
  const lastPx = totalPx - viewOf(scroller);
  if (to <= 0) return 0;
  if (to >= bodyPxMax - viewOf(scroller) - 1) return lastPx;
  if (Math.abs(to - top) > shortMoveViews * viewOf(scroller)) return Math.round(to * scale);
  return Math.min(Math.max(0, offset + to - top), lastPx);
}

/** The rows to show at an offset. Their number changes with the height of the view alone. */
function windowAt(scroller: HTMLElement, { offset, totalPx }: Place): RowWindow {
  const rowCount = Math.round(totalPx / rowHeightPx);
  const around = rowsAround[totalPx > bodyPxMax ? 'mapped' : 'exact'];
  const count = Math.min(rowCount, Math.ceil(viewOf(scroller) / rowHeightPx) + 1 + 2 * around);
  const first = Math.floor(offset / rowHeightPx) - around;
  return { first: Math.max(0, Math.min(first, rowCount - count)), count };
}

/** Moves by the wheel, exactly, where the scroll bar is mapped. */
function moveByWheel(scroller: HTMLElement, place: Place, event: WheelEvent): boolean {
  const isMapped = place.totalPx > bodyPxMax;
  if (!isMapped || event.ctrlKey || event.shiftKey || event.deltaY === 0) return false;
  event.preventDefault();
  const lastPx = place.totalPx - viewOf(scroller);
  const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeightPx : 1;
  const offset = Math.round(place.offset + event.deltaY * lines);
  place.offset = Math.min(Math.max(0, offset), lastPx);
  return true;
}

/** A pause that ends a scroll. */
const pauseMs = 200;

/** Whether the rows have rested for a while, and the function to call when they move. */
function useRest(): [boolean, () => void] {
  const [isResting, setResting] = useState(true);
  const last = useRef({ at: 0, timer: undefined as ReturnType<typeof setTimeout> | undefined });
  useEffect(() => () => clearTimeout(last.current.timer), []);
  const onMove = useCallback(() => {
    const { current } = last;
    current.at = performance.now();
    if (current.timer !== undefined) return;
    setResting(false);
    const check = () => {
      const leftMs = pauseMs - (performance.now() - current.at);
      current.timer = leftMs > 0 ? setTimeout(check, leftMs) : undefined;
      if (leftMs <= 0) setResting(true);
    };
    current.timer = setTimeout(check, pauseMs);
  }, []);
  return [isResting, onMove];
}

/** The row from which a window is placed. */
const originOf = (first: number): number => Math.floor(first / originRows) * originRows;

function useMoves(
  scrollRef: RefObject<HTMLDivElement | null>,
  place: Place,
  move: () => void,
): void {
  useLayoutEffect(() => {
    const scroller = scrollRef.current;
    if (!scroller) return;
    const onScroll = () => {
      place.offset = offsetAfter(scroller, place);
      move();
    };
    const onWheel = (event: WheelEvent) => {
      if (moveByWheel(scroller, place, event)) move();
    };
    const sizes = new ResizeObserver(move);
    sizes.observe(scroller);
    scroller.addEventListener('scroll', onScroll, { passive: true });
    scroller.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      sizes.disconnect();
      scroller.removeEventListener('scroll', onScroll);
      scroller.removeEventListener('wheel', onWheel);
    };
  }, [scrollRef, place, move]);
}

/** The rows to show, their block, and a function that scrolls to a row. */
export function useTallRows(scrollRef: RefObject<HTMLDivElement | null>, rowCount: number) {
  const density = useDensity();
  const place = useRef<Place>({ offset: 0, top: 0, totalPx: 0 }).current;
  const blockRef = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<RowWindow>({ first: 0, count: 0 });
  const shownRef = useRef(shown);
  const [isResting, onMove] = useRest();
  /** Shows the rows at the offset, before the next frame. */
  const move = useCallback(() => {
    const scroller = scrollRef.current;
    if (!scroller || !blockRef.current) return;
    const isMapped = place.totalPx > bodyPxMax;
    // Whole pixels: lines and letters between two of them are blurred.
    if (isMapped) scroller.scrollTop = Math.round(place.offset / scaleOf(scroller, place.totalPx));
    place.top = scroller.scrollTop;
    const next = windowAt(scroller, place);
    const shift = isMapped ? place.top - place.offset : 0;
    const originPx = originOf(next.first) * rowHeightPx;
    blockRef.current.style.transform = `translateY(${originPx + shift}px)`;
    const { first, count } = shownRef.current;
    if (first === next.first && count === next.count) return;
    shownRef.current = next;
    setShown(next);
    if (first !== next.first) onMove();
  }, [scrollRef, place, onMove]);
  const moveAtOnce = useCallback(() => flushSync(move), [move]);
  useMoves(scrollRef, place, moveAtOnce);
  const shownPx = useRef(rowHeightPx);
  useLayoutEffect(() => {
    const scroller = scrollRef.current;
    if (!scroller || !density) return;
    place.totalPx = rowCount * rowHeightPx;
    // The first row in sight stays when the height of rows changes.
    place.offset *= rowHeightPx / shownPx.current;
    shownPx.current = rowHeightPx;
    place.offset = Math.max(0, Math.min(place.offset, place.totalPx - viewOf(scroller)));
    if (place.totalPx <= bodyPxMax) scroller.scrollTop = place.offset;
    move();
  }, [rowCount, density, place, move, scrollRef]);
  const showRow = useCallback(
    (row: number) => {
      const scroller = scrollRef.current;
      if (!scroller) return;
      const view = viewOf(scroller);
      const top = row * rowHeightPx;
      if (top < place.offset) place.offset = top;
      else if (top + rowHeightPx > place.offset + view) place.offset = top + rowHeightPx - view;
      else return;
      if (place.totalPx <= bodyPxMax) scroller.scrollTop = place.offset;
      move();
    },
    [place, scrollRef, move],
  );
  const bodyPx = Math.min(rowCount * rowHeightPx, bodyPxMax);
  return { ...shown, isResting, origin: originOf(shown.first), blockRef, showRow, bodyPx };
}
