// Files that cannot become one list: each is named with the reason, and what can be done.
import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { countOf } from '../../../components/numbers.ts';
import { useFlow } from '../flow.tsx';
import type { DifferentFiles } from './several-files.ts';

export function DifferentFilesPanel({ error: { same, others } }: { error: DifferentFiles }) {
  const { actions } = useFlow();
  const left = others.map(({ file }) => file);
  const joinOthers = () => {
    actions.change({ waiting: left });
    void actions.choose({ files: same });
  };
  const openEach = () => {
    const [first, ...rest] = [...same, ...left];
    if (!first) return;
    actions.change({ waiting: rest });
    void actions.choose({ file: first });
  };
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title={`${countOf(others.length, 'file does', 'files do')} not fit the list`}
    >
      <Text component="ul" size="sm" pl="lg" m={0} style={{ overflowWrap: 'anywhere' }}>
        {others.map(({ file, reason }) => (
          <li key={`${file.name}:${file.size}:${file.lastModified}`}>
            <bdi>{file.name}</bdi> {reason}
          </li>
        ))}
      </Text>
      {same[0] && (
        <Text size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
          One list needs the columns of <bdi>{same[0].name}</bdi> in every file, in any order.
          Rename the columns and drop the files again, or open the files separately. Nothing was
          stored.
        </Text>
      )}
      <Group mt="md" gap="sm">
        {same.length > 1 && (
          <Button variant="filled" size="xs" onClick={joinOthers}>
            Open the other {countOf(same.length, 'file')} as one list
          </Button>
        )}
        <Button size="xs" onClick={openEach}>
          Open one after another
        </Button>
      </Group>
    </Alert>
  );
}
