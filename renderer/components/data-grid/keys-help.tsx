/** The keys of a grid, in a popover. */
import { ActionIcon, Kbd, Popover, Table } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { gridKeys } from './grid-keys.ts';

/** The button and its popover. */
export const KeysHelp = () => (
  <Popover position="bottom-end" withRoles returnFocus transitionProps={{ duration: 80 }}>
    <Popover.Target>
      <ActionIcon variant="default" size={30} aria-label="Keyboard shortcuts of the grid">
        <IconKeyboard size={16} aria-hidden />
      </ActionIcon>
    </Popover.Target>
    <Popover.Dropdown p="xs">
      <Table fz="sm" withRowBorders={false} verticalSpacing={3}>
        <Table.Tbody>
          {gridKeys.map(({ keys, what }) => (
            <Table.Tr key={keys}>
              <Table.Td>
                <Kbd size="xs">{keys}</Kbd>
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Popover.Dropdown>
  </Popover>
);
