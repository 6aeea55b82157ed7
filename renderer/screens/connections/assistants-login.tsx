/** The email and password for the authorization server's login page. */

import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import {
  passwordCharactersMax,
  passwordCharactersMin,
} from '../../../engine/contract/limits/accounts.ts';
import { login } from '../../../engine/contract/oauth.ts';
import { ask } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';

function LoginForm({
  environment,
  known,
  onClose,
}: {
  environment: EnvironmentName;
  known: string;
  onClose: () => void;
}) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const save = useChange(
    () => ask(login.set, { email, password }, { environment: environment }),
    ['login'],
  );
  const isWhole = /.@./.test(email) && password.length >= passwordCharactersMin;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWhole) return;
    save.mutate(undefined, {
      onSuccess: () => {
        onClose();
        showSuccess('Email and password were saved.');
      },
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          data-autofocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          description={`At least ${passwordCharactersMin} characters.`}
          autoComplete="new-password"
          maxLength={passwordCharactersMax}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <ErrorPanel title="The login was not saved" error={save.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isWhole} loading={save.isPending}>
            Save login
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function AssistantsLogin({ environment }: { environment: EnvironmentName }) {
  const [isOpen, dialog] = useDisclosure(false);
  const { data } = useQuery({
    queryKey: ['login', environment],
    queryFn: () => ask(login.read, {}, { environment: environment }),
  });
  const remove = useChange(() => ask(login.remove, {}, { environment: environment }), ['login']);
  return (
    <Group gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {data ? `Login: ${data.email}` : 'No login is set.'}
      </Text>
      <Button variant="default" size="compact-sm" onClick={dialog.open}>
        {data ? 'Change login' : 'Add login'}
      </Button>
      {data && (
        <ConfirmButton
          size="compact-sm"
          title="Remove this login?"
          sentence="Apps can then be authorized only in this app. Connected apps stay connected."
          act="Remove"
          loading={remove.isPending}
          onConfirm={() =>
            remove.mutate(undefined, {
              onError: (error) => showFailure('The login was not removed', error),
            })
          }
        >
          Remove
        </ConfirmButton>
      )}
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title="Email and password"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <LoginForm environment={environment} known={data?.email ?? ''} onClose={dialog.close} />
      </Modal>
    </Group>
  );
}
