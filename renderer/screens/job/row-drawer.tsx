/** One row in full: input and output, reason, sources and cost. */
import { ActionIcon, Drawer, Group, Table, Text, Title } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';
import type { GridPage, GridRow } from '../../../engine/contract/jobs/app-jobs.ts';
import { inputRepairSentences } from '../../../engine/contract/jobs/input-repair-sentences.ts';
import type { ResultRow, StatusData } from '../../../engine/contract/jobs/job.ts';
import { nameLayer } from '../../../engine/contract/jobs/layers.ts';
import type { GivenValue } from '../../../engine/contract/suppression/suppression.ts';
import { countCredits, showCount, showShare, showTime } from '../../components/numbers.ts';
import { ReasonHelp } from '../../components/reason-help/reason-help.tsx';
import { SuppressButton } from '../../components/suppress-button.tsx';
import { describeRepair, layerOutcomes, reasonWords, wordOfMatch } from '../../components/words.ts';
import { InferredSection } from './inferred-email.tsx';
import classes from './job.module.css';
import type { JobColumn } from './job-columns.ts';
import { RowChip } from './row-chip.tsx';
import { RowRepeat } from './row-repeat.tsx';
import { RowValues } from './row-values.tsx';

/** The reason of a row's status in full sentences. */
function describeOutcome(result: ResultRow): string {
  const { review } = result;
  if (review) {
    const what = result.status === 'enriched' ? 'Picked' : 'None of the candidates, decided';
    const where = review.remembered ? ', in an earlier job' : '';
    return `${what} by ${review.decided_by} on ${showTime(review.decided_at)}${where}.`;
  }
  if (result.status === 'enriched') {
    const on = result.matched_on.map(wordOfMatch).join(', ');
    return `Matched on ${on || 'the whole row'}, ${showShare(result.confidence)} sure.`;
  }
  const { sentence } = reasonWords[result.reason];
  return [sentence, result.error_message].filter(Boolean).join(' ');
}

/** A name and a value; `id` is unique, because a file may repeat a header. */
interface Pair {
  readonly id: string;
  readonly name: string;
  readonly value: ReactNode;
}

