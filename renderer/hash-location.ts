/**
 * The place of the page: the path and the query of a screen, both in the fragment of the address,
 * as in `#/jobs/ID?status=skipped`. A query outside the fragment would stay when the path changes.
 */
import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};

const readPlace = (): string => `/${location.hash.replace(/^#?\/?/, '')}`;
const readPath = (): string => readPlace().split('?')[0] ?? '/';
const readQuery = (): string => readPlace().split('?')[1] ?? '';

function navigate(to: string, { state = null, replace = false } = {}): void {
  const url = new URL(location.href);
  url.hash = to.replace(/^#?\/?/, '/');
  history[replace ? 'replaceState' : 'pushState'](state, '', url);
  dispatchEvent(new HashChangeEvent('hashchange'));
}

/** The location hook of the router. */
export const useHashLocation = Object.assign(
  (): [string, typeof navigate] => [useSyncExternalStore(subscribe, readPath), navigate],
  {
    hrefs: (href: string) => `#${href}`,
    searchHook: () => useSyncExternalStore(subscribe, readQuery),
  },
);
