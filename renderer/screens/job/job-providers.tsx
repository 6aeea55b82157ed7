// What a job found and cost at the user's data services: a line, and the details in a dialog.
import {
  Alert,
  Anchor,
  Button,
  Group,
  List,
  Modal,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId } from 'react';
import { Link } from 'wouter';
import { jobRows } from '../../../engine/contract/jobs/app-jobs.ts';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import type { ProviderField } from '../../../engine/contract/provider.ts';
import {
  providerCalls,
  type JobProviders as Spent,
  teamDirectoryNote,
} from '../../../engine/contract/providers.ts';
import { useAnswer } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf, showCount, showShare } from '../../components/numbers.ts';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption } from '../../components/text.tsx';
import {
  providerFieldLabels,
  showCost,
  showMoney,
  showProviderCredits,
} from '../providers/provider-words.ts';
import classes from './job.module.css';

type NamedProvider = Spent[number] & { readonly title: string };

interface Hit {
  readonly id: string;
  readonly title: string;
  readonly field: ProviderField;
  readonly cost: number;
  readonly price: NamedProvider['price'];
}

/** What a hit costs for comparison: money if all prices are in one currency, otherwise credits. */
function findMeasure(hits: readonly Hit[]): (hit: Hit) => number {
  const currencies = new Set(hits.map(({ price }) => price?.currency));
  const areComparable = currencies.size === 1 && !currencies.has(undefined);
  return ({ cost, price }) => (areComparable && price ? cost * price.per_credit : cost);
}

