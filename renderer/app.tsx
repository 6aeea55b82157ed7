/** The window's frame: sidebar, current screen, and the page without a session. */
import { type ReactNode, useEffect, useReducer, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { chooseAccount, readAccount } from './api/account.ts';
import { findDesktop } from './api/desktop.ts';
import { useAccounts, useEventStream, useNetworkSignal } from './api/live.ts';
import { hasSession, onSessionChange } from './api/session.ts';
import { CommandDialogs } from './commands/command-dialogs.tsx';
import { EngineOffline } from './engine-offline.tsx';
import { latePart } from './late-part.tsx';
import { lazyScreen } from './lazy-screen.tsx';
import { setLocale } from './preferences/locale.ts';
import { ScreenRoutes } from './screen-table.tsx';
import { FlowProvider } from './screens/enrich/flow.tsx';
import { OpenFiles } from './screens/enrich/open-files.tsx';
import { DraftProvider } from './screens/pipelines/draft.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

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
const SpendingPrompt = latePart(() =>
  import('./screens/connections/spending-questions.tsx').then((file) => file.SpendingPrompt),
);

/** Scrolls to the top when the screen changes. */
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

/** The whole interface. */
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
