// Dialog for an account's name. A new account is selected after its creation.
import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Account, accounts } from '../../engine/contract/accounts.ts';
import { labelCharactersMax } from '../../engine/contract/limits/accounts.ts';
import { chooseAccount } from '../api/account.ts';
import { ask } from '../api/client.ts';
import { useChange } from '../api/live.ts';
import { DialogForm } from './dialogs.tsx';
import { Note } from './text.tsx';
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
  const save = () =>
    change.mutate(name.trim(), {
      onSuccess: (saved) => {
        onClose();
        showSuccess(
          account ? `Renamed the account to “${saved.name}”.` : `Switched to “${saved.name}”.`,
        );
        if (!account) chooseAccount(saved.id);
      },
    });
  return (
    <DialogForm
      change={change}
      isWhole={name.trim() !== '' && name.trim() !== account?.name}
      act={account ? 'Rename' : 'Create account'}
      failed="The name was not saved"
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        data-autofocus
        maxLength={labelCharactersMax}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {!account && (
        <Note>
          It has its own wallet, jobs, keys and prices, and starts without credits. All accounts
          share the directory.
        </Note>
      )}
    </DialogForm>
  );
}

interface AccountDialogProps {
  account: Account | null;
  opened: boolean;
  onClose: () => void;
}

/** The dialog; `account` is null for a new one. */
export function AccountDialog({ account, opened, onClose }: AccountDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={account ? 'Rename account' : 'New account'}>
      <NameForm account={account} onClose={onClose} />
    </Modal>
  );
}
