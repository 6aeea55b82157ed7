/** The window's frame: rail, the screen that the address names, and the page without a session. */
import { useEffect, useSyncExternalStore } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { findDesktop } from './api/desktop.ts';
import { useEventStream } from './api/live.ts';
import { hasSession, onSessionChange } from './api/session.ts';
import { Rail } from './rail.tsx';
import { DirectoryScreen } from './screens/directory/directory-screen.tsx';
import { EnrichScreen } from './screens/enrich/enrich-screen.tsx';
import { FlowProvider, useFlow } from './screens/enrich/flow.tsx';
import { JobScreen } from './screens/job/job-screen.tsx';
import { JobsScreen } from './screens/jobs/jobs-screen.tsx';
import { LockedScreen } from './screens/locked-screen.tsx';
import { SettingsScreen } from './screens/settings/settings-screen.tsx';
import { WalletScreen } from './screens/wallet/wallet-screen.tsx';
import classes from './shell.module.css';

function Screens() {
  return (
    <Switch>
      <Route path="/" component={EnrichScreen} />
      <Route path="/jobs" component={JobsScreen} />
      <Route path="/jobs/:id">{({ id }) => <JobScreen key={id} jobId={id} />}</Route>
      <Route path="/directory" component={DirectoryScreen} />
      <Route path="/wallet" component={WalletScreen} />
      <Route path="/settings" component={SettingsScreen} />
      <Route>
        <Redirect to="/" />
      </Route>
    </Switch>
  );
}

/** Opens what the desktop's dialog answers, wherever in the app the menu is used. */
function useOpenCommand() {
  const { actions } = useFlow();
  const [, navigate] = useLocation();
  useEffect(() => {
    const desktop = findDesktop();
    const open = async () => {
      const chosen = await desktop?.openSpreadsheet();
      if (!chosen) return;
      navigate('/');
      await actions.choose(chosen);
    };
    return desktop?.onCommand((command) => {
      if (command === 'open-file') void open();
    });
  }, [actions, navigate]);
}

function Frame() {
  useOpenCommand();
  return (
    <div className={classes.shell}>
      <button
        type="button"
        className={classes.skip}
        onClick={() => document.getElementById('screen')?.focus()}
      >
        Skip to the screen
      </button>
      <Rail />
      <main id="screen" className={classes.main} tabIndex={-1}>
        <Screens />
      </main>
    </div>
  );
}

function Desk() {
  useEventStream();
  return (
    <FlowProvider>
      <Frame />
    </FlowProvider>
  );
}

/** The whole interface. */
export function App() {
  const open = useSyncExternalStore(onSessionChange, hasSession);
  return open ? <Desk /> : <LockedScreen />;
}
