// The user’s own accounts at data services, their order, spending and requests.
import {
  ActionIcon,
  Alert,
  Button,
  Group,
  List,
  Modal,
  Skeleton,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconAddressBook,
  IconAdjustmentsHorizontal,
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconGripVertical,
  IconPlugConnected,
} from '@tabler/icons-react';
import { useId, useState } from 'react';
import {
  providerCalls,
  type StepRule,
  type UserProvider,
  type UserProviders,
} from '../../../engine/contract/providers.ts';
import { useAnswer, useCall } from '../../api/live.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Monogram } from '../../components/monogram.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Caption, Note } from '../../components/text.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { ConnectionTabs } from '../connections/connection-tabs.tsx';
import { AddProvider } from './add-provider.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { isAdded, providerFieldLabels } from './provider-words.ts';
import classes from './providers.module.css';
import { ProvidersTable } from './providers-table.tsx';
import { RequestLog } from './request-log.tsx';
import { RuleForm } from './rule-form.tsx';
import { describeRule } from './rule-words.ts';

interface OrderedProvider {
  readonly id: string;
  readonly title: string;
  readonly isOn: boolean;
  /** Its rule in words; '' if it accepts any answer. */
  readonly rule: string;
}

/** Moves one id to a position; positions outside the list mean its ends. */
function moveTo(ids: readonly string[], id: string, position: number): string[] {
  const rest = ids.filter((one) => one !== id);
  return [...rest.slice(0, Math.max(0, position)), id, ...rest.slice(Math.max(0, position))];
}

interface StepProps {
  readonly provider: OrderedProvider;
  readonly field: string;
  readonly position: number;
  readonly isLast: boolean;
  readonly isOver: boolean;
  readonly onMove: (position: number) => void;
  readonly onRule: () => void;
  readonly onDrag: (event: 'start' | 'over' | 'drop' | 'end') => void;
}

/** A button that keeps the focus while it has no effect, so that the keyboard stays in place. */
function MoveButton(props: {
  way: 'up' | 'down';
  label: string;
  hasEffect: boolean;
  onClick: () => void;
}) {
  const Icon = props.way === 'up' ? IconArrowUp : IconArrowDown;
  return (
    <ActionIcon
      variant="default"
      size="sm"
      aria-label={props.label}
      aria-disabled={!props.hasEffect}
      data-disabled={!props.hasEffect}
      onClick={() => props.hasEffect && props.onClick()}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  );
}

function Step(props: StepProps) {
  const { provider, field, position, isLast, isOver, onMove, onRule, onDrag } = props;
  const { title, isOn, rule } = provider;
  return (
    <li
      className={classes.step}
      draggable
      data-over={isOver || undefined}
      data-off={!isOn || undefined}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        // Without data, Firefox starts no drag.
        event.dataTransfer.setData('text/plain', title);
        onDrag('start');
      }}
      onDragOver={(event) => {
        event.preventDefault();
        onDrag('over');
      }}
      onDrop={(event) => {
        event.preventDefault();
        onDrag('drop');
      }}
      onDragEnd={() => onDrag('end')}
    >
      <IconGripVertical size={14} aria-hidden color="var(--mantine-color-dimmed)" />
      <span className={classes.position}>{position + 2}</span>
      <Monogram title={title} />
      <div className={classes.grow}>
        <div className={classes.title}>{title}</div>
        {!isOn && <Caption>switched off, not asked</Caption>}
        {rule !== '' && <Caption style={{ overflowWrap: 'anywhere' }}>{rule}</Caption>}
      </div>
      <ActionIcon
        variant="default"
        size="sm"
        aria-label={`Rule of ${title} for ${field}`}
        title="Rule"
        onClick={onRule}
      >
        <IconAdjustmentsHorizontal size={14} aria-hidden />
      </ActionIcon>
      <MoveButton
        way="up"
        label={`Move ${title} up for ${field}`}
        hasEffect={position > 0}
        onClick={() => onMove(position - 1)}
      />
      <MoveButton
        way="down"
        label={`Move ${title} down for ${field}`}
        hasEffect={!isLast}
        onClick={() => onMove(position + 1)}
      />
    </li>
  );
}

