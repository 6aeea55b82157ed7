// The window's frame: sidebar, current screen, and the page without a session.
import { Alert, Code } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useEffect, useReducer, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { chooseAccount, readAccount } from './api/account.ts';
import { findDesktop } from './api/desktop.ts';
import { useAccounts, useEventStream, useIsOffline, useNetworkSignal } from './api/live.ts';
import { hasSession, onSessionChange } from './api/session.ts';
import { closeDialog, openDialog, useOpenDialog } from './commands/open-dialog.ts';
import { latePart } from './late-part.tsx';
import { lazyScreen } from './lazy-screen.tsx';
import { setLocale } from './preferences/locale.ts';
import { ScreenRoutes } from './screen-table.tsx';
import { FlowProvider } from './screens/enrich/flow.tsx';
import { OpenFiles } from './screens/enrich/open-files.tsx';
import { DraftProvider } from './screens/pipelines/draft.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

/** Says that the figures are old, and what to do. It goes away by itself. */
function EngineOffline() {
  if (!useIsOffline()) return null;
  return (
    <Alert
      role="alert"
      color="red"
      className={classes.offline}
      icon={<IconPlugConnectedX size={18} aria-hidden />}
      title="The engine is not responding"
    >
      The figures on this page are the last known ones. No data is lost: a running job continues
      when the engine runs again, and this page reconnects by itself.{' '}
      {findDesktop() ? (
        'The app is restarting the engine. If this takes longer than a minute, restart the app.'
      ) : (
        <>
          If the engine was stopped, start it again with <Code>npm start</Code> or{' '}
          <Code>desk serve</Code>, with the same port.
        </>
      )}
    </Alert>
  );
}

const typingRoles = ['textbox', 'searchbox', 'combobox', 'spinbutton'];
const plainInputs = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'reset', 'submit'];

/** @param target of the event */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || typingRoles.includes(target.getAttribute('role') ?? ''))
    return true;
  if (target instanceof HTMLInputElement) return !plainInputs.includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

const Palette = lazy(() => import('./commands/palette.tsx'));
const ShortcutHelp = lazy(() => import('./commands/shortcut-help.tsx'));

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

function CommandDialogs() {
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

const ReadOnlyBanner = latePart(() =>
  import('./read-only-banner.tsx').then((file) => file.ReadOnlyBanner),
);

const LockedScreen = lazyScreen(() =>
  import('./screens/locked-screen.tsx').then((file) => file.LockedScreen),
);
const ConsentPrompt = latePart(() =>
  import('./screens/consent/consent-prompt.tsx').then((file) => file.ConsentPrompt),
);
const DesktopRequests = latePart(() =>
  import('./desktop-requests.tsx').then((file) => file.DesktopRequests),
);
const DropAnywhere = latePart(() =>
  import('./screens/enrich/drop-anywhere.tsx').then((file) => file.DropAnywhere),
);
const KeptList = latePart(() =>
  import('./screens/enrich/kept-list.tsx').then((file) => file.KeptList),
);
const SpendingPrompt = latePart(() =>
  import('./screens/connections/spending-questions.tsx').then((file) => file.SpendingPrompt),
);

/** Another screen starts at its top. */
function useScreenTop() {
  const [location] = useLocation();
  useEffect(() => {
    if (location) document.getElementById('screen')?.scrollTo(0, 0);
  }, [location]);
}

function Frame() {
  useScreenTop();
  return (
    <div className={classes.shell}>
      <button
        type="button"
        className={classes.skip}
        onClick={() => document.getElementById('screen')?.focus()}
      >
        Skip to content
      </button>
      <ConsentPrompt />
      <SpendingPrompt />
      <CommandDialogs />
      <Sidebar />
      <main id="screen" className={classes.main} tabIndex={-1}>
        <EngineOffline />
        <ReadOnlyBanner />
        <ScreenRoutes />
      </main>
    </div>
  );
}

/** If the last selected account no longer exists, select the first one. */
function KnownAccount({ children }: { children: ReactNode }) {
  const { data: accounts, isPending } = useAccounts();
  const chosen = readAccount();
  const isGone = chosen !== null && accounts?.every(({ id }) => id !== chosen) === true;
  useEffect(() => {
    if (isGone) chooseAccount(null);
  }, [isGone]);
  return chosen !== null && (isPending || isGone) ? null : children;
}

function Desk() {
  useEventStream();
  useNetworkSignal();
  return (
    <FlowProvider>
      <DraftProvider>
        <OpenFiles>
          <Frame />
          <DropAnywhere />
          <KeptList />
          {findDesktop() && <DesktopRequests />}
        </OpenFiles>
      </DraftProvider>
    </FlowProvider>
  );
}

/** Renders all again when the system's language has changed. */
function useSystemLocale() {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const change = () => {
      setLocale();
      render();
    };
    window.addEventListener('languagechange', change);
    return () => window.removeEventListener('languagechange', change);
  }, []);
}

export function App() {
  useSystemLocale();
  const open = useSyncExternalStore(onSessionChange, hasSession);
  if (!open) return <LockedScreen />;
  return (
    <KnownAccount>
      <Desk />
    </KnownAccount>
  );
}
