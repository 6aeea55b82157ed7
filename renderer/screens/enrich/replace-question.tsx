/** Asks before files replace a setup. */
import { Button, Group, Modal, Text } from '@mantine/core';
import { countOf } from '../../components/numbers.ts';

/**
 * @param name of the file to open
 * @param replaced name of the file in the setup
 * @param others number of files that wait behind it
 */
export function ReplaceQuestion({
  name,
  replaced,
  others,
  onKeep,
  onOpen,
}: {
  name: string;
  replaced: string;
  others: number;
  onKeep: () => void;
  onOpen: () => void;
}) {
  return (
    <Modal
      opened
      onClose={onKeep}
      title={`Open ${name}?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Text>
        It replaces {replaced}. Nothing was submitted.
        {others > 0 && ` ${countOf(others, 'more file waits', 'more files wait')}.`}
      </Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onKeep}>
          Keep {replaced}
        </Button>
        <Button data-autofocus onClick={onOpen}>
          Open
        </Button>
      </Group>
    </Modal>
  );
}