const DirectoryStep = () => (
  <li className={`${classes.step} ${classes.fixed}`}>
    <IconAddressBook size={14} aria-hidden color="var(--mantine-color-dimmed)" />
    <span className={classes.position}>1</span>
    <div className={classes.grow}>
      <span className={classes.title}>Your directory</span>
    </div>
    <Caption>always first, free</Caption>
  </li>
);

interface FieldOrderProps {
  field: string;
  providers: readonly OrderedProvider[];
  onOrder: (ids: string[]) => void;
  onRule: (id: string) => void;
}

/** `onOrder` receives the ids in their new order, `onRule` the one whose rule is to change. */
function FieldOrder({ field, providers, onOrder, onRule }: FieldOrderProps) {
  const titleId = useId();
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [moved, setMoved] = useState('');
  const ids = providers.map(({ id }) => id);
  const move = ({ id, title }: OrderedProvider, position: number) => {
    onOrder(moveTo(ids, id, position));
    setMoved(`${title} is now number ${position + 2} for ${field}.`);
  };
  const drag = (event: 'start' | 'over' | 'drop' | 'end', id: string, position: number) => {
    if (event === 'start') setDragged(id);
    if (event === 'over') setOver(id);
    const provider = providers.find((one) => one.id === dragged);
    if (event === 'drop' && provider && dragged !== id) move(provider, position);
    if (event !== 'drop' && event !== 'end') return;
    setDragged(null);
    setOver(null);
  };
  return (
    <section aria-labelledby={titleId}>
      <Group justify="space-between">
        <Title order={3} id={titleId}>
          {field}
        </Title>
      </Group>
      <ol className={classes.steps}>
        <DirectoryStep />
        {providers.map((provider, position) => (
          <Step
            key={provider.id}
            provider={provider}
            field={field}
            position={position}
            isLast={position === providers.length - 1}
            isOver={dragged !== null && over === provider.id && dragged !== provider.id}
            onMove={(to) => move(provider, to)}
            onRule={() => onRule(provider.id)}
            onDrag={(event) => drag(event, provider.id, position)}
          />
        ))}
      </ol>
      {providers.length === 0 && (
        <Caption>No data service that you added answers this field.</Caption>
      )}
      <VisuallyHidden role="status">{moved}</VisuallyHidden>
    </section>
  );
}

type Field = UserProviders['waterfall'][number];

function OrderOf({ step, providers }: { step: Field; providers: readonly UserProvider[] }) {
  const { field } = step;
  const order = useCall(providerCalls.order, ['providers', 'estimate']);
  const [ruledId, setRuledId] = useState<string | null>(null);
  const steps = order.isPending ? order.variables.steps : step.steps;
  const ruleOf = (id: string) =>
    step.steps.find(({ provider }) => provider === id)?.rule ?? ({} satisfies StepRule);
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  const ordered = steps.flatMap(({ provider: id, rule }) => {
    const provider = byId.get(id);
    if (!provider) return [];
    const words = describeRule(rule ?? ruleOf(id));
    return [{ id, title: provider.title, isOn: provider.is_on, rule: words }];
  });
  const ruled = ruledId === null ? undefined : byId.get(ruledId);
  return (
    <>
      <FieldOrder
        field={providerFieldLabels[field]}
        providers={ordered}
        onRule={(id) => {
          order.reset();
          setRuledId(id);
        }}
        onOrder={(ids) =>
          order.mutate(
            { field, steps: ids.map((provider) => ({ provider })) },
            { onError: (error) => showFailure('The order was not changed', error) },
          )
        }
      />
      <Modal
        opened={ruled !== undefined}
        onClose={() => setRuledId(null)}
        size="lg"
        title={`${ruled?.title ?? ''} for ${providerFieldLabels[field].toLowerCase()}`}
      >
        {ruled && (
          <RuleForm
            key={ruled.id}
            field={field}
            title={ruled.title}
            rule={ruleOf(ruled.id)}
            error={order.error}
            isPending={order.isPending}
            onSave={(rule) =>
              order.mutate(
                {
                  field,
                  steps: step.steps.map(({ provider }) =>
                    provider === ruled.id ? { provider, rule } : { provider },
                  ),
                },
                {
                  onSuccess: () => {
                    setRuledId(null);
                    showSuccess(`The rule of ${ruled.title} was saved.`);
                  },
                },
              )
            }
          />
        )}
      </Modal>
    </>
  );
}

