/** Two records field by field: the evidence, and the value of the survivor. */
import { Radio, Table, Text } from '@mantine/core';
import {
  type DuplicateDetail,
  type DuplicateField,
  type DuplicateFieldValue,
  mergeReasonWords,
} from '../../../engine/contract/duplicates/duplicates.ts';
import { countOf } from '../../components/numbers.ts';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { showValue } from '../../components/words.ts';
import { showDay } from '../directory/records/show-day.ts';
import { wordOfRecord } from './duplicate-words.ts';

/** Fields and the place of the record whose value was chosen. */
export type Choices = Readonly<Record<string, 0 | 1>>;

const verdicts = { agrees: 'agrees', differs: 'differs', one_side: 'one record' } as const;

function FieldValue({ field, value }: { field: string; value: DuplicateFieldValue }) {
  const { source, observed_on, witnesses } = value;
  const more = witnesses > 1 ? `, ${countOf(witnesses, 'source')}` : '';
  return (
    <>
      <span style={{ whiteSpace: 'pre-line' }}>{showValue(field, value.value)}</span>
      <Text size="xs" c="dimmed">
        {source}, {showDay(observed_on)}
        {more}
      </Text>
    </>
  );
}

function Cell({
  field,
  at,
  chosen,
  onChoose,
}: {
  field: DuplicateField;
  at: 0 | 1;
  chosen: 0 | 1 | null;
  onChoose: (at: 0 | 1) => void;
}) {
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

export function CompareTable({
  pair,
  choices,
  onChoose,
}: {
  pair: DuplicateDetail;
  choices: Choices;
  onChoose: (field: string, at: 0 | 1) => void;
}) {
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
