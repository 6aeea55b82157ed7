// One pair: its evidence, the preview of the merge, and the decision.
import { Button, Group, Radio, Skeleton, Table, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import {
  type DuplicateDetail,
  type DuplicateField,
  type DuplicateFieldValue,
  duplicates,
  mergeReasonWords,
} from '../../../engine/contract/duplicates/duplicates.ts';
import { useAnswer, useCall } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note, ScreenLink } from '../../components/text.tsx';
import { isolate } from '../../components/titles/isolate.ts';
import { showSuccess } from '../../components/toast.ts';
import { showValue } from '../../components/words.ts';
import { showDay } from '../directory/records/show-day.ts';
import { wordOfProbability, wordOfRecord } from './duplicate-words.ts';

/** Fields and the place of the record whose value was chosen. */
type Choices = Readonly<Record<string, 0 | 1>>;

const verdicts = { agrees: 'agrees', differs: 'differs', one_side: 'one record' } as const;

function FieldValue({ field, value }: { field: string; value: DuplicateFieldValue }) {
  const { source, observed_on, witnesses } = value;
  const more = witnesses > 1 ? `, ${countOf(witnesses, 'source')}` : '';
  return (
    <>
      <span style={{ whiteSpace: 'pre-line' }}>{showValue(field, value.value)}</span>
      <Caption>
        {source}, {showDay(observed_on)}
        {more}
      </Caption>
    </>
  );
}

interface CellProps {
  field: DuplicateField;
  at: 0 | 1;
  chosen: 0 | 1 | null;
  onChoose: (at: 0 | 1) => void;
}

function Cell({ field, at, chosen, onChoose }: CellProps) {
  const value = field.values[at];
  if (!value) return <Text c="dimmed">–</Text>;
  if (field.verdict !== 'differs' || field.winner === null)
    return <FieldValue field={field.field} value={value} />;
  return (
    <Radio
      name={`choice-${field.field}`}
      checked={chosen === at}
      onChange={() => onChoose(at)}
      label={<FieldValue field={field.field} value={value} />}
      aria-label={`${field.label}: ${showValue(field.field, value.value)}`}
    />
  );
}

interface CompareTableProps {
  pair: DuplicateDetail;
  choices: Choices;
  onChoose: (field: string, at: 0 | 1) => void;
}

function CompareTable({ pair, choices, onChoose }: CompareTableProps) {
  const [kept, other] = pair.records;
  const reasonOf = (field: DuplicateField) =>
    mergeReasonWords[field.field in choices ? 'chosen' : field.reason];
  return (
    <TableCard
      label="Comparison"
      columns={[
        'Field',
        'Evidence',
        `Kept: ${wordOfRecord(kept)}`,
        `Other: ${wordOfRecord(other)}`,
        'Why this value is kept',
      ]}
      widthMinPx={880}
    >
      {pair.fields.map((field) => (
        <Table.Tr key={field.field}>
          <Table.Td fw={550}>{field.label}</Table.Td>
          <Table.Td>
            <Text size="sm" {...(field.verdict === 'differs' ? {} : { c: 'dimmed' })}>
              {verdicts[field.verdict]}
            </Text>
          </Table.Td>
          {([0, 1] as const).map((at) => (
            <Table.Td key={at} className={tableClasses.name}>
              <Cell
                field={field}
                at={at}
                chosen={choices[field.field] ?? field.winner}
                onChoose={(side) => onChoose(field.field, side)}
              />
            </Table.Td>
          ))}
          <Table.Td>
            <Text size="sm">{reasonOf(field)}</Text>
          </Table.Td>
        </Table.Tr>
      ))}
    </TableCard>
  );
}

const changed = ['duplicates', 'directory', 'state', 'found-people'];
const listPath = '/directory/duplicates';

interface DecisionProps {
  pair: DuplicateDetail;
  choices: Choices;
  onKeepOther: () => void;
}

function Decision({ pair, choices, onKeepOther }: DecisionProps) {
  const [, navigate] = useLocation();
  const merge = useCall(duplicates.merge, changed, { failed: 'The records were not merged' });
  const dismiss = useCall(
    pair.status === 'open' ? duplicates.dismiss : duplicates.reopen,
    changed,
    { failed: 'The pair was not changed' },
  );
  const [kept, other] = pair.records;
  const isOpen = pair.status === 'open';
  const onMerge = () =>
    merge.mutate(
      {
        id: pair.id,
        survivor: kept.id,
        choices: Object.fromEntries(
          Object.entries(choices).map(([field, at]) => [field, pair.records[at].id]),
        ),
      },
      {
        onSuccess() {
          showSuccess(`${isolate(other.name)} was merged into ${isolate(kept.name)}.`);
          navigate(listPath);
        },
      },
    );
  const onDismiss = () =>
    dismiss.mutate(
      { id: pair.id },
      {
        onSuccess() {
          showSuccess(isOpen ? 'The pair was dismissed.' : 'The pair is listed again.');
          navigate(listPath);
        },
      },
    );
  return (
    <Group gap="sm">
      <ConfirmButton
        variant="filled"
        title="Merge the records"
        sentence={
          `${kept.name} gets the values of both. What refers to ${other.name} refers to the kept ` +
          'record from then on. Stored results do not change. You can undo the merge.'
        }
        act="Merge"
        loading={merge.isPending}
        onConfirm={onMerge}
      >
        Merge
      </ConfirmButton>
      <Button loading={dismiss.isPending} onClick={onDismiss}>
        {isOpen ? 'Not the same' : 'List it again'}
      </Button>
      <Button variant="subtle" onClick={onKeepOther}>
        Keep the other record
      </Button>
    </Group>
  );
}

function Pair({ pair, onKeep }: { pair: DuplicateDetail; onKeep: (survivor: string) => void }) {
  const [choices, setChoices] = useState<Choices>({});
  const [kept, other] = pair.records;
  return (
    <Section
      title={wordOfProbability(pair)}
      sentence={`A merge keeps ${kept.name}. Where they differ, you can choose the value.`}
    >
      <CompareTable
        pair={pair}
        choices={choices}
        onChoose={(field, at) => setChoices({ ...choices, [field]: at })}
      />
      <Note my="md">
        By default the newest value is kept, then the value of the more trusted source. Other names,
        emails and profile URLs still find the record.
      </Note>
      <Decision pair={pair} choices={choices} onKeepOther={() => onKeep(other.id)} />
    </Section>
  );
}

export function DuplicateScreen({ id }: { id: number }) {
  const [survivor, setSurvivor] = useState<string | null>(null);
  const { data, error, refetch } = useAnswer(
    ['duplicates', 'pair', id, survivor],
    duplicates.read,
    { input: { id, survivor: survivor ?? undefined }, placeholderData: keepPreviousData },
  );
  return (
    <Page title="Compare" sentence="Two records, field by field, with sources and dates.">
      <ScreenLink href={listPath}>Back to the duplicates</ScreenLink>
      <ErrorPanel title="The pair could not be loaded" error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={240} />}
      {data && !error && (
        <Pair key={data.records[0].id} pair={data} onKeep={(kept) => setSurvivor(kept)} />
      )}
    </Page>
  );
}
