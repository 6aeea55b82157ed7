// The view of a job's rows, kept in the address: filters, search and order.
import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { nameLayer } from '../../../engine/contract/jobs/layers.ts';
import { type RowView, RowViewSchema } from '../../../engine/contract/jobs/row-view.ts';
import { wordOfReason } from '../../components/words.ts';

export type OutcomeChoice = Pick<RowView, 'status' | 'reason' | 'has'>;

/** A view without members that choose nothing. */
function tidyView(view: RowView): RowView {
  const { direction, ...rest } = view;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined && value !== '');
  const isReversed = rest.sort !== undefined && direction === 'desc';
  return { ...Object.fromEntries(given), ...(isReversed ? { direction } : {}) };
}

/** Whether the job's own counters answer the view. */
export const isStatusAlone = (view: RowView): boolean =>
  Object.keys(view).every((name) => name === 'status');

export function useRowView(): [RowView, (change: RowView) => void] {
  const query = useSearch();
  const [path, navigate] = useLocation();
  const view = useMemo(() => {
    const read = RowViewSchema.safeParse(Object.fromEntries(new URLSearchParams(query)));
    return tidyView(read.data ?? {});
  }, [query]);
  const change = useCallback(
    (part: RowView) => {
      const next = new URLSearchParams(tidyView({ ...view, ...part }) as Record<string, string>);
      const text = next.toString();
      navigate(text ? `${path}?${text}` : path, { replace: true });
    },
    [view, path, navigate],
  );
  return [view, change];
}

/** The view that a job can show: one that runs is neither searched, sorted, nor read by import. */
export const viewOf = (status: StatusData['status'], view: RowView): RowView => {
  if (status === 'completed') return view;
  const { origin: _origin, search: _search, sort: _sort, direction: _direction, ...filters } = view;
  return filters;
};

const contentWords = { changed: 'changed', left: 'left', email: 'email' } as const;

/** What the shown rows are, before the word "rows"; null if all rows are shown in their order. */
export function nameView(view: RowView): string | null {
  const words = [
    view.status,
    view.reason && wordOfReason(view.reason),
    view.has && contentWords[view.has],
    view.layer && nameLayer(view.layer),
    view.source && (view.source === 'provider' ? 'data service' : 'directory'),
    view.origin && `from ${view.origin}`,
    view.search && `“${view.search}”`,
    view.sort && 'sorted',
  ].filter(Boolean);
  return words.length > 0 ? words.join(', ') : null;
}
