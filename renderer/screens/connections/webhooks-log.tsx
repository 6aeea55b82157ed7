/** A webhook's deliveries with their attempts, and the buttons to send again. */
import { Button, Code, Group, Modal, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import {
  type Delivery,
  type WebhookAttempt,
  type WebhookDetail,
  webhooks,
} from '../../../engine/contract/webhooks.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { NewerOlder } from '../../components/newer-older.tsx';
import { showTime } from '../../components/numbers.ts';
import { type ChipStatus, StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { showFailure } from '../../components/toast.ts';
import classes from './connections.module.css';

/** Deliveries have no events, so an open log is polled. */
const refreshIntervalMs = 2_000;
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
      <Text size="xs" c="dimmed" className={classes.arguments}>
        {attempt.error ?? attempt.excerpt}
      </Text>
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
          <Text size="xs" c="dimmed" mt={4}>
            next {showTime(item.due_at)}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Stack gap="xs">
          {item.attempts.length === 0 && (
            <Text size="sm" c="dimmed">
              none yet
            </Text>
          )}
          {item.attempts.map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
        </Stack>
      </Table.Td>
      <Table.Td ta="right">
        {onAgain && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Send again: ${item.event_id}`}
            onClick={onAgain}
          >
            Send again
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Sends a test event. */
function TestButton({
  webhook,
  environment,
}: {
  webhook: WebhookDetail;
  environment: EnvironmentName;
}) {
  const test = useChange(
    () => ask(webhooks.sendTest, { id: webhook.id }, { environment }),
    ['webhooks'],
  );
  return (
    <Button
      size="compact-sm"
      loading={test.isPending}
      disabled={webhook.state !== 'active'}
      onClick={() =>
        test.mutate(undefined, {
          onError: (error) => showFailure('The test event was not sent', error),
        })
      }
    >
      Send a test event
    </Button>
  );
}

function DeliveryTable({
  items,
  webhook,
  environment,
}: {
  items: readonly Delivery[];
  webhook: WebhookDetail;
  environment: EnvironmentName;
}) {
  const again = useChange(
    (delivery: number) => ask(webhooks.sendAgain, { id: webhook.id, delivery }, { environment }),
    ['webhooks'],
  );
  const send = ({ id, state }: Delivery) =>
    webhook.state === 'active' && state !== 'waiting'
      ? () =>
          again.mutate(id, {
            onError: (error) => showFailure('The delivery was not sent again', error),
          })
      : null;
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

function Deliveries({
  webhook,
  environment,
}: {
  webhook: WebhookDetail;
  environment: EnvironmentName;
}) {
  const [befores, setBefores] = useState<readonly (number | null)[]>([null]);
  const before = befores.at(-1) ?? null;
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', environment, webhook.id, 'deliveries', before],
    queryFn: () =>
      ask(
        webhooks.deliveries,
        { id: webhook.id, limit: pageDeliveries, before: before ?? undefined },
        { environment },
      ),
    refetchInterval: refreshIntervalMs,
  });
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" className={classes.label}>
          {webhook.url}
        </Text>
        <TestButton webhook={webhook} environment={environment} />
      </Group>
      <ErrorPanel title="The deliveries could not be loaded" error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={120} />}
      {data?.results.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing has been sent yet. Deliveries are kept for 30 days after their end.
        </Text>
      )}
      {data && data.results.length > 0 && (
        <DeliveryTable items={data.results} webhook={webhook} environment={environment} />
      )}
      <NewerOlder befores={befores} next={data?.next_before ?? null} onChange={setBefores} />
    </Stack>
  );
}

/** The dialog; closed while `webhook` is null. */
export function DeliveryLog({
  webhook,
  environment,
  onClose,
}: {
  webhook: WebhookDetail | null;
  environment: EnvironmentName;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={webhook !== null}
      onClose={onClose}
      size={960}
      title="Deliveries"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {webhook && <Deliveries key={webhook.id} webhook={webhook} environment={environment} />}
    </Modal>
  );
}
