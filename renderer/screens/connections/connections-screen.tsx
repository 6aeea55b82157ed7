/** Connections: how programs on this machine reach the engine, and what each may do. */
import { SegmentedControl, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { LinkTabs } from '../../components/address/link-tabs.tsx';
import { Page } from '../../components/page.tsx';
import { ApiKeys } from './api-keys.tsx';
import { AssistantActivity } from './assistant-activity.tsx';
import { Assistants } from './assistants.tsx';
import { AssistantsFolders } from './assistants-folders.tsx';
import { ConnectAssistant } from './connect-assistant.tsx';
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
      <LinkTabs label="Connections" tabs={tabs} current={tab} />
      <Stack gap="lg" key={`${environment} ${tab}`}>
        {tabs[tab].content(environment)}
      </Stack>
    </Page>
  );
}
