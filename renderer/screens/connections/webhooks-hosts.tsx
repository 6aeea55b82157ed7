/** Private hosts that the account's webhooks may use; none by default. */
import { Button, Group, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { webhooks } from '../../../engine/contract/webhooks.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { showFailure, showSuccess } from '../../components/toast.ts';

/** The field. The staging environment needs none. */
export function WebhookHosts({ environment }: { environment: EnvironmentName }) {
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
