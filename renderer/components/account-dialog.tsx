/** Dialog for an account's name. A new account is selected after its creation. */
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Account, accounts } from '../../engine/contract/accounts.ts';
import { labelCharactersMax } from '../../engine/contract/limits/accounts.ts';
import { chooseAccount } from '../api/account.ts';
import { ask } from '../api/client.ts';
import { useChange } from '../api/live.ts';
import { ErrorPanel } from './error-panel.tsx';
import { showSuccess } from './toast.ts';

function NameForm({ account, onClose }: { account: Account | null; onClose: () => void }) {
  const [name, setName] = useState(account?.name ?? '');
  const change = useChange(
    (newName: string) =>
      account
        ? ask(accounts.change, { id: account.id, name: newName })
        : ask(accounts.create, { name: newName }, { isForFirst: true }),
    ['accounts', 'state'],
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(name.trim(), {
      onSuccess: (saved) => {
        onClose();
        showSuccess(
          account ? `Renamed the account to “${saved.name}”.` : `Switched to “${saved.name}”.`,
        );
        if (!account) chooseAccount(saved.id);
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          label="Name"
          data-autofocus
          maxLength={labelCharactersMax}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {!account && (
          <Text size="sm" c="dimmed">
            It has its own wallet, jobs, keys and prices, and starts without credits. All accounts
            share the directory.
          </Text>
        )}
        <ErrorPanel title="The name was not saved" error={change.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            disabled={!name.trim() || name.trim() === account?.name}
            loading={change.isPending}
          >
            {account ? 'Rename' : 'Create account'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The dialog; `account` is null for a new one. */
export function AccountDialog({
  account,
  opened,
  onClose,
}: {
  account: Account | null;
  opened: boolean;
  onClose: () => void;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title={account ? 'Rename account' : 'New account'}>
      <NameForm account={account} onClose={onClose} />
    </Modal>
  );
}
