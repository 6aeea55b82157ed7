/** The window's frame: rail, the screen that the address names, and the page without a session. */
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { chooseAccount, readAccount } from './api/account.ts';
import { findDesktop } from './api/desktop.ts';
import { useAccounts, useEventStream } from './api/live.ts';
import { hasSession, onSessionChange } from './api/session.ts';
import { ConnectionsScreen } from './screens/connections/connections-screen.tsx';
import { SpendingPrompt } from './screens/connections/spending-questions.tsx';
import { ConsentPrompt } from './screens/consent/consent-prompt.tsx';
import { DirectoryScreen } from './screens/directory/directory-screen.tsx';
import { EnrichScreen } from './screens/enrich/enrich-screen.tsx';
import { FlowProvider, useFlow } from './screens/enrich/flow.tsx';
import { JobScreen } from './screens/job/job-screen.tsx';
import { JobsScreen } from './screens/jobs/jobs-screen.tsx';
import { LockedScreen } from './screens/locked-screen.tsx';
import { FindingsScreen } from './screens/monitors/findings-screen.tsx';
import { MonitorScreen } from './screens/monitors/monitor-screen.tsx';
import { MonitorsScreen } from './screens/monitors/monitors-screen.tsx';
import { NewMonitorScreen } from './screens/monitors/new-monitor-screen.tsx';
import { DraftProvider } from './screens/pipelines/draft.tsx';
import { NewPipelineScreen } from './screens/pipelines/new-pipeline-screen.tsx';
import { PipelineScreen } from './screens/pipelines/pipeline-screen.tsx';
import { PipelinesScreen } from './screens/pipelines/pipelines-screen.tsx';
import { SettingsScreen } from './screens/settings/settings-screen.tsx';
import { WalletScreen } from './screens/wallet/wallet-screen.tsx';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

function Screens() {
  return (
    <Switch>
      <Route path="/" component={EnrichScreen} />
      <Route path="/jobs" component={JobsScreen} />
      <Route path="/jobs/:id">{({ id }) => <JobScreen key={id} jobId={id} />}</Route>
      <Route path="/directory" component={DirectoryScreen} />
      <Route path="/pipelines" component={PipelinesScreen} />
      <Route path="/pipelines/new" component={NewPipelineScreen} />
      <Route path="/pipelines/:id">{({ id }) => <PipelineScreen key={id} id={id} />}</Route>
      <Route path="/monitors" component={MonitorsScreen} />
      <Route path="/monitors/new">{() => <NewMonitorScreen />}</Route>
      <Route path="/monitors/new/:job">{({ job }) => <NewMonitorScreen jobId={job} />}</Route>
      <Route path="/monitors/jobs/:id">
        {({ id }) => <FindingsScreen key={id} id={Number(id)} />}
      </Route>
      <Route path="/monitors/:id">{({ id }) => <MonitorScreen key={id} id={Number(id)} />}</Route>
      <Route path="/wallet" component={WalletScreen} />
      <Route path="/connections" component={ConnectionsScreen} />
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

/** Another screen begins at its top. */
function useScreenTop() {
  const [location] = useLocation();
  useEffect(() => {
    if (location) document.getElementById('screen')?.scrollTo(0, 0);
  }, [location]);
}

function Frame() {
  useOpenCommand();
  useScreenTop();
  return (
    <div className={classes.shell}>
      <button
        type="button"
        className={classes.skip}
        onClick={() => document.getElementById('screen')?.focus()}
      >
        Skip to the screen
      </button>
      <ConsentPrompt />
      <SpendingPrompt />
      <Sidebar />
      <main id="screen" className={classes.main} tabIndex={-1}>
        <Screens />
      </main>
    </div>
  );
}

/** The account that was chosen last may be gone with its data: then the first is acted for. */
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
  return (
    <FlowProvider>
      <DraftProvider>
        <Frame />
      </DraftProvider>
    </FlowProvider>
  );
}

/** The whole interface. */
export function App() {
  const open = useSyncExternalStore(onSessionChange, hasSession);
  if (!open) return <LockedScreen />;
  return (
    <KnownAccount>
      <Desk />
    </KnownAccount>
  );
}
