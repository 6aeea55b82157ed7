// Menu to choose and order the visible columns of a grid.
import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Popover,
  ScrollArea,
  SegmentedControl,
  Stack,
  TextInput,
} from '@mantine/core';
import {
  IconChevronDown,
  IconChevronUp,
  IconColumns3,
  IconGripVertical,
} from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { showCount } from '../numbers.ts';
import { Caption } from '../text.tsx';
import classes from './data-grid.module.css';
import { type GridColumn, type GridTable, indexOfColumn, moveColumn } from './grid-columns.ts';

/** Number of columns from which the menu has a search, and maximum number of listed columns. */
const columnsSearched = 20;
const columnsListed = 100;

interface ColumnsSwitchProps {
  table: GridTable;
  columns: readonly GridColumn[];
  /** Indices of the columns of the name. */
  names?: readonly number[] | undefined;
}

/** Shows all columns, or only those added to the caller's own, next to the name of each row. */
export function ColumnsSwitch({ table, columns, names = [] }: ColumnsSwitchProps) {
  const all = table.getAllLeafColumns();
  const isHidden = (id: string) => {
    const at = indexOfColumn(id);
    return columns[at]?.kind === 'input' && !names.includes(at);
  };
  const asFound = all.every((column) => column.getIsVisible() !== isHidden(column.id));
  const asAll = all.every((column) => column.getIsVisible());
  const choose = (value: string) =>
    table.setColumnVisibility(
      value === 'all' ? {} : Object.fromEntries(all.map(({ id }) => [id, !isHidden(id)])),
    );
  return (
    <SegmentedControl
      size="xs"
      visibleFrom="xs"
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

interface EntryProps {
  readonly table: GridTable;
  readonly id: string;
  readonly label: string;
  /** The columns before and after it in the list; undefined at an end. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

function ColumnEntry({ table, id, label, before, after }: EntryProps) {
  const column = table.getColumn(id);
  const steps = [
    { name: 'up', to: before, Icon: IconChevronUp },
    { name: 'down', to: after, Icon: IconChevronDown },
  ];
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    const moved = event.dataTransfer.getData('text/x-desk-column');
    if (moved) moveColumn(table, moved, id);
  };
  return (
    <li
      className={classes.columnEntry}
      draggable
      onDragStart={(event) => event.dataTransfer.setData('text/x-desk-column', id)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
    >
      <IconGripVertical size={14} aria-hidden className={classes.grip} />
      <Checkbox
        size="sm"
        label={label}
        checked={column?.getIsVisible() ?? false}
        onChange={(event) => column?.toggleVisibility(event.currentTarget.checked)}
        flex={1}
      />
      {steps.map(({ name, to, Icon }) => (
        <ActionIcon
          key={name}
          variant="subtle"
          size={24}
          aria-label={`Move ${label} ${name}`}
          aria-disabled={to === undefined}
          {...(to === undefined ? { 'data-disabled': true } : {})}
          onClick={() => to !== undefined && moveColumn(table, id, to)}
        >
          <Icon size={14} />
        </ActionIcon>
      ))}
    </li>
  );
}

interface ColumnsMenuProps {
  table: GridTable;
  columns: readonly GridColumn[];
}

export function ColumnsMenu({ table, columns }: ColumnsMenuProps) {
  const [query, setQuery] = useState('');
  const labelOf = (id: string) => columns[indexOfColumn(id)]?.label ?? '';
  const all = table.getAllLeafColumns().map(({ id }) => id);
  const shown = all.filter((id) => labelOf(id).toLowerCase().includes(query.toLowerCase()));
  const listed = shown.slice(0, columnsListed);
  const reset = () => {
    table.setColumnOrder([]);
    table.setColumnSizing({});
    table.setColumnVisibility({});
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
        <Button size="xs" leftSection={<IconColumns3 size={14} aria-hidden />}>
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
          <Stack component="ul" gap={2} pr="md" m={0} pl={0}>
            {listed.map((id, at) => (
              <ColumnEntry
                key={id}
                table={table}
                id={id}
                label={labelOf(id)}
                before={listed[at - 1]}
                after={listed[at + 1]}
              />
            ))}
          </Stack>
          {shown.length > columnsListed && (
            <Caption>and {showCount(shown.length - columnsListed)} more: search by name</Caption>
          )}
        </ScrollArea.Autosize>
        <Group justify="flex-end" mt="sm">
          <Button size="compact-xs" variant="subtle" onClick={reset}>
            Reset columns
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
