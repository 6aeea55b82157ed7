/** The key of a data service: pasted once, never shown, and tested by requests that are free. */

import { Button, Group, PasswordInput, Stack, Table, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  type ProviderTest,
  providerCalls,
  type UserProvider,
} from '../../../engine/contract/providers.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { EngineForm } from './engine-form.tsx';
import { keyPlaceWords } from './provider-words.ts';

/** The form of the key. The typed text leaves the page with the request and is then forgotten. */
export function KeyForm(props: { provider: UserProvider; onStored?: () => void }) {
  return props.provider.engine ? (
    <EngineForm provider={props.provider} />
  ) : (
    <PlainKeyForm {...props} />
  );
}

function PlainKeyForm({
  provider: { id, title, has_key, key_place },
  onStored,
}: {
  provider: UserProvider;
  onStored?: () => void;
}) {
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
        onStored?.();
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
                : "The key is stored in the system's keychain. It is never shown."
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
              {detail && (
                <Text size="xs" c="dimmed">
                  {detail}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Tests the stored key and lists each assumption as ok or wrong. */
export function KeyTest({ provider: { id, title } }: { provider: UserProvider }) {
  const test = useChange(() => ask(providerCalls.test, { id }), ['providers']);
  return (
    <Stack gap="sm" aria-live="polite">
      <Group gap="sm">
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate(undefined)}>
          Test the key
        </Button>
        <Text size="sm" c="dimmed">
          Sends only requests that are free.
        </Text>
      </Group>
      <ErrorPanel title="The test did not run" error={test.error} />
      {test.data && <Checks checks={test.data.checks} title={title} />}
    </Stack>
  );
}