/** Nothing if no hit cost anything. */
function HitCosts({ providers }: { providers: readonly NamedProvider[] }) {
  const id = useId();
  const found = providers.flatMap(({ provider, title, price, fields }) =>
    fields.flatMap(({ field, cost_per_hit: cost }): Hit[] =>
      cost === null ? [] : [{ id: `${provider} ${field}`, title, field, cost, price }],
    ),
  );
  const measure = findMeasure(found);
  const hits = found.sort((one, other) => measure(one) - measure(other));
  const most = Math.max(0, ...hits.map(measure));
  if (most === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Title order={3} id={id} mb="sm">
        Cost per hit
      </Title>
      <ul className={classes.hitCosts} aria-labelledby={id}>
        {hits.map((hit) => (
          <li key={hit.id}>
            <span className={classes.hitName}>
              {hit.title}, {providerFieldLabels[hit.field].toLowerCase()}
            </span>
            <span className={classes.hitBar} aria-hidden>
              <span style={{ width: `${(measure(hit) / most) * 100}%` }} />
            </span>
            <span className="numbers">{showCost(hit.cost, hit.price)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const refreshIntervalMs = 5_000;

function Money({ credits, price }: { credits: number | null; price: Spent[number]['price'] }) {
  const money = credits === null ? null : showMoney(credits, price);
  return (
    <Table.Td className={tableClasses.number}>
      {credits === null ? '–' : showProviderCredits(credits)}
      {money && <Caption>{money}</Caption>}
    </Table.Td>
  );
}

function FieldRows({ provider: { provider, title, price, fields } }: { provider: NamedProvider }) {
  return fields.map((one) => (
    <Table.Tr key={`${provider} ${one.field}`}>
      <Table.Td className={tableClasses.name}>{title}</Table.Td>
      <Table.Td>{providerFieldLabels[one.field]}</Table.Td>
      <Table.Td className={tableClasses.number}>{showCount(one.asked)}</Table.Td>
      <Table.Td className={tableClasses.number}>{showCount(one.hits)}</Table.Td>
      <Table.Td className={tableClasses.number}>
        {one.hit_rate === null ? '–' : showShare(one.hit_rate)}
      </Table.Td>
      <Money credits={one.credits} price={price} />
      <Money credits={one.cost_per_hit} price={price} />
    </Table.Tr>
  ));
}

/** A note with the name of its service, which may begin with it already. */
const nameNote = (title: string, note: string): string =>
  note.startsWith(`${title}: `) ? note : `${title}: ${note}`;

/** Sentences about a provider that figures by field do not say. */
function describeRest({ title, ...spent }: NamedProvider): string[] {
  const { credits_open: open, uncertain_requests: uncertain, note } = spent;
  return [
    ...(spent.is_estimated
      ? [`${title} does not report what each request costs: its credits follow from its prices.`]
      : []),
    ...(open > 0
      ? [
          `Up to ${showProviderCredits(open)} more credits may have been charged by ${title}` +
            (uncertain > 0
              ? `: ${countOf(uncertain, 'request')} with an unknown outcome.`
              : ': not every request has an answer yet.'),
        ]
      : []),
    ...(note === null ? [] : [nameNote(title, note)]),
  ];
}

function Details({ providers }: { providers: readonly NamedProvider[] }) {
  const remarks = providers.flatMap(describeRest);
  const hasFields = providers.some(({ fields }) => fields.length > 0);
  return (
    <Stack gap="lg">
      {remarks.length > 0 && (
        <Alert color="yellow">
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {remarks.map((remark) => (
              <List.Item key={remark}>{remark}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {hasFields && (
        <TableCard
          label="Found by data services"
          columns={[
            'Data service',
            'Field',
            '>Asked',
            '>Found',
            '>Hit rate',
            '>Credits',
            '>Credits a hit',
          ]}
          widthMinPx={680}
        >
          {providers.map((provider) => (
            <FieldRows key={provider.provider} provider={provider} />
          ))}
        </TableCard>
      )}
      <HitCosts providers={providers} />
      <Caption>
        Credits are each service’s own, separate from your wallet. The cost of a request is divided
        among its fields by the prices of what was found.{' '}
        <Anchor component={Link} underline="always" href="/connections/providers" size="xs">
          Every request is listed with your data services
        </Anchor>
        .
      </Caption>
    </Stack>
  );
}

/** "Hunter: 940 credits, about €47.00; FullEnrich: 300 credits". */
const describeSpent = (providers: readonly NamedProvider[]): string =>
  providers.map(({ title, credits, price }) => `${title}: ${showCost(credits, price)}`).join('; ');

function Line({ providers }: { providers: readonly NamedProvider[] }) {
  const [isOpen, dialog] = useDisclosure(false);
  const notes = providers.flatMap(({ title, note }) => (note ? [nameNote(title, note)] : []));
  return (
    <section aria-label="Data services">
      <Group gap="sm">
        <Text size="sm" className="numbers" style={{ overflowWrap: 'anywhere' }}>
          Data services, in their own credits: {describeSpent(providers)}.
        </Text>
        <Button size="compact-sm" onClick={dialog.open}>
          Hit rates and costs
        </Button>
      </Group>
      {notes.map((note) => (
        <Text key={note} size="sm" c="var(--desk-failed)" style={{ overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      ))}
      <Modal opened={isOpen} onClose={dialog.close} size="xl" title="Data services of this job">
        <Details providers={providers} />
      </Modal>
    </section>
  );
}

/** A balance may correct estimated costs after the end, and open requests may be answered. */
const mayChange = (spent: Spent | undefined): boolean =>
  spent?.some(({ is_estimated, credits_open }) => is_estimated || credits_open > 0) ?? false;

/** Nothing before the end of a job, and for a job that asked no data service of the user. */
export function JobProviders({ job }: { job: StatusData }) {
  const { data, error, refetch } = useAnswer(['job-providers', job.job_id], jobRows.providers, {
    input: { job_id: job.job_id },
    enabled: job.ready,
    refetchInterval: ({ state }) => mayChange(state.data) && refreshIntervalMs,
  });
  const known = useAnswer(['providers'], providerCalls.list, {
    enabled: job.ready && (data?.length ?? 0) > 0,
  });
  if (error)
    return (
      <ErrorPanel
        title="What the data services found could not be read"
        error={error}
        onRetry={refetch}
      />
    );
  if (!data || known.isPending) return null;
  const byId = new Map(known.data?.providers.map((provider) => [provider.id, provider]));
  const own = data.filter(({ provider }) => byId.get(provider)?.origin !== 'built_in');
  const team = own.find(({ provider }) => provider === teamDirectoryNote);
  const services = own.filter((one) => one !== team);
  const providers = services.map((one) => ({
    ...one,
    title: byId.get(one.provider)?.title ?? one.provider,
  }));
  return (
    <>
      {team && (
        <Text size="sm" c="var(--desk-failed)" style={{ overflowWrap: 'anywhere' }}>
          The team’s directory: {team.note}
        </Text>
      )}
      {providers.length > 0 && <Line providers={providers} />}
    </>
  );
}
