/** Connections: how programs on this machine reach the desk, and what each of them may do. */
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { WorldName } from '../../../engine/contract/ids.ts';
import { Page } from '../../components/page.tsx';
import { ApiKeys } from './api-keys.tsx';
import { AssistantActivity } from './assistant-activity.tsx';
import { Assistants } from './assistants.tsx';
import { AssistantsFolders } from './assistants-folders.tsx';
import { ConnectAssistant } from './connect-assistant.tsx';
import { RestApi } from './rest-api.tsx';
import { Webhooks } from './webhooks.tsx';

/** The connections screen. */
export function ConnectionsScreen() {
  const [world, setWorld] = useState<WorldName>('live');
  return (
    <Page
      title="Connections"
      sentence="How programs on this machine reach the desk, and what each of them may do."
      action={
        <SegmentedControl
          aria-label="World"
          size="xs"
          transitionDuration={0}
          value={world}
          onChange={(value) => setWorld(value as WorldName)}
          data={[
            { value: 'live', label: 'Live' },
            { value: 'test', label: 'Staging' },
          ]}
        />
      }
    >
      <RestApi world={world} />
      <ConnectAssistant key={`assistant ${world}`} world={world} />
      <Assistants key={`assistants ${world}`} world={world} />
      <AssistantActivity key={`activity ${world}`} world={world} />
      <AssistantsFolders key={`folders ${world}`} world={world} />
      <ApiKeys key={world} world={world} />
      <Webhooks key={`webhooks ${world}`} world={world} />
    </Page>
  );
}
