// Plain tables. In a narrow window each row is a card with a line for each cell.
import { Card, Table } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import classes from './table.module.css';

/** The style of cards names this many columns. */
const cardColumnsMax = 10;

interface PlainTableProps {
  /** The header texts; a text that begins with ">" is right-aligned. */
  readonly columns: readonly string[];
  readonly widthMinPx?: number;
  readonly children: ReactNode;
}

export function PlainTable({ columns, widthMinPx = 0, children }: PlainTableProps) {
  const names = columns.map((column) => column.replace('>', ''));
  const labels = names.map((name, at) => [`--label-${at + 1}`, JSON.stringify(name)]);
  const isCards = columns.length <= cardColumnsMax;
  const style: Record<string, string> = Object.fromEntries(labels);
  return (
    <Table
      className={`${classes.table} ${isCards ? classes.cards : ''}`}
      verticalSpacing="sm"
      horizontalSpacing="md"
      style={{ '--width-min': `${widthMinPx}px`, ...style } as CSSProperties}
    >
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, at) => (
            <Table.Th key={column} ta={column.startsWith('>') ? 'right' : 'left'}>
              {names[at]}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
}

/** A table in a card, which scrolls sideways if there is no room, also by keyboard. */
export const TableCard = ({ label, ...table }: PlainTableProps & { readonly label: string }) => (
  <Card component="section" p={0} className={classes.scroll} tabIndex={0} aria-label={label}>
    <PlainTable {...table} />
  </Card>
);
