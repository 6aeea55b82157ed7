/** The account's prices, and which layers are active. */
import { Button, Group, Skeleton, Switch, Table, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { parseCredits } from '../../../engine/contract/credits.ts';
import type { RateSchema } from '../../../engine/contract/ledger.ts';
import { changeRate, readRates } from '../../api/engine.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import tableClasses from '../../components/table.module.css';
import { showFailure, showSuccess } from '../../components/toast.ts';

type Rate = z.infer<typeof RateSchema>;

function RateRow({ rate }: { rate: Rate }) {
  const change = useChange(
    (body: { price?: string; active?: boolean }) => changeRate(rate.code, body),
    ['rates', 'layers', 'estimate'],
  );
  const [price, setPrice] = useState(rate.price);
  const units = parseCredits(price);
  const wrong = units === null || units < 0;
  const refused = { onError: (error: unknown) => showFailure('The rate was not changed', error) };
  const save = () =>
    change.mutate(
      { price },
      { ...refused, onSuccess: () => showSuccess(`${rate.label}: ${price}`) },
    );
  return (
    <Table.Tr>
      <Table.Td>
        {rate.code === 'email_validation' ? rate.label : `${rate.code} ${rate.label}`}
      </Table.Td>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <TextInput
            size="xs"
            w={110}
            inputMode="decimal"
            aria-label={`Price of ${rate.label}`}
            value={price}
            error={wrong}
            onChange={(event) => setPrice(event.currentTarget.value)}
          />
          <Button
            size="xs"
            variant="default"
            disabled={wrong || units === parseCredits(rate.price)}
            onClick={save}
          >
            Save
          </Button>
        </Group>
      </Table.Td>
      <Table.Td>
        {rate.code !== 'email_validation' && (
          <Switch
            aria-label={`${rate.code} ${rate.label} is on`}
            checked={rate.active}
            onChange={(event) => change.mutate({ active: event.currentTarget.checked }, refused)}
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
}

export function RateCard() {
  const { data, error, refetch } = useQuery({ queryKey: ['rates'], queryFn: readRates });
  if (error)
    return (
      <ErrorPanel
        title="The rates could not be loaded"
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <Skeleton height={220} />;
  return (
    <Table className={tableClasses.table} verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Layer</Table.Th>
          <Table.Th>Credits</Table.Th>
          <Table.Th>On</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.map((rate) => (
          <RateRow key={`${rate.code}:${rate.price}`} rate={rate} />
        ))}
      </Table.Tbody>
    </Table>
  );
}
