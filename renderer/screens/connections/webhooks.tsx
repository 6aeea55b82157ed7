/** Webhooks: addresses that receive an event when a pipeline ends, and their deliveries. */
import { Button, Checkbox, Group, Skeleton, Stack, TagsInput, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { type EventKind, eventKinds, webhooks } from '../../../engine/contract/webhooks.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Section } from '../../components/section.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { MakeOnceDialog } from './shown-once.tsx';
import { DeliveryLog } from './webhooks-log.tsx';
import { SecretShownOnce } from './webhooks-secret.tsx';
import { WebhooksTable } from './webhooks-table.tsx';

const eventWords: Readonly<Record<EventKind, string>> = {
  'pipeline.completed': 'pipeline.completed — emails and phones are shown',
  'pipeline.failed': 'pipeline.failed — emails and phones could not be shown',
  'job.completed': 'job.completed — a list was enriched',
  'monitor.changed': 'monitor.changed — a monitor found changes',
};

interface Fields {
  readonly url: string;
  readonly events: EventKind[];
  /** The host of this machine that the user allowed, if the address is of this machine. */
  readonly allowedHost: string | null;
}

/** The host of an address of this machine; null for any other. */
function localHostOf(url: string): string | null {
  const host = URL.parse(url.trim())?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isLocal = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|::1)$/.test(host);
  return isLocal ? host : null;
}

/** Registers a webhook. A host of this machine is allowed first. */
async function registerWebhook(environment: EnvironmentName, { allowedHost, ...webhook }: Fields) {
  if (allowedHost !== null && environment === 'live') {
    const { hosts } = await ask(webhooks.hosts, {}, { environment });
    if (!hosts.includes(allowedHost))
      await ask(webhooks.setHosts, { hosts: [...hosts, allowedHost] }, { environment });
  }
  return ask(webhooks.register, webhook, { environment });
}

function WebhookForm({
  environment,
  isPending,
  error,
  onSubmit,
  onCancel,
}: {
  environment: EnvironmentName;
  isPending: boolean;
  error: Error | null;
  onSubmit: (fields: Fields) => void;
  onCancel: () => void;
}) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<string[]>([...eventKinds]);
  const [isAllowed, setAllowed] = useState(false);
  const localHost = environment === 'live' ? localHostOf(url) : null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({
          url: url.trim(),
          events: eventKinds.filter((kind) => events.includes(kind)),
          allowedHost: localHost,
        });
      }}
    >
      <Stack gap="lg">
        <TextInput
          label="Address"
          description={
            environment === 'live'
              ? 'An https address, or http to a program on this machine.'
              : 'An https address, or http to this machine.'
          }
          placeholder="https://hooks.example.com/desk"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          required
          data-autofocus
        />
        {localHost !== null && (
          <Checkbox
            checked={isAllowed}
            onChange={(event) => setAllowed(event.currentTarget.checked)}
            label={`Allow webhooks to ${localHost}`}
            description="The program that listens at this address receives the events."
          />
        )}
        <Checkbox.Group label="Events" value={events} onChange={setEvents}>
          <Stack gap="xs" mt="xs">
            {eventKinds.map((kind) => (
              <Checkbox key={kind} value={kind} label={eventWords[kind]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <ErrorPanel title="The webhook was not registered" error={error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={!url.trim() || events.length === 0 || (localHost !== null && !isAllowed)}
          >
            Register
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function NewWebhook({
  opened,
  environment,
  onClose,
}: {
  opened: boolean;
  environment: EnvironmentName;
  onClose: () => void;
}) {
  const create = useChange(
    (fields: Fields) => registerWebhook(environment, fields),
    ['webhooks', 'webhook-hosts'],
  );
  return (
    <MakeOnceDialog
      opened={opened}
      onClose={onClose}
      make={create}
      title={(made) => (made ? 'Webhook secret' : 'New webhook')}
      form={(onCancel) => (
        <WebhookForm
          environment={environment}
          isPending={create.isPending}
          error={create.error}
          onSubmit={(fields) => create.mutate(fields)}
          onCancel={onCancel}
        />
      )}
      shown={({ secret }, onKept) => (
        <SecretShownOnce
          secret={secret}
          sentence="Save it where your receiver can read it. If you lose it, rotate it."
          onKept={onKept}
        />
      )}
    />
  );
}

/** The field. The staging environment needs none. */
function WebhookHosts({ environment }: { environment: EnvironmentName }) {
  const { data } = useQuery({
    queryKey: ['webhook-hosts', environment],
    queryFn: () => ask(webhooks.hosts, {}, { environment }),
  });
  const [edited, setEdited] = useState<string[] | null>(null);
  const save = useChange(
    (hosts: string[]) => ask(webhooks.setHosts, { hosts }, { environment }),
    ['webhook-hosts'],
  );
  const hosts = edited ?? data?.hosts ?? [];
  return (
    <Group align="flex-end" gap="sm">
      <TagsInput
        label="Allowed private hosts"
        description="Names or addresses in your network. Press Enter to add one."
        placeholder={hosts.length === 0 ? 'none' : ''}
        value={hosts}
        onChange={setEdited}
        style={{ flex: '1 1 320px' }}
      />
      <Button
        variant="default"
        disabled={edited === null}
        loading={save.isPending}
        onClick={() =>
          save.mutate(hosts, {
            onSuccess: () => {
              setEdited(null);
              showSuccess('The allowed hosts were saved.');
            },
            onError: (error) => showFailure('The hosts were not saved', error),
          })
        }
      >
        Save
      </Button>
    </Group>
  );
}

const refreshIntervalMs = 3_000;

export function Webhooks({ environment }: { environment: EnvironmentName }) {
  const [isMaking, making] = useDisclosure(false);
  const [loggedId, setLoggedId] = useState<string | null>(null);
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['webhooks', environment],
    queryFn: () => ask(webhooks.list, {}, { environment }),
    refetchInterval: refreshIntervalMs,
  });
  const make = (
    <Button data-command="new-webhook" onClick={making.open}>
      New webhook
    </Button>
  );
  const hasSome = data !== undefined && data.length > 0;
  return (
    <Section
      title="Webhooks"
      sentence="Send a signed request when a job finishes or a monitor finds changes."
      action={hasSome ? make : undefined}
    >
      <Stack gap="lg">
        <ErrorPanel title="The webhooks could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={120} />}
        {data?.length === 0 && (
          <EmptyState
            Icon={IconWebhook}
            title="No webhook yet"
            sentence={
              'Your receiver gets a request when a job finishes or a monitor finds changes. ' +
              'A failed request is sent again.'
            }
            action={make}
          />
        )}
        {hasSome && (
          <WebhooksTable
            listed={data}
            environment={environment}
            now={dataUpdatedAt}
            onLog={({ id }) => setLoggedId(id)}
          />
        )}
        {environment === 'live' && <WebhookHosts environment={environment} />}
      </Stack>
      <NewWebhook opened={isMaking} environment={environment} onClose={making.close} />
      <DeliveryLog
        webhook={data?.find(({ id }) => id === loggedId) ?? null}
        environment={environment}
        onClose={() => setLoggedId(null)}
      />
    </Section>
  );
}
