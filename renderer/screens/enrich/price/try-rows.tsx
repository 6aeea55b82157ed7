// "Try 10 rows": some rows of the list next to what a job would find for them.
import { Button, Modal, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { InputOf } from '../../../../engine/contract/endpoints.ts';
import { newJobs, type Trial } from '../../../../engine/contract/jobs/app-jobs.ts';
import { layers } from '../../../../engine/contract/jobs/layers.ts';
import { trialRowsMax } from '../../../../engine/contract/limits/jobs.ts';
import { ask } from '../../../api/client.ts';
import { useAppState } from '../../../api/live.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { countOf, showCount } from '../../../components/numbers.ts';
import { hasLeft, StatusChip } from '../../../components/status-chip.tsx';
import { TableCard } from '../../../components/table-card.tsx';
import { Note } from '../../../components/text.tsx';
import { wordOfReason } from '../../../components/words.ts';
import classes from './try-rows.module.css';

type Question = InputOf<typeof newJobs.tryRows>;
type TriedRow = Trial['rows'][number];

/** The found fields of a trial, each once, in the order of the layers. */
function listFound(rows: readonly TriedRow[]): string[] {
  const names = new Set(rows.flatMap(({ found }) => Object.keys(found)));
  return layers
    .flatMap(({ fields }) => fields)
    .filter((name) => names.has(name) && name !== 'First name' && name !== 'Last name');
}

function Outcome({ row }: { row: TriedRow }) {
  if (row.status === 'enriched' && hasLeft(row.found))
    return <StatusChip status="left" label="left the company" />;
  if (row.status === 'enriched') return <StatusChip status="enriched" label="found" />;
  if (row.reason === 'ambiguous') return <StatusChip status="ambiguous" />;
  if (row.reason === 'suppressed') return <StatusChip status="suppressed" />;
  return <StatusChip status={row.status} label={wordOfReason(row.reason) || row.status} />;
}

/** Own columns in front of what was found; the others follow it. */
const leading = 2;

function GivenCells({ cells }: { cells: readonly (readonly [head: string, cell: string])[] }) {
  return cells.map(([head, cell]) => (
    <Table.Td key={head} className={classes.given} title={cell}>
      {cell}
    </Table.Td>
  ));
}

function TriedTable({ trial: { columns, rows } }: { trial: Trial }) {
  const found = listFound(rows);
  const heads = columns.map((column) => `${column} (yours)`);
  return (
    <TableCard
      label="Tried rows"
      columns={['Row', ...heads.slice(0, leading), 'Outcome', ...found, ...heads.slice(leading)]}
      widthMinPx={120 * (columns.length + found.length + 1)}
    >
      {rows.map((row) => {
        const given = row.given.map((cell, at) => [heads[at] ?? '', cell] as const);
        return (
          <Table.Tr key={row.row_index}>
            <Table.Td>{showCount(row.row_index + 1)}</Table.Td>
            <GivenCells cells={given.slice(0, leading)} />
            <Table.Td className={classes.outcome}>
              <Outcome row={row} />
            </Table.Td>
            {found.map((name) => (
              <Table.Td key={name} className={classes.found} title={row.found[name]}>
                {row.found[name]}
              </Table.Td>
            ))}
            <GivenCells cells={given.slice(leading)} />
          </Table.Tr>
        );
      })}
    </TableCard>
  );
}

function Answer({ question }: { question: Question }) {
  const hasTeam = useAppState().data?.directory.has_team === true;
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['trial', question],
    queryFn: ({ signal }) => ask(newJobs.tryRows, question, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (error)
    return <ErrorPanel title="The rows could not be tried" error={error} onRetry={refetch} />;
  if (!data || isFetching) return <Skeleton height={420} aria-label="Trying the rows" />;
  const unasked = hasTeam ? 'Data services and the team’s directory' : 'Data services';
  const enriched = data.rows.filter(({ status }) => status === 'enriched').length;
  return (
    <Stack gap="sm">
      <Text role="status">
        <strong>
          {showCount(enriched)} of {countOf(data.rows.length, 'row')} found
        </strong>
        , from your {hasTeam && 'own '}directory. Nothing was charged or stored.
      </Text>
      <TriedTable trial={data} />
      <Note>{unasked} were not asked.</Note>
    </Stack>
  );
}

interface TryRowsProps {
  question: Question;
  rowCount: number;
  isDisabled: boolean;
}

/** The button and its dialog. The dialog tries the rows when it opens. */
export function TryRows({ question, rowCount, isDisabled }: TryRowsProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const rows = countOf(Math.min(trialRowsMax, rowCount), 'row');
  return (
    <>
      <Button flex="1 0 auto" disabled={isDisabled} onClick={open}>
        Try {rows}
      </Button>
      <Modal opened={isOpen} onClose={close} title={`${rows} of your list`} size="72rem">
        {isOpen && <Answer question={question} />}
      </Modal>
    </>
  );
}
