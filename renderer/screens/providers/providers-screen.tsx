/** The user’s own accounts at data services, their order, spending and requests. */

import { Alert, Button, List, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { providerCalls, type UserProviders } from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Page } from '../../components/page.tsx';
import { ConnectionTabs } from '../connections/connection-tabs.tsx';
import { AddProvider } from './add-provider.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { isAdded } from './provider-words.ts';
import { ProvidersTable } from './providers-table.tsx';
import { RequestLog } from './request-log.tsx';
import { Waterfall } from './waterfall.tsx';

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
