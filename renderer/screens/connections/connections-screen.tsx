/** Connections: how programs on this machine reach the engine, and what each may do. */
import { Button, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { Page } from '../../components/page.tsx';
import { ApiKeys } from './api-keys.tsx';
import { AssistantActivity } from './assistant-activity.tsx';
import { Assistants } from './assistants.tsx';
import { AssistantsFolders } from './assistants-folders.tsx';
import { ConnectAssistant } from './connect-assistant.tsx';
import { ConnectionTabs } from './connection-tabs.tsx';
import { RequestLog } from './requests/request-log.tsx';
import { RestApi } from './rest-api.tsx';
import { TeamDirectory } from './team/team-directory.tsx';
import { Webhooks } from './webhooks.tsx';

const parts = {
  api: (environment: EnvironmentName) => (
    <>
      <RestApi environment={environment} />
      <ApiKeys environment={environment} />
    </>
  ),
  assistants: (environment: EnvironmentName) => (
    <>
      <ConnectAssistant environment={environment} />
      <Assistants environment={environment} />
      <AssistantActivity environment={environment} />
      <AssistantsFolders environment={environment} />
    </>
  ),
  webhooks: (environment: EnvironmentName) => <Webhooks environment={environment} />,
  requests: (environment: EnvironmentName) => <RequestLog environment={environment} />,
  team: (environment: EnvironmentName) => <TeamDirectory environment={environment} />,
} as const satisfies Record<string, (environment: EnvironmentName) => ReactNode>;
type TabName = keyof typeof parts;

export function ConnectionsScreen({ tab }: { tab: TabName }) {
  const [environment, setEnvironment] = useState<EnvironmentName>('live');
  return (
    <Page
      title="Connections"
      sentence="Connect programs on this machine, and control what each may do."
      action={
        <Button
          size="xs"
          variant="subtle"
          onClick={() => setEnvironment(environment === 'live' ? 'staging' : 'live')}
        >
          {environment === 'live' ? 'Test in staging' : 'Back to live'}
        </Button>
      }
    >
      <ConnectionTabs current={tab} />
      <Stack gap="lg" key={`${environment} ${tab}`}>
        {parts[tab](environment)}
      </Stack>
    </Page>
  );
}
