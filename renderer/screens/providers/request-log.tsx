// The log of requests to data services: time, service, rows, fields and cost.
import { Anchor, Button, Group, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import {
  type ProviderLog,
  providerCalls,
  type UserProvider,
} from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { useAnswer, useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { NewerOlder } from '../../components/newer-older.tsx';
import { showCount, showTime } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note } from '../../components/text.tsx';
import { wordOfAuthor } from '../../components/words.ts';
import { providerFieldLabels, requestChips, showProviderCredits } from './provider-words.ts';
import classes from './providers.module.css';

type LoggedRequest = ProviderLog['requests'][number];
type Uncertain = NonNullable<LoggedRequest['uncertain']>;

function describeBalance({ balance }: Uncertain): string {
  if (!balance) return 'The balance after this request is unknown. Check it with the service.';
  const after = `Balance after it: ${showProviderCredits(balance.after.credits)}`;
  if (balance.fell_by === null) return `${after}.`;
  const others = balance.other_requests > 0 ? ', with other requests in between' : '';
  return balance.fell_by > 0
    ? `${after}, ${showProviderCredits(balance.fell_by)} less than before${others}.`
    : `${after}, not less than before${others}.`;
}

function describeDecision({ decisions }: Uncertain): string | null {
  const last = decisions.at(-1);
  if (!last) return null;
  const { outcome, credits, decided_by: author, decided_at: at } = last;
  const what =
    outcome === 'charged'
      ? `Charged ${showProviderCredits(credits)}`
      : 'Not charged; later jobs ask again';
  return `${what}. Decided by ${wordOfAuthor(author)}, ${showTime(at)}.`;
}

/** The form. `charged` is prefilled with what the balance suggests. */
function DecisionForm({ id, uncertain }: { id: number; uncertain: Uncertain }) {
  const fell = uncertain.balance?.fell_by ?? 0;
  const suggested = fell > 0 ? Math.min(fell, uncertain.cost_max) : uncertain.cost_max;
  const [text, setText] = useState(String(suggested));
  const credits = /^\d{1,9}(\.\d{1,4})?$/.test(text.trim()) ? Number(text) : null;
  const decide = useChange(
    (charged: number | null) =>
      ask(providerCalls.decide, {
        id,
        ...(charged === null
          ? { outcome: 'not_charged' }
          : { outcome: 'charged', credits: charged }),
      }),
    ['provider-log', 'providers'],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (credits !== null) decide.mutate(credits);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Group gap="xs" align="flex-end" mt={4}>
        <TextInput
          size="xs"
          w={110}
          label="Credits charged"
          inputMode="decimal"
          autoComplete="off"
          value={text}
          error={credits === null && 'Enter a number.'}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" disabled={credits === null}>
          It was charged
        </Button>
        <Button size="xs" onClick={() => decide.mutate(null)}>
          It was not charged
        </Button>
      </Group>
      <ErrorPanel title="The decision was not stored" error={decide.error} />
    </form>
  );
}

function UncertainRequest({ id, uncertain }: { id: number; uncertain: Uncertain }) {
  const decision = describeDecision(uncertain);
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack gap={2} mt={4}>
      <Caption>{describeBalance(uncertain)}</Caption>
      {decision && <Text size="xs">{decision}</Text>}
      {decision && !isOpen ? (
        <Group>
          <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
            Change the decision
          </Button>
        </Group>
      ) : (
        <DecisionForm key={uncertain.decisions.length} id={id} uncertain={uncertain} />
      )}
    </Stack>
  );
}

const pageRequests = 20;
const refreshIntervalMs = 5_000;

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
          <Caption>not of a job</Caption>
        )}
      </Table.Td>
      <Table.Td className={tableClasses.number}>{showCount(request.rows)}</Table.Td>
      <Table.Td>{request.fields.map((field) => providerFieldLabels[field]).join(', ')}</Table.Td>
      <Table.Td className={tableClasses.name}>
        <StatusChip status={chip} label={word} />
        {request.detail && <Caption mt={4}>{request.detail}</Caption>}
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
  const { data, error, refetch } = useAnswer(['provider-log', before], providerCalls.log, {
    input: { limit: pageRequests, before: before ?? undefined },
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
        {data?.requests.length === 0 && <Note>Nothing has been sent yet.</Note>}
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
