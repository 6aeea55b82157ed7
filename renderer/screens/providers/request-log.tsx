/** The log of requests to data services: time, service, rows, fields and cost. */

import { Anchor, Skeleton, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import {
  type ProviderLog,
  providerCalls,
  type UserProvider,
} from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { NewerOlder } from '../../components/newer-older.tsx';
import { showCount, showTime } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { providerFieldLabels, requestChips, showProviderCredits } from './provider-words.ts';
import classes from './providers.module.css';
import { UncertainRequest } from './uncertain-request.tsx';

const pageRequests = 20;
const refreshIntervalMs = 5_000;

type LoggedRequest = ProviderLog['requests'][number];

function describeCost({ cost, cost_max, is_cost_reported }: LoggedRequest): string {
  if (cost === null) return `at most ${showProviderCredits(cost_max)}`;
  return is_cost_reported === false && cost > 0
    ? `${showProviderCredits(cost)}, derived`
    : showProviderCredits(cost);
}

function RequestRow({ request, title }: { request: LoggedRequest; title: string }) {
  const { chip, word } = requestChips[request.state];
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.steady}>{showTime(request.at)}</Table.Td>
      <Table.Td className={tableClasses.name}>
        <div className={classes.title}>{title}</div>
        {request.job_id ? (
          <Anchor component={Link} href={`/jobs/${request.job_id}`} size="xs">
            Open the job
          </Anchor>
        ) : (
          <Text size="xs" c="dimmed">
            not of a job
          </Text>
        )}
      </Table.Td>
      <Table.Td className={tableClasses.number}>{showCount(request.rows)}</Table.Td>
      <Table.Td>{request.fields.map((field) => providerFieldLabels[field]).join(', ')}</Table.Td>
      <Table.Td className={tableClasses.name}>
        <StatusChip status={chip} label={word} />
        {request.detail && (
          <Text size="xs" c="dimmed" mt={4}>
            {request.detail}
          </Text>
        )}
        {request.uncertain && (
          <UncertainRequest
            key={request.uncertain.decisions.length}
            id={request.id}
            uncertain={request.uncertain}
          />
        )}
      </Table.Td>
      <Table.Td className={tableClasses.number}>{describeCost(request)}</Table.Td>
    </Table.Tr>
  );
}

export function RequestLog({ providers }: { providers: readonly UserProvider[] }) {
  const [befores, setBefores] = useState<readonly (number | null)[]>([null]);
  const before = befores.at(-1) ?? null;
  const { data, error, refetch } = useQuery({
    queryKey: ['provider-log', before],
    queryFn: () => ask(providerCalls.log, { limit: pageRequests, before: before ?? undefined }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshIntervalMs,
  });
  const titles = new Map(providers.map(({ id, title }) => [id, title]));
  return (
    <Section
      title="Requests"
      sentence="Every request to a data service, newest first. Costs are in the service’s credits."
    >
      <Stack gap="md">
        <ErrorPanel title="The requests could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={120} />}
        {data?.requests.length === 0 && (
          <Text size="sm" c="dimmed">
            Nothing has been sent yet.
          </Text>
        )}
        {data && data.requests.length > 0 && (
          <div className={classes.table}>
            <TableCard
              label="Sent requests"
              columns={['Time', 'Data service', '>Rows', 'Fields', 'Outcome', '>Cost']}
              widthMinPx={820}
            >
              {data.requests.map((request) => (
                <RequestRow
                  key={request.id}
                  request={request}
                  title={titles.get(request.provider) ?? request.provider}
                />
              ))}
            </TableCard>
          </div>
        )}
        <NewerOlder befores={befores} next={data?.next ?? null} onChange={setBefores} />
      </Stack>
    </Section>
  );
}
