// The account of the page: sent with every request and remembered on this device.

const storageKey = 'desk-account';
const listeners = new Set<() => void>();

// Another window may use another account. Only a new window reads the last choice.
let chosen = localStorage.getItem(storageKey);
let isJustChosen = false;

/** Returns the selected account's id, or null for the installation's first account. */
export const readAccount = (): string | null => chosen;

/** Headers that name the account; none for the first one. */
export const accountHeaders = (): Record<string, string> =>
  chosen === null ? {} : { 'x-desk-account': chosen };

/** Selects an account; null for the installation's first one. */
export function chooseAccount(id: string | null): void {
  chosen = id;
  isJustChosen = id !== null;
  if (id === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, id);
  for (const listener of listeners) listener();
}

/** Calls `listener` after every change of account. Returns a function that unsubscribes. */
export function onAccountChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns true once after a change, so that the switcher can take back the focus. */
export function takeJustChosen(): boolean {
  const taken = isJustChosen;
  isJustChosen = false;
  return taken;
}
