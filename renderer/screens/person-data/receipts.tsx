/** The receipts of deletions. */

import { Button, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  type PersonReceipt,
  personData,
} from '../../../engine/contract/person-data/person-data.ts';
import { ask } from '../../api/client.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showTime } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { countEntries } from './person-words.ts';
import { saveJson } from './save-json.ts';

function ReceiptRow({ receipt }: { receipt: PersonReceipt }) {
  const { receipt_id: id } = receipt;
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.steady}>{showTime(receipt.requested_at)}</Table.Td>
      <Table.Td className={tableClasses.name}>{receipt.author}</Table.Td>
      <Table.Td>
        <div>{receipt.state === 'done' ? countEntries(receipt.total) : 'In progress'}</div>
        <Text size="xs" c="dimmed">
          {receipt.suppressed ? 'Suppressed too' : 'Not suppressed'}
        </Text>
      </Table.Td>
      <Table.Td className={tableClasses.name}>{id}</Table.Td>
      <Table.Td ta="right">
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Download receipt ${id}`}
          onClick={() => saveJson(receipt, `receipt-${id}.json`)}
        >
          Download
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

/** All receipts, newest first. */
export function Receipts() {
  const { data, error, refetch } = useQuery({
    queryKey: ['person-receipts'],
    queryFn: () => ask(personData.receipts, {}),
  });
  return (
    <Section
      title="Receipts"
      sentence={
        'What was deleted, where and when. ' +
        'A receipt contains keyed hashes, never the person’s values.'
      }
    >
      <ErrorPanel title="The receipts could not be loaded" error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={80} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No deletions yet.
        </Text>
      )}
      {data && data.length > 0 && (
        <TableCard
          label="Deletions"
          columns={['Time', 'By', 'Deleted', 'Receipt', '>Action']}
          widthMinPx={760}
        >
          {data.map((receipt) => (
            <ReceiptRow key={receipt.receipt_id} receipt={receipt} />
          ))}
        </TableCard>
      )}
    </Section>
  );
}
