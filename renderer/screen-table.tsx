/** The table of screens. Routes, sidebar and window titles derive from it (CONTRIBUTING.md). */
import {
  IconAddressBook,
  IconListDetails,
  IconLockOpen2,
  IconPlugConnected,
  IconRadar2,
  IconSettings,
  IconTablePlus,
  IconWallet,
} from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { Redirect, Route, type StringRouteParams, Switch } from 'wouter';
import type { AppState } from '../engine/contract/engine.ts';
import { useScreenTitle } from './components/titles/page-title.tsx';
import { AuditScreen } from './screens/audit/audit-screen.tsx';
import { ConnectionsScreen } from './screens/connections/connections-screen.tsx';
import { DirectoryScreen } from './screens/directory/directory-screen.tsx';
import { DuplicateScreen } from './screens/duplicates/duplicate-screen.tsx';
import { DuplicatesScreen } from './screens/duplicates/duplicates-screen.tsx';
import { EnrichScreen } from './screens/enrich/enrich-screen.tsx';
import { HelpScreen } from './screens/help/help-screen.tsx';
import { JobScreen } from './screens/job/job-screen.tsx';
import { JobsScreen } from './screens/jobs/jobs-screen.tsx';
import { FindingsScreen } from './screens/monitors/findings-screen.tsx';
import { MonitorScreen } from './screens/monitors/monitor-screen.tsx';
import { MonitorsScreen } from './screens/monitors/monitors-screen.tsx';
import { NewMonitorScreen } from './screens/monitors/new-monitor-screen.tsx';
import { PersonDataScreen } from './screens/person-data/person-data-screen.tsx';
import { NewPipelineScreen } from './screens/pipelines/new-pipeline-screen.tsx';
import { PipelineScreen } from './screens/pipelines/pipeline-screen.tsx';
import { PipelinesScreen } from './screens/pipelines/pipelines-screen.tsx';
import { ProvidersScreen } from './screens/providers/providers-screen.tsx';
import { ReviewScreen } from './screens/review/review-screen.tsx';
import { SettingsScreen } from './screens/settings/settings-screen.tsx';
import { SuppressionScreen } from './screens/suppression/suppression-screen.tsx';
import { WalletScreen } from './screens/wallet/wallet-screen.tsx';

interface Screen<Path extends string = string> {
  readonly path: Path;
  /** The window's title and, with an icon, the label in the sidebar. */
  readonly title: string;
  /** Screens of one family are tabs: they keep their state and the focus. */
  readonly family?: string;
  /** Puts the screen into the sidebar, in table order. */
  readonly Icon?: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;
  /** A count of active items, shown next to the link. */
  countRunning?(state: AppState): number;
  render(params: StringRouteParams<Path>): ReactNode;
}

const screen = <const Path extends string>(one: Screen<Path>): Screen<Path> => one;

/** Every screen. If two paths match an address, the first one wins. */
const screens = [
  screen({ path: '/', title: 'Enrich', Icon: IconTablePlus, render: () => <EnrichScreen /> }),
  screen({
    path: '/jobs',
    title: 'Jobs',
    Icon: IconListDetails,
    countRunning: ({ running_jobs: running }) => running,
    render: () => <JobsScreen />,
  }),
  screen({
    path: '/jobs/:id',
    title: 'Job',
    render: ({ id }) => <JobScreen key={id} jobId={id} />,
  }),
  screen({
    path: '/jobs/:id/review',
    title: 'Review',
    render: ({ id }) => <ReviewScreen key={id} jobId={id} />,
  }),
  screen({
    path: '/directory',
    title: 'Directory',
    Icon: IconAddressBook,
    render: () => <DirectoryScreen />,
  }),
  screen({
    path: '/directory/person-data',
    title: 'A person’s data',
    render: () => <PersonDataScreen />,
  }),
  screen({
    path: '/directory/suppression',
    title: 'Suppression',
    render: () => <SuppressionScreen />,
  }),
  screen({
    path: '/directory/duplicates',
    title: 'Duplicates',
    render: () => <DuplicatesScreen />,
  }),
  screen({
    path: '/directory/duplicates/:id',
    title: 'Compare',
    render: ({ id }) => <DuplicateScreen key={id} id={Number(id)} />,
  }),
  screen({
    path: '/pipelines',
    title: 'Unlock',
    Icon: IconLockOpen2,
    render: () => <PipelinesScreen />,
  }),
  screen({
    path: '/pipelines/new',
    title: 'New pipeline',
    render: () => <NewPipelineScreen />,
  }),
  screen({
    path: '/pipelines/:id',
    title: 'Pipeline',
    render: ({ id }) => <PipelineScreen key={id} id={id} />,
  }),
  screen({
    path: '/monitors',
    title: 'Monitors',
    Icon: IconRadar2,
    render: () => <MonitorsScreen />,
  }),
  screen({ path: '/monitors/new', title: 'New monitor', render: () => <NewMonitorScreen /> }),
  screen({
    path: '/monitors/new/:job',
    title: 'New monitor',
    render: ({ job }) => <NewMonitorScreen jobId={job} />,
  }),
  screen({
    path: '/monitors/jobs/:id',
    title: 'Run',
    render: ({ id }) => <FindingsScreen key={id} id={Number(id)} />,
  }),
  screen({
    path: '/monitors/:id',
    title: 'Monitor',
    render: ({ id }) => <MonitorScreen key={id} id={Number(id)} />,
  }),
  screen({ path: '/wallet', title: 'Wallet', Icon: IconWallet, render: () => <WalletScreen /> }),
  screen({
    path: '/connections',
    title: 'Connections',
    Icon: IconPlugConnected,
    family: 'connections',
    render: () => <ConnectionsScreen tab="api" />,
  }),
  screen({
    path: '/connections/assistants',
    title: 'Assistants',
    family: 'connections',
    render: () => <ConnectionsScreen tab="assistants" />,
  }),
  screen({
    path: '/connections/webhooks',
    title: 'Webhooks',
    family: 'connections',
    render: () => <ConnectionsScreen tab="webhooks" />,
  }),
  screen({
    path: '/connections/requests',
    title: 'Requests',
    family: 'connections',
    render: () => <ConnectionsScreen tab="requests" />,
  }),
  screen({
    path: '/connections/providers',
    title: 'Providers',
    render: () => <ProvidersScreen />,
  }),
  screen({
    path: '/settings',
    title: 'Settings',
    Icon: IconSettings,
    render: () => <SettingsScreen />,
  }),
  screen({ path: '/help', title: 'Help', render: () => <HelpScreen /> }),
  screen({ path: '/settings/audit', title: 'Audit log', render: () => <AuditScreen /> }),
] as const;

/** The screens of the sidebar, in order. */
export const sidebarScreens = screens.filter(
  (one): one is typeof one & Required<Pick<Screen, 'Icon'>> => one.Icon !== undefined,
);

/** The screens whose address needs no record, in order. */
export const fixedScreens: readonly Screen[] = screens.filter(({ path }) => !path.includes(':'));

function Titled({ title, children }: { title: string; children: ReactNode }) {
  useScreenTitle(title);
  return children;
}

/** Renders the screen of the address; the first screen if none matches. */
export function ScreenRoutes() {
  const all: readonly Screen[] = screens;
  return (
    <Switch>
      {all.map(({ path, title, family, render }) => (
        <Route key={family ?? path} path={path}>
          {(params) => <Titled title={title}>{render(params)}</Titled>}
        </Route>
      ))}
      <Route>
        <Redirect to="/" />
      </Route>
    </Switch>
  );
}
