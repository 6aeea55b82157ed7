// The table of screens. Routes, sidebar and window titles derive from it (CONTRIBUTING.md).
import {
  IconAddressBook,
  IconListDetails,
  IconPlugConnected,
  IconRadar2,
  IconSettings,
  IconTablePlus,
  IconWallet,
} from '@tabler/icons-react';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import { Link, Route, type StringRouteParams, Switch } from 'wouter';
import type { AppState } from '../engine/contract/engine.ts';
import { callEarly } from './api/client.ts';
import { hasSession } from './api/session.ts';
import type { EarlyRequest } from './api/transport/early.ts';
import { firstRequests } from './api/transport/first-requests.ts';
import { whenQuiet } from './api/transport/quiet.ts';
import { Page } from './components/page.tsx';
import { useScreenTitle } from './components/titles/page-title.tsx';
import { lazyScreen } from './lazy-screen.tsx';

type Load = () => Promise<unknown>;

const loads: Load[] = [];

function screenFile<Props extends object>(importFile: () => Promise<ComponentType<Props>>) {
  const Screen = lazyScreen(importFile);
  loads.push(Screen.load);
  return Screen;
}

const AuditScreen = screenFile(() =>
  import('./screens/audit/audit-screen.tsx').then((file) => file.AuditScreen),
);
const ConnectionsScreen = screenFile(() =>
  import('./screens/connections/connections-screen.tsx').then((file) => file.ConnectionsScreen),
);
const CompaniesScreen = screenFile(() =>
  import('./screens/directory/companies-screen.tsx').then((file) => file.CompaniesScreen),
);
const CompanyScreen = screenFile(() =>
  import('./screens/directory/records/company-screen.tsx').then((file) => file.CompanyScreen),
);
const DirectoryScreen = screenFile(() =>
  import('./screens/directory/directory-screen.tsx').then((file) => file.DirectoryScreen),
);
const DuplicateScreen = screenFile(() =>
  import('./screens/duplicates/duplicate-screen.tsx').then((file) => file.DuplicateScreen),
);
const DuplicatesScreen = screenFile(() =>
  import('./screens/duplicates/duplicates-screen.tsx').then((file) => file.DuplicatesScreen),
);
const HelpScreen = screenFile(() =>
  import('./screens/help/help-screen.tsx').then((file) => file.HelpScreen),
);
const ImportsScreen = screenFile(() =>
  import('./screens/directory/imports/imports-screen.tsx').then((file) => file.ImportsScreen),
);
const ListScreen = screenFile(() =>
  import('./screens/job/list-screen.tsx').then((file) => file.ListScreen),
);
const JobsScreen = screenFile(() =>
  import('./screens/jobs/jobs-screen.tsx').then((file) => file.JobsScreen),
);
const FindingsScreen = screenFile(() =>
  import('./screens/monitors/findings-screen.tsx').then((file) => file.FindingsScreen),
);
const MonitorScreen = screenFile(() =>
  import('./screens/monitors/monitor-screen.tsx').then((file) => file.MonitorScreen),
);
const MonitorsScreen = screenFile(() =>
  import('./screens/monitors/monitors-screen.tsx').then((file) => file.MonitorsScreen),
);
const NewMonitorScreen = screenFile(() =>
  import('./screens/monitors/new-monitor-screen.tsx').then((file) => file.NewMonitorScreen),
);
const PersonDataScreen = screenFile(() =>
  import('./screens/person-data/person-data-screen.tsx').then((file) => file.PersonDataScreen),
);
const PersonScreen = screenFile(() =>
  import('./screens/directory/records/person-screen.tsx').then((file) => file.PersonScreen),
);
const NewPipelineScreen = screenFile(() =>
  import('./screens/pipelines/new-pipeline-screen.tsx').then((file) => file.NewPipelineScreen),
);
const PipelineScreen = screenFile(() =>
  import('./screens/pipelines/pipeline-screen.tsx').then((file) => file.PipelineScreen),
);
const PipelinesScreen = screenFile(() =>
  import('./screens/pipelines/pipelines-screen.tsx').then((file) => file.PipelinesScreen),
);
const ProvidersScreen = screenFile(() =>
  import('./screens/providers/providers-screen.tsx').then((file) => file.ProvidersScreen),
);
const SettingsScreen = screenFile(() =>
  import('./screens/settings/settings-screen.tsx').then((file) => file.SettingsScreen),
);
const SuppressionScreen = screenFile(() =>
  import('./screens/suppression/suppression-screen.tsx').then((file) => file.SuppressionScreen),
);
const WalletScreen = screenFile(() =>
  import('./screens/wallet/wallet-screen.tsx').then((file) => file.WalletScreen),
);

interface Screen<Path extends string = string> {
  readonly path: Path;
  /** The window's title and, with an icon, the label in the sidebar. */
  readonly title: string;
  /** Screens of one family are tabs: they keep their state and the focus. */
  readonly family?: string;
  /** Puts the screen into the sidebar, in table order. */
  readonly Icon?: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;
  /** What the screen asks for first, sent while its file loads. */
  first?(params: StringRouteParams<Path>): readonly EarlyRequest[];
  /** A count of active items, shown next to the link. */
  countRunning?(state: AppState): number;
  render(params: StringRouteParams<Path>): ReactElement;
}

