// Connections: how programs on this machine reach the engine, and what each may do.
import {
  Anchor,
  Button,
  Code,
  Group,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { IconDownload, IconExternalLink } from '@tabler/icons-react';
import { type FormEvent, type MouseEvent, type ReactNode, useState } from 'react';
import { assistants, type ListFolder } from '../../../engine/contract/assistants/assistants.ts';
import { type EnvironmentName, environmentPaths } from '../../../engine/contract/ids.ts';
import { keys } from '../../../engine/contract/keys.ts';
import { listPathCharactersMax } from '../../../engine/contract/limits/assistants.ts';
import { ask, describeError } from '../../api/client.ts';
import { findDesktop } from '../../api/desktop.ts';
import { useAnswer, useAppState, useChange } from '../../api/live.ts';
import { useAddressQuery } from '../../components/address/address-query.ts';
import { LinkTabs } from '../../components/address/link-tabs.tsx';
import { Ago } from '../../components/ago.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note } from '../../components/text.tsx';
import { ApiKeys } from './api-keys.tsx';
import { AssistantActivity } from './assistant-activity.tsx';
import { type Assistant, bundlePath, describeAssistants } from './assistant-snippets.ts';
import { Assistants } from './assistants.tsx';
import { ConnectionTabs } from './connection-tabs.tsx';
import classes from './connections.module.css';
import { RequestLog } from './requests/request-log.tsx';
import { TeamDirectory } from './team/team-directory.tsx';
import { Webhooks } from './webhooks.tsx';

/** Query key of all assistant data, which includes these folders. */
const changed = ['assistants'];

interface FolderRowProps {
  item: ListFolder;
  now: number;
  environment: EnvironmentName;
}

function FolderRow({ item, now, environment }: FolderRowProps) {
  const remove = useChange(
    () => ask(assistants.removeFolder, { id: item.id }, { environment }),
    changed,
    { failed: 'The folder was not removed', done: 'The folder was removed.' },
  );
  return (
    <Table.Tr>
      <Table.Td>
        <div className={classes.label}>{item.path}</div>
        {item.real_path !== item.path && (
          <Caption style={{ overflowWrap: 'anywhere' }}>
            resolves to <Code fz="xs">{item.real_path}</Code>
          </Caption>
        )}
      </Table.Td>
      <Table.Td className={tableClasses.steady}>
        <Ago time={item.added_at} now={now} />
      </Table.Td>
      <Table.Td ta="right">
        <Button
          size="compact-sm"
          aria-label={`Remove ${item.path}`}
          loading={remove.isPending}
          onClick={() => remove.mutate()}
        >
          Remove
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

function FolderForm({ environment }: { environment: EnvironmentName }) {
  const [path, setPath] = useState('');
  const allow = useChange(
    () => ask(assistants.allowFolder, { path: path.trim() }, { environment }),
    changed,
    { done: 'The folder is allowed from the next call on.' },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (path.trim() === '') return;
    allow.mutate(undefined, {
      onSuccess: () => setPath(''),
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label="Folder to allow"
        description="The absolute path on this machine; ~/ is your home folder."
        placeholder="~/Lists"
        maxLength={listPathCharactersMax}
        value={path}
        error={allow.error && describeError(allow.error)}
        onChange={(event) => {
          setPath(event.currentTarget.value);
          allow.reset();
        }}
        inputContainer={(input) => (
          <Group gap="sm" wrap="nowrap">
            <div style={{ flex: 1 }}>{input}</div>
            <Button type="submit" disabled={path.trim() === ''} loading={allow.isPending}>
              Allow
            </Button>
          </Group>
        )}
      />
    </form>
  );
}

function AssistantsFolders({ environment }: { environment: EnvironmentName }) {
  const { data, error, refetch, dataUpdatedAt } = useAnswer(
    ['assistants', environment, 'folders'],
    assistants.folders,
    { environment },
  );
  return (
    <Section
      title="Folders for assistants"
      sentence={
        'Assistants can enrich and import lists in these folders and their subfolders, and save ' +
        'results there as new files. They see the results, but not the content of the files.'
      }
    >
      <Stack gap="lg">
        <ErrorPanel title="The folders could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={80} />}
        {data?.length === 0 && (
          <Note>
            No folder is allowed. Assistants can send rows, but cannot read or save files on this
            machine.
          </Note>
        )}
        {data && data.length > 0 && (
          <TableCard
            label="Allowed folders"
            columns={['Folder', 'Allowed', '>Actions']}
            widthMinPx={480}
          >
            {data.map((item) => (
              <FolderRow key={item.id} item={item} now={dataUpdatedAt} environment={environment} />
            ))}
          </TableCard>
        )}
        <FolderForm environment={environment} />
      </Stack>
    </Section>
  );
}

/** In the desktop shell, the shell opens links to other programs. */
function openProgram(event: MouseEvent, href: string): void {
  const desktop = findDesktop();
  if (!desktop) return;
  event.preventDefault();
  void desktop.openExternal(href);
}

function ProgramLink({ link }: { link: NonNullable<Assistant['link']> }) {
  const isFile = link.href === bundlePath;
  const Icon = isFile ? IconDownload : IconExternalLink;
  return (
    <Button
      variant="filled"
      component="a"
      w="fit-content"
      href={link.href}
      leftSection={<Icon size={16} aria-hidden />}
      {...(isFile
        ? { download: bundlePath.slice(1) }
        : { onClick: (event: MouseEvent) => openProgram(event, link.href) })}
    >
      {link.label}
    </Button>
  );
}

function Steps({ assistant }: { assistant: Assistant }) {
  return (
    <Stack gap="sm" pt="md">
      <Text size="sm">{assistant.sentence}</Text>
      {assistant.link && <ProgramLink link={assistant.link} />}
      {assistant.snippets.map(({ name, text }) => (
        <Group key={name} gap="sm" wrap="nowrap" align="flex-start">
          <Note w={96} flex="none" pt={4}>
            {name}
          </Note>
          <Code fz="sm" className={`${classes.line} ${classes.file}`}>
            {text}
          </Code>
          <CopyButton value={text} label={`Copy: ${assistant.title}, ${name}`} />
        </Group>
      ))}
    </Stack>
  );
}

/** The steps of the assistant in the address; of the first one without it. */
function AssistantSteps({ root, environment }: { root: string; environment: EnvironmentName }) {
  const assistants = describeAssistants(root, environment);
  const [{ assistant: wanted }] = useAddressQuery(['assistant']);
  const current = assistants.find(({ id }) => id === wanted) ?? assistants[0];
  const tabs = Object.fromEntries(
    assistants.map(({ id, title }) => [
      id,
      { label: title, path: `/connections/assistants?assistant=${id}` },
    ]),
  );
  return (
    current && (
      <>
        <LinkTabs label="Assistants" tabs={tabs} current={current.id} />
        <Steps assistant={current} />
      </>
    )
  );
}

/** The section. Without a port, only assistants that start a command can be connected. */
function ConnectAssistant({ environment }: { environment: EnvironmentName }) {
  const { data: state } = useAppState();
  return (
    <Section
      title="Connect an assistant"
      sentence={
        'Assistants can search, import, enrich, review and save lists, within the limits that ' +
        'you set.'
      }
    >
      {!state && <Skeleton height={140} />}
      {state && !state.url && (
        <Note>
          The engine listens only on its local socket. Start it with a port, or let the assistant
          run <Code>desk mcp</Code>.
        </Note>
      )}
      {state?.url && <AssistantSteps root={state.url} environment={environment} />}
      <Note mt="md">
        Each assistant uses its own key. Set its limits or revoke it in the list below.
      </Note>
    </Section>
  );
}

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
      <Note w={96} flex="none" pt={4}>
        {name}
      </Note>
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
        <Note>
          The engine listens only on its local socket. Start it with a port to connect programs.
        </Note>
      )}
      {state?.url && (
        <Stack gap="sm">
          <Lines root={state.url + environmentPaths[environment]} />
          <Note>
            Every route with its fields and examples:{' '}
            <Anchor underline="always" href="/docs.html" size="sm">
              API reference
            </Anchor>
          </Note>
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
  const { data: held } = useAnswer(['keys', 'live'], keys.list, { environment: 'live' });
  const hasNone = held?.length === 0;
  const { data: test } = useAnswer(['keys', 'staging'], keys.list, {
    environment: 'staging',
    enabled: hasNone,
  });
  const hasKeys = hasNone ? test !== undefined && test.length > 0 : held !== undefined;
  const isLive = environment === 'live';
  return (
    <Page
      title="Connections"
      sentence="Connect programs on this machine, and control what each may do."
      action={
        (!isLive || hasKeys) && (
          <Button
            size="xs"
            variant="subtle"
            onClick={() => setEnvironment(isLive ? 'staging' : 'live')}
          >
            {isLive ? 'Test in staging' : 'Back to live'}
          </Button>
        )
      }
    >
      <ConnectionTabs current={tab} />
      <Stack gap="lg" key={`${environment} ${tab}`}>
        {parts[tab](environment)}
      </Stack>
    </Page>
  );
}
