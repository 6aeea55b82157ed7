/** The user’s own accounts at data services, their order, spending and requests. */
import { Alert, Button, List, Modal, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  providerCalls,
  type StepRule,
  type UserProvider,
  type UserProviders,
} from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { useCall } from '../../api/live.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { ConnectionTabs } from '../connections/connection-tabs.tsx';
import { AddProvider } from './add-provider.tsx';
import { FieldOrder } from './field-order.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { isAdded, providerFieldLabels } from './provider-words.ts';
import classes from './providers.module.css';
import { ProvidersTable } from './providers-table.tsx';
import { RequestLog } from './request-log.tsx';
import { RuleForm } from './rule-form.tsx';
import { describeRule } from './rule-words.ts';

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
        closeButtonProps={{ 'aria-label': 'Close' }}
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

function Waterfall({
  providers,
  waterfall,
}: {
  providers: readonly UserProvider[];
  waterfall: UserProviders['waterfall'];
}) {
  return (
    <Section
      title="Order"
      sentence={
        'If a data service has no value for a field, the next one is asked. Drag a service, or ' +
        'use its buttons. A rule limits the rows that it is asked for and the answers you accept.'
      }
    >
      {waterfall.length === 0 ? (
        <Text size="sm" c="dimmed">
          Data services appear here once they have a key.
        </Text>
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

/** Removed keys that a locked keychain still has. */
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
          <Button data-command="add-provider" onClick={onAdd}>
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
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['providers'],
    queryFn: () => ask(providerCalls.list),
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
          <Button data-command="add-provider" onClick={adding.open}>
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
