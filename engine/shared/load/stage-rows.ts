// Sends the rows of a load to the server: into the tables, or into temporary ones.
import type { PoolClient } from 'pg';
import type { SharedLayout } from '../layout/shared-layout.ts';
import { type Cell, startCopy } from './copy-rows.ts';
import { type LoadedTable, loadedTables } from './shared-tables.ts';

/** Takes rows for tables and sends them from time to time. */
export interface RowStage {
  /** Takes a row in the order of the table's columns. */
  add(table: LoadedTable, cells: readonly Cell[]): void;
  flush(): Promise<void>;
}

export const stagedName = ({ name }: LoadedTable): string => `pg_temp.next_${name}`;

export const columnsOf = ({ columns }: LoadedTable): string => Object.keys(columns).join(', ');

/** Creates the temporary tables; they end with the transaction. */
export async function createStages(client: PoolClient): Promise<void> {
  for (const { name, columns } of loadedTables) {
    const defined = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
    await client.query(`CREATE TEMP TABLE next_${name} (${defined.join(', ')}) ON COMMIT DROP`);
  }
  await client.query('CREATE TEMP TABLE affected (person_id int NOT NULL) ON COMMIT DROP');
}

interface DirectRows {
  readonly tenant: number;
  readonly layout: SharedLayout;
}

/** What a row of a table has more than the row that was taken, and the columns of that. */
function completeRows(table: LoadedTable, { tenant, layout }: DirectRows) {
  if (!layout.buckets || table.person === null)
    return { columns: ', tenant_id', cellsOf: () => [tenant] };
  const personAt = Object.keys(table.columns).indexOf(table.person);
  return {
    columns: ', tenant_id, bucket',
    cellsOf: (cells: readonly Cell[]) => [tenant, layout.bucketOfPerson(Number(cells[personAt]))],
  };
}

/** @param direct null: rows go into stages */
export function createRowStage(client: PoolClient, direct: DirectRows | null): RowStage {
  const waiting = new Map<LoadedTable, (readonly Cell[])[]>();
  return {
    add(table, cells) {
      const rows = waiting.get(table);
      if (rows) rows.push(cells);
      else waiting.set(table, [cells]);
    },
    async flush() {
      for (const [table, rows] of waiting) {
        const more = direct && completeRows(table, direct);
        const copy = startCopy(
          client,
          more
            ? `${table.name} (${columnsOf(table)}${more.columns})`
            : `${stagedName(table)} (${columnsOf(table)})`,
        );
        for (const cells of rows) {
          copy.add(more ? [...cells, ...more.cellsOf(cells)] : cells);
          await copy.drain();
        }
        await copy.end();
      }
      waiting.clear();
    },
  };
}
