/** The address and the key of another engine, which are checked together when they are stored. */

import { Button, Checkbox, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  type NewProviderKey,
  providerCalls,
  type UserProvider,
} from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { useLock, useOrganisation } from '../../api/privacy/organisation.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';

const places = {
  this_machine: 'This address is on this machine.',
  private_network: 'This address is on a private network.',
  internet: '',
} as const;

/** The form. The typed key leaves the page with the request and is then forgotten. */
export function EngineForm({ provider }: { provider: UserProvider }) {
  const { id, title, has_key: hasKey, engine } = provider;
  const lock = useLock('upstream');
  const ruled = useOrganisation().data?.upstream;
  const [typed, setAddress] = useState(engine?.address ?? '');
  const address = ruled ?? typed;
  const [isLocal, setLocal] = useState(engine?.place === 'private_network');
  const [key, setKey] = useState('');
  const store = useChange(
    (given: NewProviderKey) => ask(providerCalls.setKey, { id, ...given }),
    ['providers'],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = { key: key.trim(), address: address.trim(), is_local: isLocal };
    store.mutate(given, {
      onSuccess: () => {
        setKey('');
        store.reset();
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextInput
          label="Address"
          description={lock ?? 'https, or http for an engine on this machine.'}
          readOnly={lock !== null}
          variant={lock === null ? 'default' : 'filled'}
          placeholder="https://desk.team.example"
          autoComplete="off"
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Checkbox
          label="Allow an address on a private network"
          checked={isLocal}
          disabled={lock !== null}
          onChange={(event) => setLocal(event.currentTarget.checked)}
        />
        <PasswordInput
          label={`API key of ${title}`}
          description="The key is used to read the prices of the other engine. It is never shown."
          placeholder={hasKey ? 'stored' : undefined}
          autoComplete="off"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Group justify="space-between" gap="sm">
          <Text size="sm">{engine?.address ? places[engine.place] : ''}</Text>
          <Button
            type="submit"
            variant={hasKey ? 'default' : 'filled'}
            disabled={!key.trim() || !address.trim()}
            loading={store.isPending}
          >
            {hasKey ? 'Replace the address and the key' : 'Save the address and the key'}
          </Button>
        </Group>
        <ErrorPanel title="The engine was not added" error={store.error} />
      </Stack>
    </form>
  );
}
