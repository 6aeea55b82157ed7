// One row in full, in a panel next to the grid: input and output, the decision if it waits for one,
// reason, sources and cost. The grid stays in use.
import { ActionIcon, Anchor, CloseButton, Group, Table, Text, Title } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { inputRepairSentences } from '../../../engine/contract/jobs/input-repair-sentences.ts';
import type { ResultRow, StatusData } from '../../../engine/contract/jobs/job.ts';
import {
  type LayerCode,
  layerByCode,
  layerCodes,
  nameLayer,
} from '../../../engine/contract/jobs/layers.ts';
import type { EarlierRow } from '../../../engine/contract/jobs/repeats.ts';
import { personFields } from '../../../engine/contract/jobs/row-input.ts';
import type { GivenValue } from '../../../engine/contract/suppression/suppression.ts';
import { countCredits, showCount, showShare, showTime } from '../../components/numbers.ts';
import { ReasonHelp } from '../../components/reason-help/reason-help.tsx';
import { SuppressButton } from '../../components/suppress-button.tsx';
import { Note } from '../../components/text.tsx';
import {
  describeRepairs,
  layerOutcomes,
  reasonWords,
  wordOfAuthor,
  wordOfMatch,
} from '../../components/words.ts';
import { InferredSection } from './inferred-email.tsx';
import classes from './job.module.css';
import { fieldsOfLayers, type JobColumn } from './job-columns.ts';
import type { ListPage, ListRow } from './list-source.ts';
import { RowChip } from './row-chip.tsx';
import panel from './row-panel.module.css';
import { RowReview } from './row-review.tsx';
import { RowValues } from './row-values.tsx';
import { useReview } from './use-review.ts';

function EarlierJob({ row }: { row: EarlierRow }) {
  return (
    <>
      row {showCount(row.row_index + 1)} of{' '}
      <Anchor component={Link} underline="always" href={`/jobs/${row.job_id}`}>
        an earlier job
      </Anchor>
    </>
  );
}

/** A sentence for each earlier row; nothing if the row repeats none. */
function RowRepeat({ result }: { result: ResultRow }) {
  const { duplicate_of: first, paid_before: paid, known_from: known } = result;
  return (
    <>
      {first !== null && <Text>This row repeats row {showCount(first + 1)}, so it was free.</Text>}
      {paid.map((row) => (
        <Text key={`${row.job_id} ${row.row_index}`}>
          {row.layers.map(nameLayer).join(', ')} {row.layers.length === 1 ? 'was' : 'were'} free:
          paid for on {row.paid_on} by <EarlierJob row={row} />.
        </Text>
      ))}
      {known !== null && (
        <Text>
          It is in <EarlierJob row={known} />, so it was free.
        </Text>
      )}
    </>
  );
}

