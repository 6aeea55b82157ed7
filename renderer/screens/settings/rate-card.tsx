/** The account's prices, and which layers are active. */

import { Skeleton, Switch, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import type { z } from 'zod';
import { parseCredits } from '../../../engine/contract/credits.ts';
import { nameLayer } from '../../../engine/contract/jobs/layers.ts';
import { type RateSchema, rates } from '../../../engine/contract/rate-card.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { readRateLock, useOrganisation } from '../../api/privacy/organisation.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCredits } from '../../components/numbers.ts';
import tableClasses from '../../components/table.module.css';
import { readAmount } from '../../preferences/locale.ts';
import { describeRefusal, SavedNote } from './saved-note.tsx';

type Rate = z.infer<typeof RateSchema>;

/** A rate. Its price is saved when the field is left, or with Enter. */
function RateRow({ rate }: { rate: Rate }) {
  const change = useChange(
    (body: { price?: string; active?: boolean }) => ask(rates.change, { code: rate.code, ...body }),
    ['rates', 'layers', 'estimate'],
  );
  const name = rate.code === 'email_validation' ? rate.label : nameLayer(rate.code);
  const lock = readRateLock(useOrganisation().data, rate.code);
  const [typed, setTyped] = useState<string | null>(null);
  const price = typed === null ? rate.price : readAmount(typed);
  const units = parseCredits(price);
  const isWrong = units === null || units < 0;
  const save = () => {
    if (isWrong) return;
    if (units === parseCredits(rate.price)) setTyped(null);
    else change.mutate({ price }, { onSuccess: () => setTyped(null) });
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') save();
    if (key === 'Escape') setTyped(null);
  };
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td>
        <TextInput
          size="xs"
          w={130}
          inputMode="decimal"
          aria-label={`Price of ${name}`}
          readOnly={lock?.price ?? false}
          variant={lock?.price ? 'filled' : 'default'}
          value={typed ?? showCredits(rate.price)}
          error={isWrong ? 'Enter a price such as 1 or 0.5.' : describeRefusal(change)}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={save}
          onKeyDown={onKeyDown}
        />
      </Table.Td>
      <Table.Td>
        {rate.code !== 'email_validation' && (
          <Switch
            aria-label={`${name} is on`}
            checked={rate.active}
            disabled={lock?.active ?? false}
            onChange={(event) => change.mutate({ active: event.currentTarget.checked })}
          />
        )}
      </Table.Td>
      <Table.Td>
        {lock ? (
          <Text size="xs" c="dimmed">
            {lock.reason}
          </Text>
        ) : (
          <SavedNote saving={change} />
        )}
      </Table.Td>
    </Table.Tr>
  );
}

export function RateCard() {
  const { data, error, refetch } = useQuery({
    queryKey: ['rates'],
    queryFn: () => ask(rates.list),
  });
  if (error)
    return <ErrorPanel title="The rates could not be loaded" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={220} />;
  return (
    <Table.ScrollContainer minWidth={340}>
      <Table className={tableClasses.table} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Layer</Table.Th>
            <Table.Th>Credits</Table.Th>
            <Table.Th>On</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((rate) => (
            <RateRow key={rate.code} rate={rate} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
