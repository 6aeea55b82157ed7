/** Chooses which columns a grid shows. */
import { Button, Checkbox, Group, Popover, ScrollArea, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { type GridColumn, type GridTable, indexOfColumn } from './grid-columns.ts';

/** The menu of a grid's columns. */
export function ColumnsMenu({
  table,
  columns,
}: {
  table: GridTable;
  columns: readonly GridColumn[];
}) {
  const all = table.getAllLeafColumns();
  const showKinds = (kinds: readonly GridColumn['kind'][]) => {
    for (const column of all) {
      const kind = columns[indexOfColumn(column.id)]?.kind ?? 'plain';
      column.toggleVisibility(kinds.includes(kind));
    }
  };
  return (
    <Popover
      position="bottom-end"
      trapFocus
      returnFocus
      withRoles
      transitionProps={{ duration: 80 }}
    >
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={14} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns shown" p="md">
        <Group gap="xs" mb="sm">
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => showKinds(['given', 'found', 'plain'])}
          >
            All
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => showKinds(['found', 'plain'])}>
            Found only
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => showKinds(['given'])}>
            Yours only
          </Button>
        </Group>
        <ScrollArea.Autosize mah={320} type="auto" viewportProps={{ tabIndex: 0 }}>
          <Stack gap={6} pr="md">
            {all.map((column) => (
              <Checkbox
                key={column.id}
                size="xs"
                label={columns[indexOfColumn(column.id)]?.label}
                checked={column.getIsVisible()}
                onChange={(event) => column.toggleVisibility(event.currentTarget.checked)}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