/** The reason of a row's status in full sentences. */
function describeOutcome(result: ResultRow): string {
  const { review } = result;
  if (review) {
    const what = result.status === 'enriched' ? 'Chosen' : 'No match, decided';
    const where = review.remembered ? ', in an earlier job' : '';
    const author = wordOfAuthor(review.decided_by);
    return `${what} by ${author} on ${showTime(review.decided_at)}${where}.`;
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
  const pairs = describeRepairs(result.input_repairs).map(({ rule, sentence }) => ({
    id: rule,
    name: sentence,
    value: inputRepairSentences[rule],
  }));
  return <Pairs title="How your row was read" pairs={pairs} />;
}

/** What a layer found; one that is not for the row says why. */
function wordOfOutcome(result: ResultRow, code: LayerCode): string {
  const outcome = result.layer_status[code];
  if (outcome === undefined) return 'not evaluated: no match';
  const isOfCompany = outcome === 'not_applicable' && !isOfPerson(result);
  return isOfCompany ? 'not applicable: a company' : layerOutcomes[outcome];
}

function Layers({ job, result, data }: { job: StatusData; result: ResultRow; data: ListRow }) {
  const charge =
    result.charge_decision === 'used'
      ? `${countCredits(result.credits_charged)} charged`
      : 'Nothing charged';
  return (
    <section aria-label="Layers and charge">
      <Group justify="space-between" mb={4}>
        <Title order={3}>What was looked for</Title>
        <Text size="sm" className="numbers" fw={600}>
          {charge}
        </Text>
      </Group>
      <dl className={classes.pairs}>
        {job.selected_layers.map((code) => (
          <div key={code}>
            <dt>{nameLayer(code)}</dt>
            <dd>
              {wordOfOutcome(result, code)}
              {code === 'MPA' &&
                data.shared_phone &&
                '; a number on file is left out, because others have it too'}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Candidates({ result }: { result: ResultRow }) {
  if (result.candidates.length === 0) return null;
  return (
    <section aria-label="Candidates">
      <Title order={3} mb={4}>
        Candidates
      </Title>
      <Table withTableBorder fz="sm" horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Title and company</Table.Th>
            <Table.Th ta="right">How sure</Table.Th>
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

interface StepsProps {
  row: number;
  rowCount: number;
  onRow: (row: number) => void;
}

function Steps({ row, rowCount, onRow }: StepsProps) {
  const steps = [
    { name: 'Previous row', next: row - 1, Icon: IconChevronUp },
    { name: 'Next row', next: row + 1, Icon: IconChevronDown },
  ];
  return (
    <Group gap={4} wrap="nowrap">
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

/** The row that a key leads to, except in a field or a dialog above; null if it does not move. */
function stepByKey(event: KeyboardEvent, row: number, rowCount: number): number | null {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const isTaken = (event.target as Element).closest('input, textarea, select, [role=alertdialog]');
  if (step === undefined || isTaken || event.altKey || event.ctrlKey || event.metaKey) return null;
  event.preventDefault();
  const next = row + step;
  return next >= 0 && next < rowCount ? next : null;
}

/** Whether a row is matched to a person. A row about a company has values of companies alone. */
const isOfPerson = ({ matched_on: fields, layer_status: layers }: ResultRow): boolean =>
  personFields.some((field) => fields.includes(field)) ||
  layerCodes.some((code) => layerByCode[code].about === 'person' && layers[code] === 'enriched');

/** What names the person of a row; empty without one. */
export function listIdentifiers(result: ResultRow | null): GivenValue[] {
  if (result?.status !== 'enriched' || !isOfPerson(result)) return [];
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

const mayWait = ({ status, candidates, review }: ResultRow): boolean =>
  status === 'skipped' && candidates.length > 0 && review === null;

/** The panel; closed while `row` is null. It takes the focus when it is opened by `focusKey`. */
export function RowPanel({
  job,
  columns,
  correspondences,
  ownColumns,
  row,
  name,
  data,
  rowCount,
  focusKey,
  onRow,
  onReview,
  onClose,
}: {
  job: StatusData;
  columns: readonly JobColumn[];
  correspondences: ListPage['correspondences'];
  ownColumns: ListPage['own_columns'];
  row: number | null;
  /** Who the row is about; '' if it says nobody. */
  name: string;
  data: ListRow | undefined;
  rowCount: number;
  /** Another number moves the focus to the panel. */
  focusKey: number;
  onRow: (row: number) => void;
  onReview: (rowIndex: number) => void;
  onClose: () => void;
}) {
  const self = useRef<HTMLElement>(null);
  const result = data?.result ?? null;
  const index = result?.row_index ?? row;
  const waits = job.status === 'completed' && (!result || mayWait(result));
  const review = useReview(job, row === null ? null : index, waits, onReview);
  useEffect(() => {
    if (focusKey > 0) self.current?.focus();
  }, [focusKey]);
  if (row === null || index === null) return null;
  const number = `Row ${showCount(index + 1)}`;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) onClose();
    const next = stepByKey(event, row, rowCount);
    if (next !== null) onRow(next);
  };
  return (
    <section
      ref={self}
      tabIndex={-1}
      aria-label={`Details of ${name || number}`}
      className={panel.panel}
      onKeyDown={onKeyDown}
    >
      <header className={panel.head}>
        <div className={panel.who}>
          <Title order={2} size="h4" className={panel.title}>
            <bdi>{name || number}</bdi>
          </Title>
          <Group gap="xs">
            <RowChip result={result} />
            {name && <Note className="numbers">{number}</Note>}
          </Group>
        </div>
        <Group gap={4} wrap="nowrap">
          <Steps row={row} rowCount={rowCount} onRow={onRow} />
          <CloseButton aria-label="Close details" onClick={onClose} />
        </Group>
      </header>
      <div className={panel.body} key={index}>
        {result ? (
          <div>
            <Text>{describeOutcome(result)}</Text>
            <ReasonHelp reason={result.reason} jobId={job.job_id} />
            <RowRepeat result={result} />
          </div>
        ) : (
          !job.ready && <Text c="dimmed">This row has not been processed yet.</Text>
        )}
        <RowReview review={review} considered={result?.candidates ?? []} />
        <RowValues
          fields={fieldsOfLayers(job.selected_layers)}
          columns={columns}
          correspondences={correspondences}
          ownColumns={ownColumns}
          data={data}
        />
        {result && <InferredSection result={result} />}
        {result && <Repairs result={result} />}
        {result && !review.row && !review.isLoading && <Candidates result={result} />}
        {result && data && <Layers job={job} result={result} data={data} />}
        <Group>
          <SuppressButton values={listIdentifiers(result)} />
        </Group>
      </div>
    </section>
  );
}
