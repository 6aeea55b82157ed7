// Steps through a log whose pages are identified by the id before which they begin.
import { Button, Group } from '@mantine/core';

interface NewerOlderProps {
  befores: readonly (number | null)[];
  next: number | null;
  onChange: (befores: readonly (number | null)[]) => void;
}

/** The buttons. `befores` has the start of every page up to the shown one; null for the first. */
export function NewerOlder({ befores, next, onChange }: NewerOlderProps) {
  return (
    <Group gap="sm">
      {befores.length > 1 && (
        <Button size="compact-sm" onClick={() => onChange(befores.slice(0, -1))}>
          Newer
        </Button>
      )}
      {next !== null && (
        <Button size="compact-sm" onClick={() => onChange([...befores, next])}>
          Older
        </Button>
      )}
    </Group>
  );
}
