/** Where the encryption key for secrets of webhooks and sign-ins is stored. */
import { Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SecretKey as SecretKeyState, webhooks } from '../../../engine/contract/webhooks.ts';
import { ask } from '../../api/client.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { type ChipStatus, StatusChip } from '../../components/status-chip.tsx';

const looks: Readonly<Record<SecretKeyState['place'], { chip: ChipStatus; word: string }>> = {
  keychain: { chip: 'enriched', word: 'keychain' },
  file: { chip: 'ambiguous', word: 'file' },
  unavailable: { chip: 'failed', word: 'not available' },
};

/** The key's location and its consequences. */
export function SecretKey() {
  const { data, error, refetch } = useQuery({
    queryKey: ['secret-key'],
    queryFn: () => ask(webhooks.secretKey),
  });
  if (error)
    return (
      <ErrorPanel
        title="The location of the key could not be loaded"
        error={error}
        onRetry={refetch}
      />
    );
  if (!data) return <Skeleton height={40} />;
  const { chip, word } = looks[data.place];
  const sentence = `${data.detail.charAt(0).toUpperCase()}${data.detail.slice(1)}`;
  return (
    <>
      <Group>
        <StatusChip status={chip} label={word} />
      </Group>
      <Text size="sm" mt="xs">
        {sentence.replace(/\.?$/, '.')}
      </Text>
    </>
  );
}
