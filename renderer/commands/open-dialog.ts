// Which dialog of this folder is open: one at a time, from any place of the page.
import { useSyncExternalStore } from 'react';

/** `commands`: the command palette; `keys`: the keyboard shortcuts. */
export type CommandDialog = 'commands' | 'keys';

let open: CommandDialog | null = null;
let focused: Element | null = null;
let typed = '';
const listeners = new Set<() => void>();

/** Keeps what is typed before the palette is loaded: as keys of the screen it would decide rows. */
function keepKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return;
  if (key === 'Escape') closeDialog();
  else if (key.length === 1) typed += key;
  event.preventDefault();
  event.stopPropagation();
}

/** What was typed since the palette was asked for. Called when its field has the focus. */
export function takeTyped(): string {
  window.removeEventListener('keydown', keepKey, true);
  const text = typed;
  typed = '';
  return text;
}

function change(to: CommandDialog | null): void {
  takeTyped();
  if (to === 'commands') window.addEventListener('keydown', keepKey, true);
  open = to;
  for (const listener of listeners) listener();
}

/** Opens a dialog. The control that had the focus gets it back. */
export function openDialog(dialog: CommandDialog): void {
  if (open === null) focused = document.activeElement;
  change(dialog);
}

/**
 * Closes the dialog.
 * @param next called once the dialog is gone, which keeps the focus inside; by default it gives the
 * focus back to the control that had it, or to the screen if the control is gone
 */
export function closeDialog(next: () => void = focusBefore(focused)): void {
  if (open === null) return;
  change(null);
  focused = null;
  setTimeout(next);
}

export const focusScreen = (): void =>
  document.getElementById('screen')?.focus({ preventScroll: true });

function focusBefore(before: Element | null): () => void {
  return () => {
    if (before instanceof HTMLElement && before !== document.body && before.isConnected)
      before.focus({ preventScroll: true });
    else focusScreen();
  };
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useOpenDialog = (): CommandDialog | null =>
  useSyncExternalStore(subscribe, () => open);