interface WaterfallProps {
  providers: readonly UserProvider[];
  waterfall: UserProviders['waterfall'];
}

function Waterfall({ providers, waterfall }: WaterfallProps) {
  return (
    <Section
      title="Order"
      sentence={
        'If a data service has no value for a field, the next one is asked. Drag a service, or ' +
        'use its buttons. A rule limits the rows that it is asked for and the answers you accept.'
      }
    >
      {waterfall.length === 0 ? (
        <Note>Data services appear here once they have a key.</Note>
      ) : (
        <div className={classes.fields}>
          {waterfall.map((step) => (
            <OrderOf key={step.field} step={step} providers={providers} />
          ))}
        </div>
      )}
    </Section>
  );
}

/** Spending and states have no events, so they are polled. */
const refreshIntervalMs = 5_000;

function FaultyFiles({ faulty }: Pick<UserProviders, 'faulty'>) {
  if (faulty.length === 0) return null;
  return (
    <Alert
      color="red"
      title="A definition file cannot be used"
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {faulty.flatMap(({ id, path, faults }) =>
          faults.map(({ line, what }) => (
            <List.Item key={`${id} ${line} ${what}`}>
              {path}, line {line}: {what}
            </List.Item>
          )),
        )}
      </List>
    </Alert>
  );
}

function RemovedKeys({ keys_to_delete: count }: Pick<UserProviders, 'keys_to_delete'>) {
  if (count === 0) return null;
  return (
    <Alert
      color="yellow"
      title="A removed key is still in the keychain"
      icon={<IconAlertTriangle size={18} aria-hidden />}
    >
      The keychain is locked or does not respond. Unlock it, and the key is deleted from it.
    </Alert>
  );
}

/** @param now milliseconds since 1970 */
function Services({ data, now, onAdd }: { data: UserProviders; now: number; onAdd: () => void }) {
  const [managedId, setManagedId] = useState<string | null>(null);
  const added = data.providers.filter(isAdded);
  if (added.length === 0)
    return (
      <EmptyState
        Icon={IconPlugConnected}
        title="No data service yet"
        sentence={
          'Add a data service where you have an account. Nothing is sent to it until you switch ' +
          'it on, and your directory is always asked first.'
        }
        action={
          <Button variant="filled" data-command="add-provider" onClick={onAdd}>
            Add a data service
          </Button>
        }
      />
    );
  return (
    <>
      <ProvidersTable providers={added} now={now} onManage={setManagedId} />
      <Waterfall providers={added} waterfall={data.waterfall} />
      <RequestLog providers={data.providers} />
      <ProviderDialog
        provider={added.find(({ id }) => id === managedId) ?? null}
        now={now}
        onClose={() => setManagedId(null)}
      />
    </>
  );
}

export function ProvidersScreen() {
  const [isAdding, adding] = useDisclosure(false);
  const { data, error, refetch, dataUpdatedAt } = useAnswer(['providers'], providerCalls.list, {
    refetchInterval: refreshIntervalMs,
  });
  const hasSome = data?.providers.some(isAdded) ?? false;
  return (
    <Page
      title="Data services"
      sentence={
        'Your accounts at data services, which are asked for what your directory lacks. Their ' +
        'credits are separate from your wallet.'
      }
      action={
        hasSome ? (
          <Button variant="filled" data-command="add-provider" onClick={adding.open}>
            Add a data service
          </Button>
        ) : undefined
      }
    >
      <ConnectionTabs current="services" />
      <ErrorPanel title="The data services could not be loaded" error={error} onRetry={refetch} />
      {!data && !error && <Skeleton height={240} />}
      {data && <FaultyFiles faulty={data.faulty} />}
      {data && <RemovedKeys keys_to_delete={data.keys_to_delete} />}
      {data && <Services data={data} now={dataUpdatedAt} onAdd={adding.open} />}
      {data && <AddProvider opened={isAdding} providers={data.providers} onClose={adding.close} />}
    </Page>
  );
}
