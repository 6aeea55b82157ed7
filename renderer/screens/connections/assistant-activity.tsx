// Assistant limits, pending approvals, and tool calls, updated live.
import { Button, Card, Code, Modal, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { type AssistantCall, assistants } from '../../../engine/contract/assistants/assistants.ts';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import type { Key } from '../../../engine/contract/keys.ts';
import { ask } from '../../api/client.ts';
import { useAnswer, useChange } from '../../api/live.ts';
import { Ago } from '../../components/ago.tsx';
import { DialogForm } from '../../components/dialogs.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCredits } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { Caption, Note } from '../../components/text.tsx';
import { showSuccess } from '../../components/toast.ts';
import classes from './connections.module.css';
import { GuardInputs, useGuard } from './key-form.tsx';
import { Spending } from './keys-table.tsx';
import { SpendingQuestion } from './spending-questions.tsx';

interface LimitFormProps {
  item: Key;
  environment: EnvironmentName;
  onClose: () => void;
}

function LimitForm({ item, environment, onClose }: LimitFormProps) {
  const typed = useGuard(item);
  const change = useChange(
    () => ask(assistants.change, { id: item.id, ...typed.fields }, { environment }),
    ['assistants', 'keys'],
  );
  const save = () =>
    change.mutate(undefined, {
      onSuccess: () => {
        onClose();
        showSuccess(`“${item.label}” was changed. The limits apply from its next call.`);
      },
    });
  return (
    <DialogForm
      change={change}
      isWhole={typed.isWhole}
      act="Save"
      failed="The limits were not changed"
      onSubmit={save}
      onClose={onClose}
    >
      <GuardInputs typed={typed} />
    </DialogForm>
  );
}

interface AssistantLimitsProps {
  item: Key | null;
  environment: EnvironmentName;
  onClose: () => void;
}

/** The dialog; closed while `item` is null. */
function AssistantLimits({ item, environment, onClose }: AssistantLimitsProps) {
  return (
    <Modal
      opened={item !== null}
      onClose={onClose}
      title={item ? `Spending of “${item.label}”` : ''}
    >
      {item && <LimitForm key={item.id} item={item} environment={environment} onClose={onClose} />}
    </Modal>
  );
}

/** Events exist only for the live environment; staging is polled. */
const refreshIntervalMs = 3_000;
const callsShown = 50;

const outcomeWords: Readonly<Record<AssistantCall['outcome'], string>> = {
  done: 'done',
  refused: 'refused',
  failed: 'failed',
  cancelled: 'cancelled',
};

function ClientRow({ item, onEdit }: { item: Key; onEdit: (item: Key) => void }) {
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>
        <div className={classes.label}>{item.label}</div>
        <Code fz="xs">{item.prefix}…</Code>
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        {item.cap_per_call === null ? 'no limit' : showCredits(item.cap_per_call)}
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        {item.ask_above === null ? 'never' : showCredits(item.ask_above)}
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        <Spending spent={item.spent_today} cap={item.cap_per_day} period="day" />
      </Table.Td>
      <Table.Td ta="right">
        <Button
          size="compact-sm"
          aria-label={`Limits of ${item.label}`}
          onClick={() => onEdit(item)}
        >
          Limits
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

function CallRow({ item, now }: { item: AssistantCall; now: number }) {
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.steady}>
        <Ago time={item.at} now={now} />
      </Table.Td>
      <Table.Td className={tableClasses.name}>
        <div className={classes.label}>{item.client}</div>
      </Table.Td>
      <Table.Td>
        <Code fz="xs">{item.tool}</Code>
      </Table.Td>
      <Table.Td>
        <Text size="xs" ff="monospace" className={classes.arguments}>
          {item.arguments}
        </Text>
        {item.detail && <Caption mt={4}>{item.detail}</Caption>}
      </Table.Td>
      <Table.Td>{outcomeWords[item.outcome]}</Table.Td>
      <Table.Td className={tableClasses.number}>{showCredits(item.credits_charged)}</Table.Td>
    </Table.Tr>
  );
}

function Activity({ environment }: { environment: EnvironmentName }) {
  const { data, dataUpdatedAt } = useAnswer(
    ['assistants', environment, 'calls'],
    assistants.calls,
    { input: { limit: callsShown }, environment, refetchInterval: refreshIntervalMs },
  );
  if (!data) return <Skeleton height={80} />;
  if (data.length === 0)
    return (
      <Note>No assistant has called a tool yet. This list shows every call and its cost.</Note>
    );
  return (
    <TableCard
      label="Assistant activity"
      columns={['When', 'Assistant', 'Tool', 'Arguments', 'Outcome', '>Credits']}
      widthMinPx={820}
    >
      {data.map((item) => (
        <CallRow key={item.id} item={item} now={dataUpdatedAt} />
      ))}
    </TableCard>
  );
}

export function AssistantActivity({ environment }: { environment: EnvironmentName }) {
  const [edited, setEdited] = useState<Key | null>(null);
  const { data, error, refetch } = useAnswer(['assistants', environment], assistants.list, {
    environment,
    refetchInterval: refreshIntervalMs,
  });
  return (
    <Section
      title="What assistants spend"
      sentence="Requests that need your approval, the limits of each assistant, and all calls."
    >
      <Stack gap="lg">
        <ErrorPanel title="The activity could not be loaded" error={error} onRetry={refetch} />
        {data?.approvals.map((item) => (
          <Card key={item.id} withBorder>
            <SpendingQuestion item={item} environment={environment} />
          </Card>
        ))}
        {data && data.assistants.length > 0 && (
          <TableCard
            label="Assistant limits"
            columns={['Key', '>Max per request', '>Asks above', '>Credits today (UTC)', '>Actions']}
            widthMinPx={640}
          >
            {data.assistants.map((item) => (
              <ClientRow key={item.id} item={item} onEdit={setEdited} />
            ))}
          </TableCard>
        )}
        <Activity environment={environment} />
      </Stack>
      <AssistantLimits item={edited} environment={environment} onClose={() => setEdited(null)} />
    </Section>
  );
}
