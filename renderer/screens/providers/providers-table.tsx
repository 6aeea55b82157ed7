// Table of the added data services: what each fills, its state, balance and spending.
import { Button, Group, List, Modal, Stack, Switch, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { providerCalls, type UserProvider } from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { useProviderLock } from '../../api/privacy/organisation.ts';
import { Ago } from '../../components/ago.tsx';
import { Monogram } from '../../components/monogram.tsx';
import { showShare, showTime } from '../../components/numbers.ts';
import { StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note } from '../../components/text.tsx';
import { showFailure } from '../../components/toast.ts';
import { fieldLabels } from '../../components/words.ts';
import {
  chipOfProvider,
  providerFieldLabels,
  showMoney,
  showProviderCredits,
} from './provider-words.ts';
import classes from './providers.module.css';

function SentColumns({ provider: { title, hosts, sends } }: { provider: UserProvider }) {
  return (
    <Stack gap="sm">
      <Text>
        Rows that your directory cannot answer are sent to {title}, at {hosts.join(', ')}. Only
        these columns are sent:
      </Text>
      <List size="sm">
        {sends.map((field) => (
          <List.Item key={field}>{fieldLabels[field]}</List.Item>
        ))}
      </List>
      <Note>{title} charges your account there. Every request is listed under Requests.</Note>
    </Stack>
  );
}

function SwitchProvider({ provider }: { provider: UserProvider }) {
  const { id, title, is_on, has_key, origin } = provider;
  const [isAsking, asking] = useDisclosure(false);
  const lock = useProviderLock(provider);
  const change = useChange(
    (isOn: boolean) => ask(providerCalls.change, { id, is_on: isOn }),
    ['providers', 'estimate'],
  );
  const set = (isOn: boolean) => {
    asking.close();
    change.mutate(isOn, {
      onError: (error) => showFailure(`${title} was not switched ${isOn ? 'on' : 'off'}`, error),
    });
  };
  return (
    <>
      <Switch
        aria-label={`${title} is on`}
        checked={change.isPending ? change.variables : is_on}
        disabled={lock !== null || (!has_key && origin !== 'built_in')}
        onChange={({ currentTarget: { checked } }) => (checked ? asking.open() : set(false))}
      />
      <Modal opened={isAsking} onClose={asking.close} title={`Switch on ${title}?`}>
        <SentColumns provider={provider} />
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button onClick={asking.close} data-autofocus>
            Keep it off
          </Button>
          <Button variant="filled" onClick={() => set(true)}>
            Switch on
          </Button>
        </Group>
      </Modal>
    </>
  );
}

interface RowProps {
  readonly provider: UserProvider;
  readonly now: number;
  readonly onManage: (id: string) => void;
}

/** The fields, each with the most that it costs and how often it was found. */
function Fields({ provider: { fields, row_cost_max: ofRow } }: Pick<RowProps, 'provider'>) {
  return (
    <>
      {fields.map(({ field, cost_max, hit_rate }) => (
        <Text key={field} size="xs">
          {providerFieldLabels[field]}
          <Caption span>
            {cost_max > 0 && `, at most ${showProviderCredits(cost_max)}`}
            {hit_rate !== null && `, ${showShare(hit_rate)} found`}
          </Caption>
        </Text>
      ))}
      {ofRow > 0 && <Caption>each row at most {showProviderCredits(ofRow)}</Caption>}
    </>
  );
}

function State({ provider, now }: Pick<RowProps, 'provider' | 'now'>) {
  const { chip, word } = chipOfProvider(provider);
  const lock = useProviderLock(provider);
  const [note] = provider.notes;
  const { until } = provider.breaker;
  return (
    <>
      <StatusChip status={chip} label={word} />
      {lock && <Caption mt={4}>{lock}</Caption>}
      {provider.is_on && until && <Caption mt={4}>asked again at {showTime(until)}</Caption>}
      {provider.spend.uncertain_requests > 0 && (
        <Text size="xs" c="var(--desk-ambiguous)" mt={4}>
          {provider.spend.uncertain_requests} with an unknown outcome
        </Text>
      )}
      {note && (
        <Text size="xs" c="var(--desk-failed)" mt={4}>
          {note.detail} <Ago time={note.at} now={now} />
        </Text>
      )}
    </>
  );
}

interface SpentProps {
  credits: number;
  cap: number | null;
  price: UserProvider['price'];
}

function Spent({ credits, cap, price }: SpentProps) {
  const money = showMoney(credits, price);
  return (
    <Table.Td className={tableClasses.number}>
      {showProviderCredits(credits)}
      <Caption>{cap === null ? 'no cap' : `of ${showProviderCredits(cap)}`}</Caption>
      {money && <Caption>{money}</Caption>}
    </Table.Td>
  );
}

function ProviderRow({ provider, now, onManage }: RowProps) {
  const { id, title, origin, balance, spend, caps, price } = provider;
  return (
    <Table.Tr>
      <Table.Td className={classes.service}>
        <Group gap="sm" wrap="nowrap">
          <Monogram title={title} />
          <div>
            <div className={classes.title}>{title}</div>
            {origin === 'own' && <Caption>your own definition</Caption>}
          </div>
        </Group>
      </Table.Td>
      <Table.Td className={classes.fills}>
        <Fields provider={provider} />
      </Table.Td>
      <Table.Td className={tableClasses.name}>
        <State provider={provider} now={now} />
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        {balance ? showProviderCredits(balance.credits) : '–'}
        {balance && (
          <Caption>
            <Ago time={balance.read_at} now={now} />
          </Caption>
        )}
      </Table.Td>
      <Spent credits={spend.today} cap={caps.day} price={price} />
      <Spent credits={spend.month} cap={caps.month} price={price} />
      <Table.Td>
        <Group gap="md" justify="flex-end" wrap="nowrap">
          <SwitchProvider provider={provider} />
          <Button size="compact-sm" aria-label={`Manage ${title}`} onClick={() => onManage(id)}>
            Manage
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

interface ProvidersTableProps {
  providers: readonly UserProvider[];
  now: number;
  onManage: (id: string) => void;
}

/** @param now milliseconds since 1970 */
export function ProvidersTable({ providers, now, onManage }: ProvidersTableProps) {
  return (
    <div className={classes.table}>
      <TableCard
        label="Data services"
        columns={[
          'Data service',
          'Fills',
          'State',
          '>Balance',
          '>Today',
          '>This month',
          '>Actions',
        ]}
        widthMinPx={980}
      >
        {providers.map((provider) => (
          <ProviderRow key={provider.id} provider={provider} now={now} onManage={onManage} />
        ))}
      </TableCard>
    </div>
  );
}
