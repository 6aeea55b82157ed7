/** Connections: how programs on this machine reach the engine, and what each may do. */
import { SegmentedControl, Stack, Tabs } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { Page } from '../../components/page.tsx';
import { ApiKeys } from './api-keys.tsx';
import { AssistantActivity } from './assistant-activity.tsx';
import { Assistants } from './assistants.tsx';
import { AssistantsFolders } from './assistants-folders.tsx';
import { ConnectAssistant } from './connect-assistant.tsx';
import classes from './connections.module.css';
import { ProvidersLink } from './providers-link.tsx';
import { RequestLog } from './requests/request-log.tsx';
import { RestApi } from './rest-api.tsx';
import { TeamDirectory } from './team/team-directory.tsx';
import { Webhooks } from './webhooks.tsx';

/** The tabs, each with its address and its parts. */
const tabs = {
  api: {
    label: 'API',
    path: '/connections',
    content: (environment: EnvironmentName) => (
      <>
        <RestApi environment={environment} />
        <ApiKeys environment={environment} />
        {environment === 'live' && <ProvidersLink />}
      </>
    ),
  },
  assistants: {
    label: 'Assistants',
    path: '/connections/assistants',
    content: (environment: EnvironmentName) => (
      <>
        <ConnectAssistant environment={environment} />
        <Assistants environment={environment} />
        <AssistantActivity environment={environment} />
        <AssistantsFolders environment={environment} />
      </>
    ),
  },
  webhooks: {
    label: 'Webhooks',
    path: '/connections/webhooks',
    content: (environment: EnvironmentName) => <Webhooks environment={environment} />,
  },
  requests: {
    label: 'Requests',
    path: '/connections/requests',
    content: (environment: EnvironmentName) => <RequestLog environment={environment} />,
  },
  team: {
    label: 'Team directory',
    path: '/connections/team-directory',
    content: (environment: EnvironmentName) => <TeamDirectory environment={environment} />,
  },
} as const satisfies Record<
  string,
  { label: string; path: string; content: (environment: EnvironmentName) => ReactNode }
>;
type TabName = keyof typeof tabs;

export function ConnectionsScreen({ tab }: { tab: TabName }) {
  const [environment, setEnvironment] = useState<EnvironmentName>('live');
  const [, navigate] = useLocation();
  return (
    <Page
      title="Connections"
      sentence="Connect programs on this machine, and control what each may do."
      action={
        <SegmentedControl
          aria-label="Environment"
          size="xs"
          transitionDuration={0}
          value={environment}
          onChange={(value) => setEnvironment(value as EnvironmentName)}
          data={[
            { value: 'live', label: 'Live' },
            { value: 'staging', label: 'Staging' },
          ]}
        />
      }
    >
      <Tabs
        value={tab}
        classNames={{ tab: classes.tab ?? '' }}
        onChange={(value) => navigate(tabs[value as TabName].path)}
        keepMounted={false}
      >
        <Tabs.List aria-label="Connections">
          {Object.entries(tabs).map(([name, { label }]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="lg">
          <Stack gap="lg" key={environment}>
            {tabs[tab].content(environment)}
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
