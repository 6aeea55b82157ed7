// Asks how several files are opened, and whether they replace a setup.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { joinedFilesMax } from '../../../../engine/contract/limits/uploads.ts';
import type { ChosenFile } from '../../../../main/desktop-contract.ts';
import { countOf } from '../../../components/numbers.ts';
import { isolate } from '../../../components/titles/isolate.ts';
import type { Flow } from '../flow.tsx';
import { describeLoss } from '../leave-list.tsx';

const namedMax = 8;

type Named = File | ChosenFile;

const keyOf = (file: Named) =>
  'path' in file ? file.path : `${file.name}:${file.size}:${file.lastModified}`;

function Names({ files }: { files: readonly Named[] }) {
  const rest = files.length - namedMax;
  return (
    <Text component="ul" size="sm" pl="lg" m={0} style={{ overflowWrap: 'anywhere' }}>
      {files.slice(0, namedMax).map((file) => (
        <li key={keyOf(file)} dir="auto">
          {file.name}
        </li>
      ))}
      {rest > 0 && <li>and {countOf(rest, 'more file')}</li>}
    </Text>
  );
}

interface OpenQuestionProps {
  files: readonly Named[];
  replaced: Pick<Flow, 'name' | 'corrections'> | null;
  onKeep: () => void;
  onOpen: (isOneList: boolean) => void;
}

/** @param replaced the setup; null without one @param onOpen gets whether files become a list */
export function OpenQuestion({ files, replaced, onKeep, onOpen }: OpenQuestionProps) {
  const isSeveral = files.length > 1;
  const canJoin = isSeveral && files.length <= joinedFilesMax;
  const openName = replaced?.name ?? '';
  const isSameName = !isSeveral && files[0]?.name === openName;
  const replacedName = isSameName ? 'the open list of this name' : isolate(openName);
  const what = isSeveral ? countOf(files.length, 'file') : (files[0]?.name ?? '');
  return (
    <Modal opened onClose={onKeep} title={`Open ${isolate(what)}?`}>
      <Stack gap="sm">
        {isSeveral && <Names files={files} />}
        {canJoin && (
          <Text size="sm">
            As one list, columns are matched by name, and every row keeps its file and line.
          </Text>
        )}
        {replaced !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {isSeveral ? 'They replace' : 'This replaces'} {replacedName}, which you have not
            started. {describeLoss(replaced)}
          </Text>
        )}
      </Stack>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button onClick={onKeep}>{replaced === null ? 'Cancel' : `Keep ${replacedName}`}</Button>
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
          <Button variant="filled" data-autofocus onClick={() => onOpen(canJoin)}>
            {canJoin ? 'Open as one list' : 'Open'}
          </Button>
        )}
      </Group>
    </Modal>
  );
}