const screen = <const Path extends string>(one: Screen<Path>): Screen<Path> => one;

/** Every screen. If two paths match an address, the first one wins. */
const screens = [
  screen({
    path: '/',
    title: 'Enrich',
    family: 'list',
    Icon: IconTablePlus,
    render: () => <ListScreen />,
  }),
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
    family: 'list',
    first: firstRequests.job,
    render: ({ id }) => <ListScreen jobId={id} />,
  }),
  screen({
    path: '/directory',
    title: 'Directory',
    Icon: IconAddressBook,
    first: firstRequests.directory,
    render: () => <DirectoryScreen />,
  }),
  screen({
    path: '/directory/person-data',
    title: 'Privacy requests',
    render: () => <PersonDataScreen />,
  }),
  screen({
    path: '/directory/person-data/:value',
    title: 'Privacy requests',
    render: ({ value }) => <PersonDataScreen key={value} asked={value} />,
  }),
  screen({
    path: '/directory/companies',
    title: 'Companies',
    render: () => <CompaniesScreen />,
  }),
  screen({ path: '/directory/imports', title: 'Imports', render: () => <ImportsScreen /> }),
  screen({
    path: '/directory/people/:id',
    title: 'Person',
    render: ({ id }) => <PersonScreen key={id} id={id} />,
  }),
  screen({
    path: '/directory/companies/:id',
    title: 'Company',
    render: ({ id }) => <CompanyScreen key={id} id={id} />,
  }),
  screen({
    path: '/directory/suppression',
    title: 'Suppressed',
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
    path: '/directory/contacts',
    title: 'Emails and phones',
    render: () => <PipelinesScreen />,
  }),
  screen({
    path: '/directory/contacts/new',
    title: 'Show emails and phones',
    first: firstRequests.newPipeline,
    render: () => <NewPipelineScreen />,
  }),
  screen({
    path: '/directory/contacts/:id',
    title: 'Emails and phones',
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
    path: '/connections/team-directory',
    title: 'Team directory',
    family: 'connections',
    render: () => <ConnectionsScreen tab="team" />,
  }),
  screen({
    path: '/connections/providers',
    title: 'Data services',
    render: () => <ProvidersScreen />,
  }),
  screen({
    path: '/settings',
    title: 'Settings',
    Icon: IconSettings,
    first: firstRequests.settings,
    render: () => <SettingsScreen />,
  }),
  screen({ path: '/help', title: 'Help', render: () => <HelpScreen /> }),
  screen({ path: '/settings/audit', title: 'Audit log', render: () => <AuditScreen /> }),
] as const;

export const sidebarScreens = screens.filter(
  (one): one is typeof one & Required<Pick<Screen, 'Icon'>> => one.Icon !== undefined,
);

/** The parameters of an address that belongs to a screen; null if it does not. */
function readParams(pattern: string, path: string): Record<string, string> | null {
  const names = pattern.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)');
  const found = new RegExp(`^${names}/?$`).exec(path);
  return found && { ...found.groups };
}

/** The screen of an address, as in the location's hash without `#`, and its parameters. */
function findScreen(address: string): [Screen, Record<string, string>] | null {
  const path = address.split('?', 1)[0] || '/';
  for (const one of screens as readonly Screen[]) {
    const params = readParams(one.path, path);
    if (params) return [one, params];
  }
  return null;
}

/** Loads the screen of an address ahead. Never fails: the screen shows why it did not load. */
export async function loadScreen(address: string): Promise<void> {
  const [screenFound, params] = findScreen(address) ?? [screens[0] as Screen, {}];
  const { load } = screenFound.render(params).type as { load?: Load };
  await load?.().catch(() => undefined);
}

/** Sends the first requests of the screen of an address, while its file loads. */
export function sendFirstRequests(address: string): void {
  // A view in the address asks for other data.
  if (!hasSession() || address.includes('?')) return;
  const [screenFound, params] = findScreen(address) ?? [];
  if (screenFound && params) callEarly(screenFound.first?.(params) ?? []);
}

/** Loads all other screens, one after the other, each while the page is idle, after the first. */
export async function loadScreensWhenIdle(): Promise<void> {
  await whenQuiet();
  for (const load of loads) {
    await new Promise((resolve) => requestIdleCallback(resolve));
    await load().catch(() => undefined);
  }
}

/** The screens whose address needs no record, in order. */
export const fixedScreens: readonly Screen[] = screens.filter(({ path }) => !path.includes(':'));

function Titled({ title, children }: { title: string; children: ReactNode }) {
  useScreenTitle(title);
  return children;
}

function NotFound() {
  useScreenTitle('Not found');
  return (
    <Page title="Not found" sentence="There is no page at this address.">
      <Link href="/">Go to Enrich</Link>
    </Page>
  );
}

/** Renders the screen of the address, or says that there is none. */
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
        <NotFound />
      </Route>
    </Switch>
  );
}
