/** A plain table that scrolls sideways in a narrow window, also by keyboard. */
import { Card, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './table.module.css';

/** The table. `columns` are its header texts; a text that begins with ">" is right-aligned. */
export function TableCard({
  label,
  columns,
  widthMinPx,
  children,
}: {
  label: string;
  columns: readonly string[];
  widthMinPx: number;
  children: ReactNode;
}) {
  return (
    <Card component="section" p={0} className={classes.scroll} tabIndex={0} aria-label={label}>
      <Table className={classes.table} verticalSpacing="sm" horizontalSpacing="md" miw={widthMinPx}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column} ta={column.startsWith('>') ? 'right' : 'left'}>
                {column.replace('>', '')}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Card>
  );
}
