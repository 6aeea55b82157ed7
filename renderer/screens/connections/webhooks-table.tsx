// Table of webhooks: address, state and actions.
import { Button, Group, Modal, Table, Text } from '@mantine/core';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { type WebhookDetail, webhooks } from '../../../engine/contract/webhooks.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { Ago } from '../../components/ago.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { showCount } from '../../components/numbers.ts';
import { type ChipStatus, StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption } from '../../components/text.tsx';
import classes from './connections.module.css';
import { SecretShownOnce } from './webhooks-secret.tsx';

const states: Readonly<Record<WebhookDetail['state'], { chip: ChipStatus; word: string }>> = {
  active: { chip: 'enriched', word: 'active' },
  paused: { chip: 'paused', word: 'paused' },
  off: { chip: 'failed', word: 'switched off' },
};

const rotationSentence =
  'The new secret signs every delivery from now on, including X-Service-Signature. The Standard ' +
  'Webhooks headers also carry a signature by the previous secret for 24 hours.';

interface RowProps {
  readonly item: WebhookDetail;
  readonly environment: EnvironmentName;
}

/** Rotates the secret after a confirmation and shows the new one. */
function RotateButton({ item, environment }: RowProps) {
  const rotate = useChange(
    () => ask(webhooks.rotate, { id: item.id }, { environment }),
    ['webhooks'],
    { failed: 'The secret was not rotated' },
  );
  return (
    <>
      <ConfirmButton
        size="compact-sm"
        title="Rotate the secret?"
        sentence={rotationSentence}
        act="Rotate the secret"
        loading={rotate.isPending}
        onConfirm={() => rotate.mutate()}
      >
        Rotate
      </ConfirmButton>
      <Modal
        opened={rotate.data !== undefined}
        onClose={rotate.reset}
        title="The new secret"
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {rotate.data && (
          <SecretShownOnce
            secret={rotate.data.secret}
            sentence="Save it now, where your receiver can read it."
            onKept={rotate.reset}
          />
        )}
      </Modal>
    </>
  );
}

function PauseButton({ item, environment }: RowProps) {
  const pause = useChange(
    (paused: boolean) => ask(webhooks.pause, { id: item.id, paused }, { environment }),
    ['webhooks'],
    { failed: 'The webhook was not changed' },
  );
  const isActive = item.state === 'active';
  return (
    <Button size="compact-sm" loading={pause.isPending} onClick={() => pause.mutate(isActive)}>
      {isActive ? 'Pause' : 'Resume'}
    </Button>
  );
}

function DeleteButton({ item, environment }: RowProps) {
  const remove = useChange(
    () => ask(webhooks.remove, { id: item.id }, { environment }),
    ['webhooks'],
    { failed: 'The webhook was not deleted', done: 'The webhook was deleted.' },
  );
  return (
    <ConfirmButton
      size="compact-sm"
      title="Delete this webhook?"
      sentence="Its pending deliveries and its log are deleted."
      act="Delete the webhook"
      loading={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      Delete
    </ConfirmButton>
  );
}

function WebhookRow({
  item,
  environment,
  now,
  onLog,
}: RowProps & { now: number; onLog: (item: WebhookDetail) => void }) {
  const { chip, word } = states[item.state];
  const last = item.last_delivery;
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>
        <div className={classes.label}>{item.url}</div>
        <Caption>{item.events.join(', ')}</Caption>
      </Table.Td>
      <Table.Td>
        <StatusChip status={chip} label={word} />
        {item.problem && (
          <Text size="xs" c="var(--desk-failed)" mt={4}>
            {item.problem}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={tableClasses.steady}>
        {last ? (
          <>
            {last.status} <Ago time={last.at} now={now} />
          </>
        ) : (
          'none yet'
        )}
      </Table.Td>
      <Table.Td className={tableClasses.number}>{showCount(item.waiting)}</Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button size="compact-sm" onClick={() => onLog(item)}>
            Deliveries
          </Button>
          <PauseButton item={item} environment={environment} />
          <RotateButton item={item} environment={environment} />
          <DeleteButton item={item} environment={environment} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

interface WebhooksTableProps {
  listed: readonly WebhookDetail[];
  environment: EnvironmentName;
  now: number;
  onLog: (item: WebhookDetail) => void;
}

/** @param now milliseconds since 1970 */
export function WebhooksTable({ listed, ...rest }: WebhooksTableProps) {
  return (
    <TableCard
      label="Registered webhooks"
      columns={['Address', 'State', 'Last delivery', '>Waiting', '>Actions']}
      widthMinPx={860}
    >
      {listed.map((item) => (
        <WebhookRow key={item.id} item={item} {...rest} />
      ))}
    </TableCard>
  );
}
