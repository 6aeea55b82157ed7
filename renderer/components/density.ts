/** How much room rows of tables and grids take; kept in this browser. */
import { useSyncExternalStore } from 'react';

const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

const storageKey = 'desk-density';
const listeners = new Set<() => void>();

const readStored = (): Density =>
  densities.find((one) => one === localStorage.getItem(storageKey)) ?? 'comfortable';

/** Shows the stored density. Style sheets read it as `[data-density]` of the root element. */
function showDensity(): void {
  document.documentElement.dataset.density = readStored();
  for (const listener of listeners) listener();
}

/** Stores and shows a density. */
export function chooseDensity(density: Density): void {
  localStorage.setItem(storageKey, density);
  showDensity();
}

showDensity();
// Another tab of this browser has changed it.
addEventListener('storage', ({ key }) => {
  if (key === storageKey) showDensity();
});

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The density in use. */
export const useDensity = (): Density => useSyncExternalStore(subscribe, readStored);
