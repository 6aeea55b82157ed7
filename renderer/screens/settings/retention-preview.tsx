/** What would be deleted at some days, and the button that saves them. */

import { Alert, Button, Group, Modal, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import {
  type RetentionChange,
  type RetentionPreview as RetentionPreviewData,
  retention,
  retentionKinds,
} from '../../../engine/contract/retention/retention.ts';
import { ask } from '../../api/client.ts';
import { useCall } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf } from '../../components/numbers.ts';
import tableClasses from '../../components/table.module.css';
import { showSuccess } from '../../components/toast.ts';
import { describeDue, describeKept, showDays } from './retention-words.ts';

type Days = RetentionChange['days'];

function PreviewTable({ kinds }: RetentionPreviewData) {
  const shown = kinds.filter(({ days }) => days !== null);
  if (shown.length === 0) return <Text size="sm">Everything is kept until you delete it.</Text>;
  return (
    <Table className={tableClasses.table} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>What</Table.Th>
          <Table.Th>Kept</Table.Th>
          <Table.Th>Deleted now</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shown.map((due) => (
          <Table.Tr key={due.kind}>
            <Table.Td>{retentionKinds[due.kind].label}</Table.Td>
            <Table.Td>{showDays(due.days)}</Table.Td>
            <Table.Td>
              {describeDue(due)}
              {due.kept.length > 0 && (
                <Text size="xs" c="dimmed">
                  {describeKept(due)}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Deleting is irreversible, so its consequence is said before it. */
const consequence =
  'Deleted results cannot be shown, exported or reviewed again. Credits, the ledger and its ' +
  'history stay. Copies that you exported are not touched.';

function Content({ days, onClose }: { days: Days; onClose: (isSaved: boolean) => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['retention-preview', days],
    queryFn: () => ask(retention.preview, { days }),
    // What it named may be gone when it is opened again.
    gcTime: 0,
  });
  const save = useCall(retention.change, ['retention', 'jobs']);
  if (error) return <ErrorPanel title="There is no preview" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={160} />;
  const count = data.kinds.reduce((sum, { items }) => sum + items, 0);
  const isChange = Object.keys(days).length > 0;
  const submit = () =>
    save.mutate(
      { days },
      {
        onSuccess() {
          showSuccess('The days are saved.');
          onClose(true);
        },
      },
    );
  return (
    <Stack gap="md">
      <PreviewTable kinds={data.kinds} />
      {count > 0 && (
        <Alert color="red" title={`${countOf(count, 'item')} would be deleted now`}>
          {consequence}
        </Alert>
      )}
      <ErrorPanel title="The days were not saved" error={save.error} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={() => onClose(false)} data-autofocus>
          {isChange ? 'Cancel' : 'Close'}
        </Button>
        {isChange && (
          <Button loading={save.isPending} onClick={submit} {...(count > 0 && { color: 'red.9' })}>
            {count > 0 ? 'Save and delete' : 'Save these days'}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** The button of the preview. `days` are those that differ from the saved ones. */
export function RetentionPreview({ days, onSaved }: { days: Days; onSaved: () => void }) {
  const [opened, { open, close }] = useDisclosure(false);
  const isChange = Object.keys(days).length > 0;
  return (
    <>
      <Group justify="flex-end">
        <Button variant={isChange ? 'filled' : 'default'} onClick={open}>
          {isChange ? 'Preview and save …' : 'Preview …'}
        </Button>
      </Group>
      <Modal
        opened={opened}
        onClose={close}
        size="lg"
        title="What would be deleted"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Content
          days={days}
          onClose={(isSaved) => {
            close();
            if (isSaved) onSaved();
          }}
        />
      </Modal>
    </>
  );
}
