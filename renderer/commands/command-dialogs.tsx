/** Opens the command palette (Ctrl K or ⌘ K) and the keyboard shortcuts (?) on any screen. */
import { lazy, Suspense, useEffect } from 'react';
import { isTyping } from './is-typing.ts';
import { closeDialog, openDialog, useOpenDialog } from './open-dialog.ts';

const Palette = lazy(() => import('./palette.tsx'));
const ShortcutHelp = lazy(() => import('./shortcut-help.tsx'));

function useShortcuts(isOpen: boolean): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
      const isPalette = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k';
      if (isPalette) {
        event.preventDefault();
        return isOpen ? closeDialog() : openDialog('commands');
      }
      if (key !== '?' || ctrlKey || metaKey || altKey || isOpen || isTyping(target)) return;
      event.preventDefault();
      openDialog('keys');
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isOpen]);
}

/** The open dialog, if there is one. */
export function CommandDialogs() {
  const open = useOpenDialog();
  useShortcuts(open !== null);
  // A locked page shows no dialog, also not once it is open again.
  useEffect(() => () => closeDialog(), []);
  return (
    <Suspense fallback={null}>
      {open === 'commands' && <Palette />}
      {open === 'keys' && <ShortcutHelp />}
    </Suspense>
  );
}
