// Asks for consent to a client, on every screen, while the browser's page waits. Only the two
// buttons answer, so a stray key press has no effect.
import { Alert, Button, Code, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type Authorization, authorizations } from '../../../engine/contract/oauth.ts';
import { ask } from '../../api/client.ts';
import { useAccounts, useAnswer, useAppState, useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Note } from '../../components/text.tsx';
import { showSuccess } from '../../components/toast.ts';
import { notifyInBackground } from '../../preferences/notifications.ts';
import { CapInput, findCapProblem, readCap } from '../connections/key-form.tsx';

/** Polling interval while no events arrive. */
const refreshIntervalMs = 30_000;

function Facts({ authorization }: { authorization: Authorization }) {
  return (
    <>
      <Alert
        color="indigo"
        icon={<IconPlugConnected size={18} aria-hidden />}
        title={`Number ${authorization.number}`}
      >
        Allow this only if you have just connected it and its page shows this number.
      </Alert>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        It can search and enrich contacts, show emails and phones, and spend credits until you
        revoke it here. It calls itself <b>{authorization.client_name}</b>; this name is not
        verified. The answer goes to{' '}
        {authorization.is_local ? 'a program on this computer' : 'the website'}{' '}
        <Code>{authorization.redirect_host}</Code>.
      </Text>
    </>
  );
}

interface AccountChoiceProps {
  value: string | null;
  onChange: (id: string | null) => void;
}

function AccountChoice({ value, onChange }: AccountChoiceProps) {
  const { data: accounts = [] } = useAccounts();
  if (accounts.length < 2) return null;
  return (
    <Select
      label="Account"
      description="It acts for this account, and this account pays."
      allowDeselect={false}
      comboboxProps={{ withinPortal: false }}
      data={accounts.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
    />
  );
}

function Question({ authorization, more }: { authorization: Authorization; more: number }) {
  const { data: state } = useAppState();
  const [account, setAccount] = useState<string | null>(null);
  const [day, setDay] = useState('');
  const [month, setMonth] = useState('');
  const names = ['authorizations', 'connections', 'keys'];
  const allow = useChange(() => {
    const accountId =
      authorization.environment === 'live' ? (account ?? state?.account.id) : undefined;
    const caps = { cap_per_day: readCap(day), cap_per_month: readCap(month) };
    return ask(
      authorizations.allow,
      { id: authorization.id, ...caps, ...(accountId && { account_id: accountId }) },
      { environment: authorization.environment },
    );
  }, names);
  const deny = useChange(
    () =>
      ask(
        authorizations.deny,
        { id: authorization.id },
        { environment: authorization.environment },
      ),
    names,
  );
  const isBroken = findCapProblem(day) !== null || findCapProblem(month) !== null;
  const error = allow.error ?? deny.error;
  return (
    <Stack gap="lg">
      <Facts authorization={authorization} />
      {authorization.environment === 'live' && (
        <AccountChoice value={account ?? state?.account.id ?? null} onChange={setAccount} />
      )}
      <Group gap="md" align="flex-start">
        <CapInput label="Credits per day" value={day} onChange={setDay} />
        <CapInput label="Credits per month" value={month} onChange={setMonth} />
      </Group>
      <ErrorPanel title="The answer was not saved" error={error} />
      {more > 0 && (
        <Note>
          {more} more {more === 1 ? 'request is' : 'requests are'} waiting.
        </Note>
      )}
      <Group justify="flex-end" gap="sm">
        <Button loading={deny.isPending} onClick={() => deny.mutate(undefined)}>
          Deny
        </Button>
        <Button
          variant="filled"
          disabled={isBroken || !state}
          loading={allow.isPending}
          onClick={() =>
            allow.mutate(undefined, {
              onSuccess: () => showSuccess(`“${authorization.client_name}” is connected.`),
            })
          }
        >
          Allow
        </Button>
      </Group>
    </Stack>
  );
}

/** The prompt. Renders nothing while no client waits. */
export function ConsentPrompt() {
  const { data: waiting = [] } = useAnswer(['authorizations'], authorizations.list, {
    refetchInterval: refreshIntervalMs,
  });
  const [authorization] = waiting;
  const { id, client_name: name } = authorization ?? {};
  useEffect(() => {
    if (id && name) notifyInBackground(`${name} asks for access`, 'Answer in Enrichment Desk.');
  }, [id, name]);
  if (!authorization) return null;
  const where =
    authorization.environment === 'staging' ? 'the staging environment' : 'Enrichment Desk';
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={`Allow “${authorization.client_name}” to use ${where}?`}
      styles={{ title: { overflowWrap: 'anywhere' } }}
    >
      <Question key={authorization.id} authorization={authorization} more={waiting.length - 1} />
    </Modal>
  );
}
