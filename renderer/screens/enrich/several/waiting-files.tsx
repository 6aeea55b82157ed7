// The files that were dropped together with the open one.
import { Button, Group, Text } from '@mantine/core';
import { countOf } from '../../../components/numbers.ts';
import { isolate } from '../../../components/titles/isolate.ts';
import { useFlow } from '../flow.tsx';
import { LeaveList } from '../leave-list.tsx';

/** The files that wait, and the next of them; nothing without any. */
export function WaitingFiles() {
  const { flow, actions } = useFlow();
  const [next, ...others] = flow.waiting;
  if (!next) return null;
  const open = () => {
    actions.change({ waiting: others });
    void actions.choose({ file: next });
  };
  return (
    <Group gap="sm" role="status">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {countOf(flow.waiting.length, 'more file waits', 'more files wait')}:{' '}
        {flow.waiting.map(({ name }) => isolate(name)).join(', ')}
      </Text>
      <LeaveList label={`Open ${isolate(next.name)}`} asks={flow.upload !== null} onLeave={open} />
      <Button size="xs" onClick={() => actions.change({ waiting: [] })}>
        Remove from the list
      </Button>
    </Group>
  );
}
