// Webhooks: addresses that receive an event when a pipeline ends, and their deliveries.
import {
  Button,
  Checkbox,
  Code,
  Group,
  Modal,
  Skeleton,
  Stack,
  Table,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import {
  type Delivery,
  type EventKind,
  eventKinds,
  type WebhookAttempt,
  type WebhookDetail,
  webhooks,
} from '../../../engine/contract/webhooks.ts';
import { ask } from '../../api/client.ts';
import { useAnswer, useChange } from '../../api/live.ts';
import { DialogForm, type DialogFormProps } from '../../components/dialogs.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { NewerOlder } from '../../components/newer-older.tsx';
import { showTime } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { type ChipStatus, StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note } from '../../components/text.tsx';
import classes from './connections.module.css';
import { MakeOnceDialog } from './shown-once.tsx';
import { SecretShownOnce } from './webhooks-secret.tsx';
import { WebhooksTable } from './webhooks-table.tsx';

/** Deliveries have no events, so an open log is polled. */
const deliveriesRefreshMs = 2_000;
const pageDeliveries = 20;

const chips: Readonly<Record<Delivery['state'], ChipStatus>> = {
  waiting: 'waiting',
  delivered: 'completed',
  failed: 'failed',
};

const Attempt = ({ attempt }: { attempt: WebhookAttempt }) => (
  <div>
    <Text size="sm">
      {attempt.number}. {attempt.status ?? 'no answer'} after {attempt.took_ms} ms,{' '}
      {showTime(attempt.at)}
    </Text>
    {(attempt.error ?? attempt.excerpt) && (
      <Caption className={classes.arguments}>{attempt.error ?? attempt.excerpt}</Caption>
    )}
  </div>
);

function DeliveryRow({ item, onAgain }: { item: Delivery; onAgain: (() => void) | null }) {
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>
        <div className={classes.label}>{item.event}</div>
        <Code fz="xs" className={classes.label}>
          {item.event_id}
        </Code>
      </Table.Td>
      <Table.Td>
        <StatusChip status={chips[item.state]} label={item.state} />
        {item.due_at && item.attempts.length > 0 && (
          <Caption mt={4}>next {showTime(item.due_at)}</Caption>
        )}
      </Table.Td>
      <Table.Td>
        <Stack gap="xs">
          {item.attempts.length === 0 && <Note>none yet</Note>}
          {item.attempts.map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
        </Stack>
      </Table.Td>
      <Table.Td ta="right">
        {onAgain && (
          <Button size="compact-sm" aria-label={`Send again: ${item.event_id}`} onClick={onAgain}>
            Send again
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

interface TestButtonProps {
  webhook: WebhookDetail;
  environment: EnvironmentName;
}

function TestButton({ webhook, environment }: TestButtonProps) {
  const test = useChange(
    () => ask(webhooks.sendTest, { id: webhook.id }, { environment }),
    ['webhooks'],
    { failed: 'The test event was not sent' },
  );
  return (
    <Button
      variant="filled"
      size="compact-sm"
      loading={test.isPending}
      disabled={webhook.state !== 'active'}
      onClick={() => test.mutate()}
    >
      Send a test event
    </Button>
  );
}

interface DeliveryTableProps {
  items: readonly Delivery[];
  webhook: WebhookDetail;
  environment: EnvironmentName;
}

function DeliveryTable({ items, webhook, environment }: DeliveryTableProps) {
  const again = useChange(
    (delivery: number) => ask(webhooks.sendAgain, { id: webhook.id, delivery }, { environment }),
    ['webhooks'],
    { failed: 'The delivery was not sent again' },
  );
  const send = ({ id, state }: Delivery) =>
    webhook.state === 'active' && state !== 'waiting' ? () => again.mutate(id) : null;
  return (
    <TableCard
      label="Sent and waiting"
      columns={['Event', 'State', 'Attempts', '>Actions']}
      widthMinPx={720}
    >
      {items.map((item) => (
        <DeliveryRow key={item.id} item={item} onAgain={send(item)} />
      ))}
    </TableCard>
  );
}

interface DeliveriesProps {
  webhook: WebhookDetail;
  environment: EnvironmentName;
}

function Deliveries({ webhook, environment }: DeliveriesProps) {
  const [befores, setBefores] = useState<readonly (number | null)[]>([null]);
  const before = befores.at(-1) ?? null;
  const { data, error, refetch } = useAnswer(
    ['webhooks', environment, webhook.id, 'deliveries', before],
    webhooks.deliveries,
    {
      input: { id: webhook.id, limit: pageDeliveries, before: before ?? undefined },
      environment,
      refetchInterval: deliveriesRefreshMs,
    },
  );
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Note className={classes.label}>{webhook.url}</Note>
        <TestButton webhook={webhook} environment={environment} />
      </Group>
      <ErrorPanel title="The deliveries could not be loaded" error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={120} />}
      {data?.results.length === 0 && (
        <Note>Nothing has been sent yet. Deliveries are kept for 30 days after their end.</Note>
      )}
      {data && data.results.length > 0 && (
        <DeliveryTable items={data.results} webhook={webhook} environment={environment} />
      )}
      <NewerOlder befores={befores} next={data?.next_before ?? null} onChange={setBefores} />
    </Stack>
  );
}

interface DeliveryLogProps {
  webhook: WebhookDetail | null;
  environment: EnvironmentName;
  onClose: () => void;
}

/** The dialog; closed while `webhook` is null. */
function DeliveryLog({ webhook, environment, onClose }: DeliveryLogProps) {
  return (
    <Modal opened={webhook !== null} onClose={onClose} size={960} title="Deliveries">
      {webhook && <Deliveries key={webhook.id} webhook={webhook} environment={environment} />}
    </Modal>
  );
}

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
  onSubmit,
  ...form
}: {
  environment: EnvironmentName;
  onSubmit: (fields: Fields) => void;
} & Pick<DialogFormProps, 'change' | 'onClose'>) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<string[]>([...eventKinds]);
  const [isAllowed, setAllowed] = useState(false);
  const localHost = environment === 'live' ? localHostOf(url) : null;
  return (
    <DialogForm
      {...form}
      isWhole={url.trim() !== '' && events.length > 0 && (localHost === null || isAllowed)}
      act="Register"
      failed="The webhook was not registered"
      onSubmit={() =>
        onSubmit({
          url: url.trim(),
          events: eventKinds.filter((kind) => events.includes(kind)),
          allowedHost: localHost,
        })
      }
    >
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
    </DialogForm>
  );
}

