/** Registers a webhook and shows its secret once. */
import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { type EventKind, eventKinds, webhooks } from '../../../engine/contract/webhooks.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { MakeOnceDialog } from './shown-once.tsx';
import { SecretShownOnce } from './webhooks-secret.tsx';

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

export function NewWebhook({
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
