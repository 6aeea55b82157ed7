// Steps through a long list by pages and shows the position.
import { Button, Group } from '@mantine/core';
import { showCount } from './numbers.ts';
import { Note } from './text.tsx';

interface PagerProps {
  count: number;
  offset: number;
  limit: number;
  onOffset: (offset: number) => void;
}

/** The pager. Renders nothing if everything fits on one page. */
export function Pager({ count, offset, limit, onOffset }: PagerProps) {
  if (count <= limit) return null;
  const last = Math.min(offset + limit, count);
  return (
    <Group justify="flex-end" gap="sm" component="nav" aria-label="Pages">
      <Note className="numbers">
        {showCount(offset + 1)} to {showCount(last)} of {showCount(count)}
      </Note>
      <Button
        size="xs"
        disabled={offset === 0}
        onClick={() => onOffset(Math.max(0, offset - limit))}
      >
        Newer
      </Button>
      <Button size="xs" disabled={last >= count} onClick={() => onOffset(last)}>
        Older
      </Button>
    </Group>
  );
}
