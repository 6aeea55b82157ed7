/** The automatic backups, and how to make and restore one. */

import { Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  type AutomaticBackup,
  type AutomaticReason,
  maintenanceCalls,
} from '../../../engine/contract/maintenance.ts';
import { ask } from '../../api/client.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showBytes, showTime } from '../../components/numbers.ts';

const reasons: Readonly<Record<AutomaticReason, string>> = {
  migration: 'before the databases were migrated',
  update: 'before an update',
  repair: 'before a repair',
};

function BackupLine({ backup: { path, reason, made_at, bytes } }: { backup: AutomaticBackup }) {
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <Text fw={550}>{showTime(made_at)}</Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {reasons[reason]}, {showBytes(bytes)}: {path}
        </Text>
      </div>
      <CopyButton value={path} label={`Copy the path of ${showTime(made_at)}`} />
    </Group>
  );
}

export function Backups() {
  const { data, error, refetch } = useQuery({
    queryKey: ['backups'],
    queryFn: () => ask(maintenanceCalls.backups),
  });
  if (error)
    return <ErrorPanel title="The backups could not be loaded" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={40} />;
  return (
    <Stack gap="md">
      {data.length === 0 && <Text size="sm">There are no automatic backups yet.</Text>}
      {data.map((backup) => (
        <BackupLine key={backup.path} backup={backup} />
      ))}
      <Text size="sm">
        Make one yourself with <Code>desk backup FILE.tar.gz</Code>. To restore one, run{' '}
        <Code>desk restore FILE --while-running</Code>: the engine stops, restores it, and starts
        again.
      </Text>
    </Stack>
  );
}
