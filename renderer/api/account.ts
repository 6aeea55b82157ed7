/** The account that the page acts for: sent with every request, and remembered on this device. */

const storageKey = 'desk-account';
const listeners = new Set<() => void>();

// Another window may act for another account: only a new window asks what was chosen last.
let chosen = localStorage.getItem(storageKey);
let isJustChosen = false;

/** The chosen account's id; null for the installation's first. */
export const readAccount = (): string | null => chosen;

/** The headers that name the account; none for the first. */
export const accountHeaders = (): Record<string, string> =>
  chosen === null ? {} : { 'x-desk-account': chosen };

/** Acts for another account from now on; null for the installation's first. */
export function chooseAccount(id: string | null): void {
  chosen = id;
  isJustChosen = id !== null;
  if (id === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, id);
  for (const listener of listeners) listener();
}

/** Calls `listener` whenever another account is chosen; answers how to stop. */
export function onAccountChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True once after a choice: whoever made it is to have the focus again. */
export function takeJustChosen(): boolean {
  const taken = isJustChosen;
  isJustChosen = false;
  return taken;
}
