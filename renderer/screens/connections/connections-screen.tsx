/** Connections: how programs on this machine reach the engine, and what each may do. */
import { Anchor, Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type EnvironmentName, environmentPaths } from '../../../engine/contract/ids.ts';
import { useAppState } from '../../api/live.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { ApiKeys } from './api-keys.tsx';
import { AssistantActivity } from './assistant-activity.tsx';
import { Assistants } from './assistants.tsx';
import { AssistantsFolders } from './assistants-folders.tsx';
import { ConnectAssistant } from './connect-assistant.tsx';
import { ConnectionTabs } from './connection-tabs.tsx';
import classes from './connections.module.css';
import { RequestLog } from './requests/request-log.tsx';
import { TeamDirectory } from './team/team-directory.tsx';
import { Webhooks } from './webhooks.tsx';

const sentences: Readonly<Record<EnvironmentName, string>> = {
  live: 'Programs on this machine send a key with every request. All other requests are refused.',
  staging: 'Staging is a separate environment with test credits and fictional people.',
};

function Lines({ root }: { root: string }) {
  const layers = `${root}/api/v1/data-enrichment/layers/`;
  const submit = `${root}/api/v1/data-enrichment/submit/`;
  const lines = [
    { name: 'Base address', value: `${root}/api/v1` },
    { name: 'Try it', value: `curl -H "Authorization: Token <API_KEY>" ${layers}` },
    {
      name: 'Send a file',
      value:
        'curl -H "Authorization: Token <API_KEY>" -F file=@contacts.csv ' +
        `-F selected_layers=L1 ${submit}`,
    },
  ];
  return lines.map(({ name, value }) => (
    <Group key={name} gap="sm" wrap="nowrap" align="flex-start">
      <Text size="sm" c="dimmed" w={96} flex="none" pt={4}>
        {name}
      </Text>
      <Code fz="sm" className={classes.line}>
        {value}
      </Code>
      <CopyButton value={value} label={`Copy: ${name}`} />
    </Group>
  ));
}

/** The section. Without a port it shows no address. */
function RestApi({ environment }: { environment: EnvironmentName }) {
  const { data: state } = useAppState();
  return (
    <Section title="REST API" sentence={sentences[environment]}>
      {!state && <Skeleton height={108} />}
      {state && !state.url && (
        <Text size="sm" c="dimmed">
          The engine listens only on its local socket. Start it with a port to connect programs.
        </Text>
      )}
      {state?.url && (
        <Stack gap="sm">
          <Lines root={state.url + environmentPaths[environment]} />
          <Text size="sm" c="dimmed">
            Every route with its fields and examples:{' '}
            <Anchor underline="always" href="/docs.html" size="sm">
              API reference
            </Anchor>
          </Text>
        </Stack>
      )}
    </Section>
  );
}

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
