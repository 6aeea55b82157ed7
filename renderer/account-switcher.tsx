// Shows and changes the account of the page. Renders nothing for a single account.
import { Menu, Tooltip, UnstyledButton } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { IconPlus, IconSelector, IconUsers } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { Account } from '../engine/contract/accounts.ts';
import { chooseAccount, takeJustChosen } from './api/account.ts';
import { useAccounts, useAppState } from './api/live.ts';
import { AccountDialog } from './components/account-dialog.tsx';
import { isolate } from './components/titles/isolate.ts';
import { showSuccess } from './components/toast.ts';
import classes from './shell.module.css';

/** Where to go after a change of account: it has no record of the former one. */
const screenOf = (location: string): string => `/${location.split('/')[1] ?? ''}`;

function Choices({ accounts, current }: { accounts: readonly Account[]; current: string }) {
  const [location, navigate] = useLocation();
  const choose = (id: string) => {
    const account = accounts.find((one) => one.id === id);
    if (!account || id === current) return;
    navigate(screenOf(location), { replace: true });
    chooseAccount(id);
    showSuccess(`Switched to “${isolate(account.name)}”.`);
  };
  return (
    <Menu.RadioGroup value={current} onChange={choose}>
      {accounts.map(({ id, name }) => (
        <Menu.RadioItem key={id} value={id} closeMenuOnClick style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

export function AccountSwitcher() {
  const { data: accounts } = useAccounts();
  const { data: state } = useAppState();
  const narrow = useMediaQuery('(max-width: 1099px)');
  const [isDialogOpen, dialog] = useDisclosure(false);
  const button = useRef<HTMLButtonElement>(null);
  const isShown = accounts !== undefined && accounts.length > 1;
  useEffect(() => {
    if (isShown && takeJustChosen()) button.current?.focus();
  }, [isShown]);
  if (!isShown) return null;
  const name = state?.account.name ?? '…';
  return (
    <>
      <Menu
        position="top-start"
        width={280}
        transitionProps={{ duration: 80 }}
        // Inside the sidebar's landmark, for screen readers.
        withinPortal={false}
        floatingStrategy="fixed"
        withInitialFocusPlaceholder={false}
      >
        <Tooltip label={name} position="right" disabled={!narrow}>
          <Menu.Target>
            <UnstyledButton ref={button} className={classes.account} aria-label={`Account ${name}`}>
              <IconUsers className={classes.accountIcon} size={16} stroke={1.7} aria-hidden />
              <span className={classes.accountName}>{name}</span>
              <IconSelector className={classes.accountIcon} size={14} aria-hidden />
            </UnstyledButton>
          </Menu.Target>
        </Tooltip>
        <Menu.Dropdown>
          <div role="none" className={classes.accounts}>
            <Choices accounts={accounts} current={state?.account.id ?? ''} />
          </div>
          <Menu.Divider />
          <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
            New account
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <AccountDialog account={null} opened={isDialogOpen} onClose={dialog.close} />
    </>
  );
}
