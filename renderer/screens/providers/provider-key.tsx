// The key of a data service: pasted once, never shown, and tested by requests that are free.
import {
  Button,
  Checkbox,
  Group,
  PasswordInput,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  type NewProviderKey,
  type ProviderTest,
  providerCalls,
  type UserProvider,
} from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { useLock, useOrganisation } from '../../api/privacy/organisation.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { Caption, Note } from '../../components/text.tsx';
import { keyPlaceWords } from './provider-words.ts';

const places = {
  this_machine: 'This address is on this machine.',
  private_network: 'This address is on a private network.',
  internet: '',
} as const;

/** The form. The typed key leaves the page with the request and is then forgotten. */
function EngineForm({ provider }: { provider: UserProvider }) {
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

/** The form of the key. The typed text leaves the page with the request and is then forgotten. */
export const KeyForm = ({ provider }: { provider: UserProvider }) =>
  provider.engine ? <EngineForm provider={provider} /> : <PlainKeyForm provider={provider} />;

function PlainKeyForm({ provider: { id, title, has_key, key_place } }: { provider: UserProvider }) {
  const [key, setKey] = useState('');
  const store = useChange(
    (text: string) => ask(providerCalls.setKey, { id, key: text }),
    ['providers'],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    store.mutate(key.trim(), {
      onSuccess: () => {
        setKey('');
        store.reset();
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <PasswordInput
            flex="1 1 240px"
            label={`API key of ${title}`}
            description={
              key_place
                ? keyPlaceWords[key_place]
                : 'The key is stored in the system’s keychain. It is never shown.'
            }
            placeholder={has_key ? 'stored' : undefined}
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant={has_key ? 'default' : 'filled'}
            disabled={!key.trim()}
            loading={store.isPending}
          >
            {has_key ? 'Replace the key' : 'Save the key'}
          </Button>
        </Group>
        <ErrorPanel title="The key was not stored" error={store.error} />
      </Stack>
    </form>
  );
}

function Checks({ checks, title }: { checks: ProviderTest['checks']; title: string }) {
  if (checks.length === 0)
    return <Text size="sm">{title} has no free request that could test the key.</Text>;
  return (
    <Table aria-label="Checks" verticalSpacing={6}>
      <Table.Tbody>
        {checks.map(({ assumption, is_ok, detail }) => (
          <Table.Tr key={assumption}>
            <Table.Td w={80}>
              <StatusChip status={is_ok ? 'enriched' : 'failed'} label={is_ok ? 'ok' : 'wrong'} />
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {assumption}
              {detail && <Caption>{detail}</Caption>}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

export function KeyTest({ provider: { id, title } }: { provider: UserProvider }) {
  const test = useChange(() => ask(providerCalls.test, { id }), ['providers']);
  return (
    <Stack gap="sm" aria-live="polite">
      <Group gap="sm">
        <Button loading={test.isPending} onClick={() => test.mutate(undefined)}>
          Test the key
        </Button>
        <Note>Sends only requests that are free.</Note>
      </Group>
      <ErrorPanel title="The test did not run" error={test.error} />
      {test.data && <Checks checks={test.data.checks} title={title} />}
    </Stack>
  );
}
