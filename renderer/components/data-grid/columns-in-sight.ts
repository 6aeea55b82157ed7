// The columns that are in sight. Cells move sideways by `--grid-x` in a block as wide as the view,
// `--grid-view`, next to heads that stay: a sticky head would be a layer for each row.
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type GridColumn, type GridTable, idOfColumn, indexOfColumn } from './grid-columns.ts';
import type { PlacedColumn } from './grid-row.tsx';

interface View {
  readonly left: number;
  readonly width: number;
}

/** Pixels around the view whose columns are there before they are in sight. */
const aroundPx = 120;
/** A narrower view has no room for a pinned column. */
const pinnedViewMinPx = 480;
/** A scroll by fewer pixels than this keeps the columns. */
const stepPx = 60;

const viewOf = (scroller: HTMLElement): View => ({
  left: Math.floor(scroller.scrollLeft / stepPx) * stepPx,
  width: scroller.clientWidth,
});

/** Keeps `--grid-x` and `--grid-view`, and returns the view. */
function useView(scrollRef: RefObject<HTMLDivElement | null>): View {
  const [view, setView] = useState<View>({ left: 0, width: 0 });
  useLayoutEffect(() => {
    const scroller = scrollRef.current;
    if (!scroller) return;
    let left = 0;
    const show = () => {
      const next = viewOf(scroller);
      setView((before) =>
        before.left === next.left && before.width === next.width ? before : next,
      );
    };
    const onScroll = () => {
      if (scroller.scrollLeft === left) return;
      left = scroller.scrollLeft;
      scroller.style.setProperty('--grid-x', `${-left}px`);
      scroller.toggleAttribute('data-scrolled', left > 0);
      flushSync(show);
    };
    const onSize = () => {
      scroller.style.setProperty('--grid-view', `${scroller.clientWidth}px`);
      show();
    };
    onSize();
    const sizes = new ResizeObserver(onSize);
    sizes.observe(scroller);
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      sizes.disconnect();
      scroller.removeEventListener('scroll', onScroll);
    };
  }, [scrollRef]);
  return view;
}

function usePlaced(
  table: GridTable,
  columns: readonly GridColumn[],
  headWidthPx: number,
  canPin: boolean,
) {
  const visible = table.getVisibleLeafColumns();
  const sizes = visible.map((column) => `${indexOfColumn(column.id)}:${column.getSize()}`).join();
  return useMemo(() => {
    let left = headWidthPx;
    const parts = sizes === '' ? [] : sizes.split(',');
    return parts.map((part, place): PlacedColumn => {
      const [index = 0, width = 0] = part.split(':').map(Number);
      const column = columns[index];
      const { label = '', kind = 'plain', sort, note, hint } = column ?? {};
      const isPinned = canPin && column?.isPinned === true;
      const start = left;
      left += width;
      const id = idOfColumn(index);
      const edge = `var(--grid-view) - var(--grid-x, 0px) - ${width}px`;
      const style = { left: isPinned ? `min(${start}px, ${edge})` : start, width };
      return {
        id,
        place,
        index,
        left: start,
        width,
        style,
        label,
        kind,
        sort,
        note,
        hint,
        isPinned,
      };
    });
  }, [sizes, columns, headWidthPx, canPin]);
}

/** The columns in sight, the number of all that are visible, and a function that scrolls to one. */
export function useColumnsInSight(
  table: GridTable,
  columns: readonly GridColumn[],
  { headWidthPx, headMorePx }: { readonly headWidthPx: number; readonly headMorePx: number },
  scrollRef: RefObject<HTMLDivElement | null>,
) {
  const view = useView(scrollRef);
  const all = usePlaced(table, columns, headWidthPx, view.width >= pinnedViewMinPx);
  const [from, to] = [view.left - aroundPx, view.left + view.width + aroundPx];
  const firstAt = all.findIndex(({ left, width }) => left + width > from + headWidthPx);
  const first = firstAt < 0 ? all.length : firstAt;
  const end = all.findIndex(({ left }) => left >= to);
  const last = end < 0 ? all.length : end;
  const placed = useMemo(
    () => all.filter(({ isPinned, place }) => isPinned || (place >= first && place < last)),
    [all, first, last],
  );
  const latest = useRef(all);
  latest.current = all;
  const showColumn = useCallback(
    (place: number) => {
      const scroller = scrollRef.current;
      const column = latest.current[place];
      if (!scroller || !column) return;
      const start = Math.max(0, column.left - headWidthPx - (place === 0 ? 0 : headMorePx));
      const pinned = latest.current.find(({ isPinned }) => isPinned);
      const coveredPx = pinned && place < pinned.place ? pinned.width : 0;
      const over = column.left + column.width + coveredPx - scroller.clientWidth;
      if (start < scroller.scrollLeft) scroller.scrollLeft = start;
      else if (over > scroller.scrollLeft) scroller.scrollLeft = Math.min(start, over);
    },
    [scrollRef, headWidthPx, headMorePx],
  );
  const { left, width } = all.at(-1) ?? { left: headWidthPx, width: 0 };
  return { placed, visibleCount: all.length, widthPx: left + width, showColumn };
}
