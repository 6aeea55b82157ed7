// How much room rows of tables and grids take; kept in this browser.
import { useSyncExternalStore } from 'react';

const densities = ['comfortable', 'compact'] as const;
export type Density = (typeof densities)[number];

/** Height of a grid's row and of its header, in pixels; styles.css has the same. */
const rowHeights: Readonly<Record<Density, number>> = { comfortable: 32, compact: 26 };

const storageKey = 'desk-density';
const listeners = new Set<() => void>();

const readStored = (): Density =>
  densities.find((one) => one === localStorage.getItem(storageKey)) ?? 'comfortable';

// Read once: a grid asks for it in every frame of a scroll.
let density = readStored();

/** Height of a grid's row and of its header in the density in use, in pixels. */
export let rowHeightPx: number = rowHeights[density];

/** Shows the stored density. Style sheets read it as `[data-density]` of the root element. */
function showDensity(): void {
  density = readStored();
  document.documentElement.dataset.density = density;
  rowHeightPx = rowHeights[density];
  for (const listener of listeners) listener();
}

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

export const useDensity = (): Density => useSyncExternalStore(subscribe, () => density);
