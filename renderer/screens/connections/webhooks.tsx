/** Webhooks: addresses that receive an event when a pipeline ends, and their deliveries. */
import { Button, Group, Skeleton, Stack, TagsInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { webhooks } from '../../../engine/contract/webhooks.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Section } from '../../components/section.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';
import { DeliveryLog } from './webhooks-log.tsx';
import { NewWebhook } from './webhooks-new.tsx';
import { WebhooksTable } from './webhooks-table.tsx';

/** The field. The staging environment needs none. */
function WebhookHosts({ environment }: { environment: EnvironmentName }) {
  const { data } = useQuery({
    queryKey: ['webhook-hosts', environment],
    queryFn: () => ask(webhooks.hosts, {}, { environment }),
  });
  const [edited, setEdited] = useState<string[] | null>(null);
  const save = useChange(
    (hosts: string[]) => ask(webhooks.setHosts, { hosts }, { environment }),
    ['webhook-hosts'],
  );
  const hosts = edited ?? data?.hosts ?? [];
  return (
    <Group align="flex-end" gap="sm">
      <TagsInput
        label="Allowed private hosts"
        description="Names or addresses in your network. Press Enter to add one."
        placeholder={hosts.length === 0 ? 'none' : ''}
        value={hosts}
        onChange={setEdited}
        style={{ flex: '1 1 320px' }}
      />
      <Button
        variant="default"
        disabled={edited === null}
        loading={save.isPending}
        onClick={() =>
          save.mutate(hosts, {
            onSuccess: () => {
              setEdited(null);
              showSuccess('The allowed hosts were saved.');
            },
            onError: (error) => showFailure('The hosts were not saved', error),
          })
        }
      >
        Save
      </Button>
    </Group>
  );
}

const refreshIntervalMs = 3_000;

export function Webhooks({ environment }: { environment: EnvironmentName }) {
  const [isMaking, making] = useDisclosure(false);
  const [loggedId, setLoggedId] = useState<string | null>(null);
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['webhooks', environment],
    queryFn: () => ask(webhooks.list, {}, { environment }),
    refetchInterval: refreshIntervalMs,
  });
  const make = (
    <Button data-command="new-webhook" onClick={making.open}>
      New webhook
    </Button>
  );
  const hasSome = data !== undefined && data.length > 0;
  return (
    <Section
      title="Webhooks"
      sentence="Send a signed request when a job finishes or a monitor finds changes."
      action={hasSome ? make : undefined}
    >
      <Stack gap="lg">
        <ErrorPanel title="The webhooks could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={120} />}
        {data?.length === 0 && (
          <EmptyState
            Icon={IconWebhook}
            title="No webhook yet"
            sentence={
              'Your receiver gets a request when a job finishes or a monitor finds changes. ' +
              'A failed request is sent again.'
            }
            action={make}
          />
        )}
        {hasSome && (
          <WebhooksTable
            listed={data}
            environment={environment}
            now={dataUpdatedAt}
            onLog={({ id }) => setLoggedId(id)}
          />
        )}
        {environment === 'live' && <WebhookHosts environment={environment} />}
      </Stack>
      <NewWebhook opened={isMaking} environment={environment} onClose={making.close} />
      <DeliveryLog
        webhook={data?.find(({ id }) => id === loggedId) ?? null}
        environment={environment}
        onClose={() => setLoggedId(null)}
      />
    </Section>
  );
}