function Pairs({ title, pairs }: { title: string; pairs: readonly Pair[] }) {
  return (
    <section aria-label={title}>
      <Title order={3} mb={4}>
        {title}
      </Title>
      <dl className={classes.pairs}>
        {pairs.map(({ id, name, value }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** How the cells of the row were read, if not as they are. */
function Repairs({ result }: { result: ResultRow }) {
  if (result.input_repairs.length === 0) return null;
  const pairs = result.input_repairs.map((repair, at) => ({
    id: String(at),
    name: describeRepair(repair),
    value: inputRepairSentences[repair.rule],
  }));
  return <Pairs title="How your row was read" pairs={pairs} />;
}

function Layers({ job, result }: { job: StatusData; result: ResultRow }) {
  const charge =
    result.charge_decision === 'used'
      ? `${countCredits(result.credits_charged)} charged`
      : 'Nothing charged';
  return (
    <section aria-label="Layers and charge">
      <Group justify="space-between" mb={4}>
        <Title order={3}>Layers</Title>
        <Text size="sm" className="numbers" fw={600}>
          {charge}
        </Text>
      </Group>
      <dl className={classes.pairs}>
        {job.selected_layers.map((code) => {
          const outcome = result.layer_status[code];
          return (
            <div key={code}>
              <dt>{nameLayer(code)}</dt>
              <dd>{outcome ? layerOutcomes[outcome] : 'not evaluated: no match'}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function Candidates({ result }: { result: ResultRow }) {
  if (result.candidates.length === 0) return null;
  return (
    <section aria-label="Candidates">
      <Title order={3} mb={4}>
        Possible matches
      </Title>
      <Table withTableBorder fz="sm" horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Title and company</Table.Th>
            <Table.Th ta="right">Match score</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {result.candidates.map((candidate) => (
            <Table.Tr key={candidate.upstream_contact_uuid}>
              <Table.Td>{candidate.name}</Table.Td>
              <Table.Td>
                {[candidate.title, candidate.company_name].filter(Boolean).join(', ')}
              </Table.Td>
              <Table.Td ta="right" className="numbers">
                {showShare(candidate.score)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Steps({
  row,
  rowCount,
  onRow,
}: {
  row: number;
  rowCount: number;
  onRow: (row: number) => void;
}) {
  const steps = [
    { name: 'Previous row', next: row - 1, Icon: IconChevronUp },
    { name: 'Next row', next: row + 1, Icon: IconChevronDown },
  ];
  return (
    <Group gap={4}>
      {steps.map(({ name, next, Icon }) => {
        const isOut = next < 0 || next >= rowCount;
        // A disabled button would lose the focus, and the arrow keys with it.
        return (
          <ActionIcon
            key={name}
            variant="default"
            aria-label={name}
            aria-disabled={isOut}
            {...(isOut ? { 'data-disabled': true } : {})}
            onClick={() => !isOut && onRow(next)}
          >
            <Icon size={16} />
          </ActionIcon>
        );
      })}
    </Group>
  );
}

/** Moves to the row before or after by the arrow keys, except in a field or a dialog above. */
function stepByKey(event: KeyboardEvent, row: number, rowCount: number) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const isTaken = (event.target as Element).closest('input, textarea, select, [role=alertdialog]');
  const next = row + (step ?? 0);
  if (step === undefined || isTaken || event.altKey || event.ctrlKey || event.metaKey) return row;
  event.preventDefault();
  return next >= 0 && next < rowCount ? next : row;
}

/** The values of a result that identify its person. */
export function listIdentifiers(result: ResultRow | null): GivenValue[] {
  if (result?.status !== 'enriched') return [];
  const { upstream_contact_uuid: uuid, enriched_fields: fields } = result;
  const named = [
    ['person', uuid],
    ['email', fields.Email],
    ['email', fields['New email']],
    ['profile_url', fields['Profile URL']],
    ['phone', fields['Mobile phone']],
    ['phone', fields['Direct phone']],
  ] as const;
  return named.flatMap(([kind, value]) => (value ? [{ kind, value }] : []));
}

/** The drawer; closed while `row` is null. */
export function RowDrawer({
  job,
  columns,
  correspondences,
  row,
  data,
  rowCount,
  onRow,
}: {
  job: StatusData;
  columns: readonly JobColumn[];
  correspondences: GridPage['correspondences'];
  row: number | null;
  data: GridRow | undefined;
  rowCount: number;
  onRow: (row: number | null) => void;
}) {
  const result = data?.result ?? null;
  const number = (result?.row_index ?? row ?? 0) + 1;
  return (
    <Drawer
      opened={row !== null}
      onClose={() => onRow(null)}
      position="right"
      size={760}
      title={`Row ${showCount(number)}`}
      classNames={{ content: classes.drawerBody }}
      onKeyDown={(event) => row !== null && onRow(stepByKey(event, row, rowCount))}
      closeButtonProps={{ 'aria-label': 'Close details' }}
    >
      <div className={classes.drawer}>
        <Group justify="space-between">
          <RowChip result={result} />
          {row !== null && <Steps row={row} rowCount={rowCount} onRow={onRow} />}
        </Group>
        {result ? (
          <div>
            <Text>{describeOutcome(result)}</Text>
            <ReasonHelp reason={result.reason} jobId={job.job_id} />
            <RowRepeat result={result} />
          </div>
        ) : (
          <Text c="dimmed">This row has not been processed yet.</Text>
        )}
        <RowValues job={job} columns={columns} correspondences={correspondences} data={data} />
        {result && <InferredSection result={result} />}
        {result && <Repairs result={result} />}
        {result && <Candidates result={result} />}
        {result && <Layers job={job} result={result} />}
        <Group>
          <SuppressButton values={listIdentifiers(result)} />
        </Group>
      </div>
    </Drawer>
  );
}
