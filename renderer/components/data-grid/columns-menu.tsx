/** Menu to choose the visible columns of a grid. */
import {
  Button,
  Checkbox,
  Popover,
  ScrollArea,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { showCount } from '../numbers.ts';
import { type GridColumn, type GridTable, indexOfColumn } from './grid-columns.ts';

/** Number of columns from which the menu has a search, and maximum number of listed columns. */
const columnsSearched = 20;
const columnsListed = 100;

/** Shows all columns, or only those added to the caller's own. */
export function ColumnsSwitch({
  table,
  columns,
}: {
  table: GridTable;
  columns: readonly GridColumn[];
}) {
  const all = table.getAllLeafColumns();
  const isInput = (id: string) => columns[indexOfColumn(id)]?.kind === 'input';
  const asFound = all.every((column) => column.getIsVisible() !== isInput(column.id));
  const asAll = all.every((column) => column.getIsVisible());
  const choose = (value: string) =>
    table.setColumnVisibility(
      value === 'all' ? {} : Object.fromEntries(all.map(({ id }) => [id, !isInput(id)])),
    );
  return (
    <SegmentedControl
      size="xs"
      aria-label="Columns shown"
      data={[
        { value: 'all', label: 'All columns' },
        { value: 'found', label: 'Found only' },
      ]}
      value={asAll ? 'all' : asFound ? 'found' : ''}
      onChange={choose}
      transitionDuration={0}
    />
  );
}

export function ColumnsMenu({
  table,
  columns,
}: {
  table: GridTable;
  columns: readonly GridColumn[];
}) {
  const [query, setQuery] = useState('');
  const labelOf = (id: string) => columns[indexOfColumn(id)]?.label ?? '';
  const all = table.getAllLeafColumns();
  const shown = all.filter(({ id }) => labelOf(id).toLowerCase().includes(query.toLowerCase()));
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
        {all.length > columnsSearched && (
          <TextInput
            size="xs"
            mb="sm"
            aria-label="Find a column"
            placeholder="Find a column"
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        )}
        <ScrollArea.Autosize mah={320} type="auto" viewportProps={{ tabIndex: 0 }}>
          <Stack gap={6} pr="md">
            {shown.slice(0, columnsListed).map((column) => (
              <Checkbox
                key={column.id}
                size="xs"
                label={labelOf(column.id)}
                checked={column.getIsVisible()}
                onChange={(event) => column.toggleVisibility(event.currentTarget.checked)}
              />
            ))}
            {shown.length > columnsListed && (
              <Text size="xs" c="dimmed">
                and {showCount(shown.length - columnsListed)} more: search by name
              </Text>
            )}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
