// The values of a person or a company, each with its source and date.
import { Anchor, Table, Text } from '@mantine/core';
import type {
  PersonRecord,
  RecordClaim,
  RecordValue,
} from '../../../../engine/contract/records/records.ts';
import { showShare } from '../../../components/numbers.ts';
import { Section } from '../../../components/section.tsx';
import tableClasses from '../../../components/table.module.css';
import { TableCard } from '../../../components/table-card.tsx';
import { Note, ScreenLink } from '../../../components/text.tsx';
import { isAddressField, webAddress } from '../../../components/web-address.ts';
import { showValue } from '../../../components/words.ts';
import { showDay } from './show-day.ts';

const describeSource = ({ source, observed_on }: RecordClaim) =>
  `${source}, ${showDay(observed_on)}`;

function Shown({ value }: { value: RecordValue }) {
  if (value.value === null) return <Note>On file in the team’s directory</Note>;
  const href = isAddressField(value.field) ? webAddress(value.value) : null;
  if (href !== null)
    return (
      <Anchor href={href} target="_blank" rel="noreferrer" size="sm">
        {value.value}
      </Anchor>
    );
  return (
    <span dir="auto" style={{ whiteSpace: 'pre-line' }}>
      {showValue(value.field, value.value)}
    </span>
  );
}

/** What other sources state; those that agree are named without the value. */
function Others({ value }: { value: RecordValue }) {
  if (value.others.length === 0) return <Text c="dimmed">–</Text>;
  return value.others.map((other) => (
    <Text key={describeSource(other) + other.value} size="sm">
      {other.value !== null &&
        (other.value === value.value ? 'same: ' : `${showValue(value.field, other.value)}: `)}
      <Note span>{describeSource(other)}</Note>
    </Text>
  ));
}

/** The table of values; `label` names it. */
export function RecordValues({ label, values }: { label: string; values: readonly RecordValue[] }) {
  return (
    <TableCard
      label={label}
      columns={['Field', 'Value', 'Source and date', 'Other sources']}
      widthMinPx={720}
    >
      {values.map((value) => (
        <Table.Tr key={value.field}>
          <Table.Th scope="row" fw={550}>
            {value.label}
          </Table.Th>
          <Table.Td className={tableClasses.name}>
            <Shown value={value} />
          </Table.Td>
          <Table.Td className={tableClasses.name}>
            <Text size="sm">{describeSource(value)}</Text>
          </Table.Td>
          <Table.Td className={tableClasses.name}>
            <Others value={value} />
          </Table.Td>
        </Table.Tr>
      ))}
    </TableCard>
  );
}

/** The records that may be the same; nothing without any. */
export function RecordDuplicates({ duplicates }: Pick<PersonRecord, 'duplicates'>) {
  if (duplicates.length === 0) return null;
  return (
    <Section title="Possible duplicates" sentence="Compare the records to merge them.">
      <ul style={{ margin: 0, paddingInlineStart: 20 }}>
        {duplicates.map(({ id, other, probability }) => (
          <li key={id}>
            <ScreenLink href={`/directory/duplicates/${id}`}>
              <bdi>{other}</bdi>
            </ScreenLink>{' '}
            <Note span>{showShare(probability)}</Note>
          </li>
        ))}
      </ul>
    </Section>
  );
}