interface NewWebhookProps {
  opened: boolean;
  environment: EnvironmentName;
  onClose: () => void;
}

function NewWebhook({ opened, environment, onClose }: NewWebhookProps) {
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
      form={(close) => (
        <WebhookForm
          environment={environment}
          change={create}
          onSubmit={(fields) => create.mutate(fields)}
          onClose={close}
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

function WebhookHosts({ environment }: { environment: EnvironmentName }) {
  const { data } = useAnswer(['webhook-hosts', environment], webhooks.hosts, { environment });
  const [edited, setEdited] = useState<string[] | null>(null);
  const save = useChange(
    (hosts: string[]) => ask(webhooks.setHosts, { hosts }, { environment }),
    ['webhook-hosts'],
    { failed: 'The hosts were not saved', done: 'The allowed hosts were saved.' },
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
        disabled={edited === null}
        loading={save.isPending}
        onClick={() =>
          save.mutate(hosts, {
            onSuccess: () => setEdited(null),
          })
        }
      >
        Save
      </Button>
    </Group>
  );
}

const webhooksRefreshMs = 3_000;

export function Webhooks({ environment }: { environment: EnvironmentName }) {
  const [isMaking, making] = useDisclosure(false);
  const [loggedId, setLoggedId] = useState<string | null>(null);
  const { data, error, refetch, dataUpdatedAt } = useAnswer(
    ['webhooks', environment],
    webhooks.list,
    { environment, refetchInterval: webhooksRefreshMs },
  );
  const make = (
    <Button variant="filled" data-command="new-webhook" onClick={making.open}>
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
