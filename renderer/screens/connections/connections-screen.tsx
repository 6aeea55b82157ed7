/** Connections: how programs on this machine reach the engine, and what each may do. */
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { Page } from '../../components/page.tsx';
import { ApiKeys } from './api-keys.tsx';
import { AssistantActivity } from './assistant-activity.tsx';
import { Assistants } from './assistants.tsx';
import { AssistantsFolders } from './assistants-folders.tsx';
import { ConnectAssistant } from './connect-assistant.tsx';
import { ProvidersLink } from './providers-link.tsx';
import { RestApi } from './rest-api.tsx';
import { Webhooks } from './webhooks.tsx';

export function ConnectionsScreen() {
  const [environment, setEnvironment] = useState<EnvironmentName>('live');
  return (
    <Page
      title="Connections"
      sentence="Connect programs on this machine and control what each may do."
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
      <RestApi environment={environment} />
      <ConnectAssistant key={`assistant ${environment}`} environment={environment} />
      <Assistants key={`assistants ${environment}`} environment={environment} />
      <AssistantActivity key={`activity ${environment}`} environment={environment} />
      <AssistantsFolders key={`folders ${environment}`} environment={environment} />
      <ApiKeys key={environment} environment={environment} />
      {environment === 'live' && <ProvidersLink />}
      <Webhooks key={`webhooks ${environment}`} environment={environment} />
    </Page>
  );
}
