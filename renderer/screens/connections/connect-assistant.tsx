/** Connect an assistant: the text to copy, link to open or file to save for each. */
import { Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconDownload, IconExternalLink } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { findDesktop } from '../../api/desktop.ts';
import { useAppState } from '../../api/live.ts';
import { useAddressQuery } from '../../components/address/address-query.ts';
import { LinkTabs } from '../../components/address/link-tabs.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Section } from '../../components/section.tsx';
import { type Assistant, bundlePath, describeAssistants } from './assistant-snippets.ts';
import classes from './connections.module.css';

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
          <Text size="sm" c="dimmed" w={96} flex="none" pt={4}>
            {name}
          </Text>
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
export function ConnectAssistant({ environment }: { environment: EnvironmentName }) {
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
        <Text size="sm" c="dimmed">
          The engine listens only on its local socket. Start it with a port, or let the assistant
          run <Code>desk mcp</Code>.
        </Text>
      )}
      {state?.url && <AssistantSteps root={state.url} environment={environment} />}
      <Text size="sm" c="dimmed" mt="md">
        Each assistant uses its own key. Set its limits or revoke it in the list below.
      </Text>
    </Section>
  );
}
