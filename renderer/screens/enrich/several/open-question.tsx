/** Asks how several files are opened, and whether they replace a setup. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { joinedFilesMax } from '../../../../engine/contract/limits/uploads.ts';
import { countOf } from '../../../components/numbers.ts';
import { isolate } from '../../../components/titles/isolate.ts';

/** Files that are named in the question. */
const namedMax = 8;

function Names({ files }: { files: readonly File[] }) {
  const rest = files.length - namedMax;
  return (
    <Text component="ul" size="sm" pl="lg" m={0} style={{ overflowWrap: 'anywhere' }}>
      {files.slice(0, namedMax).map((file) => (
        <li key={`${file.name}:${file.size}:${file.lastModified}`} dir="auto">
          {file.name}
        </li>
      ))}
      {rest > 0 && <li>and {countOf(rest, 'more file')}</li>}
    </Text>
  );
}

/**
 * @param files to open
 * @param replaced name of the file in the setup; null without a setup
 * @param onOpen called with whether the files become one list
 */
export function OpenQuestion({
  files,
  replaced,
  onKeep,
  onOpen,
}: {
  files: readonly File[];
  replaced: string | null;
  onKeep: () => void;
  onOpen: (isOneList: boolean) => void;
}) {
  const isSeveral = files.length > 1;
  const canJoin = isSeveral && files.length <= joinedFilesMax;
  const what = isSeveral ? countOf(files.length, 'file') : (files[0]?.name ?? '');
  return (
    <Modal
      opened
      onClose={onKeep}
      title={`Open ${isolate(what)}?`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        {isSeveral && <Names files={files} />}
        {canJoin && (
          <Text size="sm">
            As one list, columns are matched by name, and every row keeps its file and line.
          </Text>
        )}
        {replaced !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {isSeveral ? 'They replace' : 'This replaces'} <bdi>{replaced}</bdi>, which you have not
            submitted.
          </Text>
        )}
      </Stack>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onKeep}>
          {replaced === null ? 'Cancel' : `Keep ${isolate(replaced)}`}
        </Button>
        {isSeveral && (
          <Button
            variant={canJoin ? 'default' : 'filled'}
            data-autofocus={canJoin ? undefined : true}
            onClick={() => onOpen(false)}
          >
            Open one after another
          </Button>
        )}
        {(canJoin || !isSeveral) && (
          <Button data-autofocus onClick={() => onOpen(canJoin)}>
            {canJoin ? 'Open as one list' : 'Open'}
          </Button>
        )}
      </Group>
    </Modal>
  );
}
