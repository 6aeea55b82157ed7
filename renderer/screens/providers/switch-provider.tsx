/** Switches a data service on or off. Before it is on, a dialog says what is sent, and where. */

import { Button, Group, List, Modal, Stack, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { providerCalls, type UserProvider } from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { useProviderLock } from '../../api/privacy/organisation.ts';
import { showFailure } from '../../components/toast.ts';
import { fieldLabels } from '../../components/words.ts';

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
      <Text size="sm" c="dimmed">
        {title} charges your account there. Every request is listed under Requests.
      </Text>
    </Stack>
  );
}

export function SwitchProvider({ provider }: { provider: UserProvider }) {
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
      <Modal
        opened={isAsking}
        onClose={asking.close}
        title={`Switch on ${title}?`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <SentColumns provider={provider} />
        <Group justify="flex-end" mt="lg" gap="sm">
          <Button variant="default" onClick={asking.close} data-autofocus>
            Keep it off
          </Button>
          <Button onClick={() => set(true)}>Switch on</Button>
        </Group>
      </Modal>
    </>
  );
}
