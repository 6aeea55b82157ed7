/** Moves a column by dragging its title: marks where it will be, and scrolls at the edges. */
import type { PointerEvent } from 'react';

/** Pixels after which a press is a drag, so that a click still sorts. */
const startPx = 5;
/** Pixels from an edge of the grid where a drag scrolls, and by how many. */
const edgePx = 48;
const scrollStepPx = 16;

/** Scrolls the grid sideways while the pointer is at one of its edges. */
function scrollAtEdge(grid: HTMLElement, x: number): void {
  const { left, right } = grid.getBoundingClientRect();
  if (x > right - edgePx) grid.scrollLeft += scrollStepPx;
  else if (x < left + edgePx) grid.scrollLeft -= scrollStepPx;
}

/** The other title under the pointer, and the side of it where the column will be. */
function findTarget(header: HTMLElement, x: number) {
  const titles = header.parentElement?.querySelectorAll<HTMLElement>('[data-column]') ?? [];
  const target = [...titles].find((title) => {
    const { left, right } = title.getBoundingClientRect();
    return x >= left && x < right;
  });
  if (!target || target === header) return null;
  const isRight = target.getBoundingClientRect().left > header.getBoundingClientRect().left;
  return { target, side: isRight ? 'after' : 'before' };
}

/**
 * Begins a drag if the pointer is on a title.
 * @param onDrop receives the moved column and the one whose place it takes
 */
export function dragColumn(event: PointerEvent, onDrop: (id: string, toId: string) => void): void {
  const pressed = event.target as Element;
  const header = pressed.closest<HTMLElement>('[data-column]');
  const grid = pressed.closest<HTMLElement>('[role=grid]');
  // A finger scrolls, and the edge of a title resizes.
  const isDrag = event.button === 0 && event.pointerType !== 'touch';
  if (!header || !grid || !isDrag || pressed.closest('[data-edge]')) return;
  const ended = new AbortController();
  let found: ReturnType<typeof findTarget> = null;
  const mark = (next: typeof found) => {
    if (found) delete found.target.dataset.drop;
    if (next) next.target.dataset.drop = next.side;
    found = next;
  };
  const move = ({ clientX }: MouseEvent) => {
    if (header.dataset.dragged === undefined && Math.abs(clientX - event.clientX) < startPx) return;
    header.dataset.dragged = '';
    grid.dataset.moving = '';
    scrollAtEdge(grid, clientX);
    mark(findTarget(header, clientX));
  };
  const end = () => {
    ended.abort();
    mark(null);
    delete grid.dataset.moving;
  };
  const drop = () => {
    const [id, toId] = [header.dataset.column, found?.target.dataset.column];
    end();
    if (id !== undefined && toId !== undefined) onDrop(id, toId);
  };
  const { signal } = ended;
  addEventListener('pointermove', move, { signal });
  addEventListener('pointerup', drop, { signal });
  addEventListener('pointercancel', end, { signal });
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal });
}
