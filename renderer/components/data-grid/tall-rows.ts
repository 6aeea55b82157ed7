/**
 * Finds the visible rows of a very tall grid. Chromium limits an element to 33 million pixels, so
 * the body has at most `bodyPxMax`, and scrolling is mapped to rows; the wheel moves row by row.
 */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react';
import { rowHeightPx, useDensity } from '../../preferences/density.ts';

const bodyPxMax = 8_000_000;

type Rows = Virtualizer<HTMLDivElement, Element>;

/** Position of the rows: `offset` is the number of their pixels scrolled past. */
interface Place {
  offset: number;
  totalPx: number;
}

/** Pixels of rows per pixel of the scroll bar; 1 while the rows fit an element. */
function scaleOf(scroller: HTMLElement, totalPx: number): number {
  if (totalPx <= bodyPxMax) return 1;
  const viewPx = scroller.clientHeight - rowHeightPx;
  return (totalPx - viewPx) / (bodyPxMax - viewPx);
}

/** Reports the mapped offset to the virtualizer and moves the block of rows. */
function observe(place: Place, moveBlock: () => void) {
  return (instance: Rows, report: (offset: number, isScrolling: boolean) => void) => {
    const scroller = instance.scrollElement;
    if (!scroller) return;
    const go = (offset: number) => {
      place.offset = offset;
      moveBlock();
      report(offset, true);
    };
    const onScroll = () => {
      const scale = scaleOf(scroller, place.totalPx);
      const offset = scroller.scrollTop * scale;
      // A scroll caused by this file ends within a pixel of the stored exact offset.
      go(scale > 1 && Math.abs(offset - place.offset) <= scale ? place.offset : offset);
    };
    const onWheel = (event: WheelEvent) => {
      const scale = scaleOf(scroller, place.totalPx);
      if (scale === 1 || event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
      event.preventDefault();
      const lastPx = place.totalPx - (scroller.clientHeight - rowHeightPx);
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeightPx : 1;
      go(Math.min(Math.max(0, place.offset + event.deltaY * lines), lastPx));
      scroller.scrollTop = place.offset / scale;
    };
    const onEnd = () => report(place.offset, false);
    scroller.addEventListener('scroll', onScroll, { passive: true });
    scroller.addEventListener('wheel', onWheel, { passive: false });
    scroller.addEventListener('scrollend', onEnd);
    onScroll();
    return () => {
      scroller.removeEventListener('scroll', onScroll);
      scroller.removeEventListener('wheel', onWheel);
      scroller.removeEventListener('scrollend', onEnd);
    };
  };
}

/** Keeps the first visible row in its place when the height of rows changes. */
function useRowHeight(
  virtualizer: Rows,
  place: Place,
  scrollRef: RefObject<HTMLDivElement | null>,
): void {
  const density = useDensity();
  const shownPx = useRef(rowHeightPx);
  useLayoutEffect(() => {
    const scroller = scrollRef.current;
    if (!density || !scroller || shownPx.current === rowHeightPx) return;
    place.offset *= rowHeightPx / shownPx.current;
    shownPx.current = rowHeightPx;
    virtualizer.measure();
    scroller.scrollTop = place.offset / scaleOf(scroller, place.totalPx);
    scroller.dispatchEvent(new Event('scroll'));
  }, [density, virtualizer, place, scrollRef]);
}

/** The visible rows, their block, and a function that scrolls to a row. */
export function useTallRows(scrollRef: RefObject<HTMLDivElement | null>, rowCount: number) {
  const place = useRef<Place>({ offset: 0, totalPx: 0 }).current;
  const blockRef = useRef<HTMLDivElement>(null);
  const firstPx = useRef(0);
  place.totalPx = rowCount * rowHeightPx;
  const moveBlock = useCallback(() => {
    const scroller = scrollRef.current;
    if (!blockRef.current || !scroller) return;
    const scale = scaleOf(scroller, place.totalPx);
    const shift = scale === 1 ? 0 : scroller.scrollTop - place.offset;
    blockRef.current.style.transform = `translateY(${firstPx.current + shift}px)`;
  }, [place, scrollRef]);
  const observer = useRef(observe(place, moveBlock)).current;
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rowCount,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowHeightPx,
    overscan: 10,
    observeElementOffset: observer,
    scrollToFn: () => undefined,
  });
  useRowHeight(virtualizer, place, scrollRef);
  const items = virtualizer.getVirtualItems();
  firstPx.current = items[0]?.start ?? 0;
  useLayoutEffect(moveBlock);
  const showRow = useCallback(
    (row: number) => {
      const scroller = scrollRef.current;
      if (!scroller) return;
      const viewPx = scroller.clientHeight - rowHeightPx;
      const top = row * rowHeightPx;
      if (top < place.offset) place.offset = top;
      else if (top + rowHeightPx > place.offset + viewPx) place.offset = top + rowHeightPx - viewPx;
      else return;
      scroller.scrollTop = place.offset / scaleOf(scroller, place.totalPx);
      scroller.dispatchEvent(new Event('scroll'));
    },
    [place, scrollRef],
  );
  return { items, blockRef, showRow, bodyPx: Math.min(place.totalPx, bodyPxMax) };
}
