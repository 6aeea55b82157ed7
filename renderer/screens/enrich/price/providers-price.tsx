// What data services may cost a job, apart from the wallet, and whether they are asked.
import { Anchor, Skeleton, Stack, Switch, Table, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ChosenOptions } from '../../../../engine/contract/jobs/app-jobs.ts';
import { providerRowsSentence } from '../../../../engine/contract/jobs/expected-price.ts';
import type { EstimateData } from '../../../../engine/contract/jobs/job.ts';
import {
  type ProviderQuote,
  providerCalls,
  type UserProvider,
} from '../../../../engine/contract/providers.ts';
import { useAnswer } from '../../../api/live.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import tableClasses from '../../../components/table.module.css';
import { TableCard } from '../../../components/table-card.tsx';
import { Caption, Note } from '../../../components/text.tsx';
import { findAllowance, showMoney, showProviderCredits } from '../../providers/provider-words.ts';
import { useFlow } from '../flow.tsx';

function Amount({ credits, price }: { credits: number; price: UserProvider['price'] }) {
  const money = showMoney(credits, price);
  return (
    <Table.Td className={tableClasses.number}>
      {showProviderCredits(credits)}
      {money && <Caption>{money}</Caption>}
    </Table.Td>
  );
}

/** What the caps allow the job, marked if it is less than the job may cost. */
function Allowed({ provider, most }: { provider: UserProvider; most: number }) {
  const allowance = findAllowance(provider);
  if (!allowance) return <Table.Td className={tableClasses.number}>no cap</Table.Td>;
  const isShort = allowance.credits < most;
  return (
    <Table.Td className={tableClasses.number}>
      {showProviderCredits(allowance.credits)}
      <Text size="xs" c={isShort ? 'var(--desk-ambiguous)' : 'dimmed'}>
        {allowance.cap}
      </Text>
    </Table.Td>
  );
}

interface QuoteTableProps {
  quote: ProviderQuote;
  providers: readonly UserProvider[];
}

function QuoteTable({ quote, providers }: QuoteTableProps) {
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  return (
    <TableCard
      label="Price of the data services"
      columns={['Data service', '>At most', '>Expected', '>Caps allow']}
      widthMinPx={480}
    >
      {quote.map(({ provider: id, at_most: most, expected }) => {
        const provider = byId.get(id);
        return (
          <Table.Tr key={id}>
            <Table.Td className={tableClasses.name}>{provider?.title ?? id}</Table.Td>
            <Amount credits={most} price={provider?.price ?? null} />
            <Amount credits={expected} price={provider?.price ?? null} />
            {provider ? <Allowed provider={provider} most={most} /> : <Table.Td />}
          </Table.Tr>
        );
      })}
    </TableCard>
  );
}

function Quote({
  estimate: { row_count: rows, selected_layers: layers, preview },
  providers,
}: {
  estimate: EstimateData;
  providers: readonly UserProvider[];
}) {
  const openFields = preview?.open_fields ?? {};
  const { data, error, refetch } = useAnswer(
    ['estimate', 'providers', rows, openFields, ...layers],
    providerCalls.quote,
    {
      input: { rows, selected_layers: layers, open_fields: openFields },
      placeholderData: keepPreviousData,
    },
  );
  if (error)
    return (
      <ErrorPanel
        title="The price of the data services could not be calculated"
        error={error}
        onRetry={refetch}
      />
    );
  if (!data) return <Skeleton height={80} />;
  if (data.length === 0)
    return <Note>None of your data services covers these layers, so none is asked.</Note>;
  const isCapped = data.some(({ provider, at_most: most }) => {
    const known = providers.find(({ id }) => id === provider);
    const allowance = known ? findAllowance(known) : null;
    return allowance !== null && allowance.credits < most;
  });
  return (
    <Stack gap="xs">
      <QuoteTable quote={data} providers={providers} />
      <Caption>
        In each service’s own credits, separate from your wallet. At most: if neither your directory
        nor an earlier service finds anything. Expected: from the sampled rows that your directory
        leaves open, and the share that each service has found so far.
      </Caption>
      <Text size="sm">{providerRowsSentence}</Text>
      {isCapped && (
        <Text size="sm" c="var(--desk-ambiguous)">
          A cap may be reached. The job then asks the other services for the rest.
        </Text>
      )}
    </Stack>
  );
}

/** Nothing while no data service is on. */
export function ProvidersPrice({ estimate }: { estimate: EstimateData }) {
  const { flow, actions } = useFlow();
  const { options } = flow;
  const asks = options.use_providers !== false;
  const waits = options.when_offline !== 'leave_out';
  const change = (chosen: ChosenOptions) => actions.change({ options: { ...options, ...chosen } });
  const { data } = useAnswer(['providers'], providerCalls.list);
  const providers =
    data?.providers.filter(({ is_on, origin }) => is_on && origin !== 'built_in') ?? [];
  if (providers.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label="Data services">
      <Switch
        label="Ask data services for what your directory lacks"
        description={asks ? undefined : 'No service is asked. Stored answers are still used.'}
        checked={asks}
        onChange={(event) => change({ use_providers: event.currentTarget.checked })}
      />
      {asks && (
        <Switch
          label="Wait if this machine is offline"
          description={
            waits
              ? 'Rows that your directory answers are done first. The others wait for the network.'
              : 'Rows that need a data service finish without it.'
          }
          checked={waits}
          onChange={(event) =>
            change({ when_offline: event.currentTarget.checked ? 'wait' : 'leave_out' })
          }
        />
      )}
      {asks && <Quote estimate={estimate} providers={providers} />}
      <Anchor component={Link} underline="always" href="/connections/providers" size="xs">
        Order, rules and caps of your data services
      </Anchor>
    </Stack>
  );
}
