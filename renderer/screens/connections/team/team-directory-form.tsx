/** The address of the team's directory and its password. */

import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  type SharedDirectory,
  sharedDirectory,
} from '../../../../engine/contract/shared/settings.ts';
import { ask } from '../../../api/client.ts';
import { useChange } from '../../../api/live.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { showSuccess } from '../../../components/toast.ts';

const addressHelp =
  'The address of the PostgreSQL database, without the password. If it is on another machine, ' +
  'add sslmode=verify-full and sslrootcert.';
const example = 'postgres://desk@db.example.com/team?sslmode=verify-full&sslrootcert=/path/ca.pem';

const keptPassword = 'A password is saved. Leave this empty to keep it.';
const keptSecret = 'A secret is saved. Leave this empty to keep it.';
const secretHelp = 'The text of your team’s secret file. Only matching on this computer needs it.';

function SecretInput({
  onChange,
  ...field
}: {
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <PasswordInput
      {...field}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function TeamDirectoryForm({
  known,
  onClose,
}: {
  known: SharedDirectory;
  onClose: () => void;
}) {
  const [address, setAddress] = useState(known.address ?? '');
  const [password, setPassword] = useState('');
  const [secret, setSecret] = useState('');
  const isSame = known.address !== null && address.trim() === known.address;
  // A server may let the own user in by its socket file.
  const isSocket = /@%2f/i.test(address);
  const isWhole = address.trim() !== '' && (isSame || isSocket || password !== '');
  const save = useChange(
    () =>
      ask(sharedDirectory.change, {
        address,
        ...(password !== '' && { password }),
        ...(secret !== '' && { secret }),
      }),
    ['shared-directory'],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWhole) return;
    save.mutate(undefined, {
      onSuccess: () => {
        onClose();
        showSuccess('The team directory was saved.');
      },
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <TextInput
          label="Address"
          description={addressHelp}
          placeholder={example}
          data-autofocus
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <SecretInput
          label="Password"
          description={isSame ? keptPassword : 'It is kept in the system keychain.'}
          value={password}
          onChange={setPassword}
        />
        <SecretInput
          label="Secret of the keys"
          description={isSame && known.has_secret ? keptSecret : secretHelp}
          value={secret}
          onChange={setSecret}
        />
        <ErrorPanel title="The team directory was not saved" error={save.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isWhole} loading={save.isPending}>
            Save team directory
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
