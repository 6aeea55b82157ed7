// Settings: one part per heading of settings-parts.ts; each change is saved by itself.
import {
  Badge,
  Button,
  Code,
  Group,
  Skeleton,
  Stack,
  Switch,
  Table,
  Text,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import type { z } from 'zod';
import type { Account } from '../../../engine/contract/accounts.ts';
import { parseCredits } from '../../../engine/contract/credits.ts';
import { nameLayer } from '../../../engine/contract/jobs/layers.ts';
import {
  type AutomaticBackup,
  type AutomaticReason,
  maintenanceCalls,
} from '../../../engine/contract/maintenance.ts';
import { type RateSchema, rates } from '../../../engine/contract/rate-card.ts';
import { type BrowserSession, sessions } from '../../../engine/contract/sessions.ts';
import { type SecretKey as SecretKeyState, webhooks } from '../../../engine/contract/webhooks.ts';
import type { Background as BackgroundChoice } from '../../../main/desktop-contract.ts';
import { chooseAccount } from '../../api/account.ts';
import { ask, describeError } from '../../api/client.ts';
import { useAccounts, useAnswer, useAppState, useChange } from '../../api/live.ts';
import { readRateLock, useOrganisation } from '../../api/privacy/organisation.ts';
import { AccountDialog } from '../../components/account-dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showBytes, showCredits, showTime } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { type ChipStatus, StatusChip } from '../../components/status-chip.tsx';
import tableClasses from '../../components/table.module.css';
import { Caption, Note, ScreenLink } from '../../components/text.tsx';
import { chooseDensity, useDensity } from '../../preferences/density.ts';
import { readAmount } from '../../preferences/locale.ts';
import { switchNotifications, wantsNotifications } from '../../preferences/notifications.ts';
import { AccountRules } from './account-rules.tsx';
import { Choice } from './choice.tsx';
import { Organisation } from './organisation.tsx';
import { Retention } from './retention.tsx';
import { describeRefusal, SavedNote } from './saved-note.tsx';
import { type SettingsPart, settingsGroups, settingsParts } from './settings-parts.ts';
import { useShownParts } from './shown-parts.ts';
import { UpdateSettings } from './updates.tsx';

type Rate = z.infer<typeof RateSchema>;

/** A rate. Its price is saved when the field is left, or with Enter. */
function RateRow({ rate }: { rate: Rate }) {
  const change = useChange(
    (body: { price?: string; active?: boolean }) => ask(rates.change, { code: rate.code, ...body }),
    ['rates', 'layers', 'estimate'],
  );
  const name = rate.code === 'email_validation' ? rate.label : nameLayer(rate.code);
  const lock = readRateLock(useOrganisation().data, rate.code);
  const [typed, setTyped] = useState<string | null>(null);
  const price = typed === null ? rate.price : readAmount(typed);
  const units = parseCredits(price);
  const isWrong = units === null || units < 0;
  const save = () => {
    if (isWrong) return;
    if (units === parseCredits(rate.price)) setTyped(null);
    else change.mutate({ price }, { onSuccess: () => setTyped(null) });
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') save();
    if (key === 'Escape') setTyped(null);
  };
  return (
    <Table.Tr>
      <Table.Td>{name}</Table.Td>
      <Table.Td>
        <TextInput
          size="xs"
          w={130}
          inputMode="decimal"
          aria-label={`Price of ${name}`}
          readOnly={lock?.price ?? false}
          variant={lock?.price ? 'filled' : 'default'}
          value={typed ?? showCredits(rate.price)}
          error={isWrong ? 'Enter a price such as 1 or 0.5.' : describeRefusal(change)}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={save}
          onKeyDown={onKeyDown}
        />
      </Table.Td>
      <Table.Td>
        {rate.code !== 'email_validation' && (
          <Switch
            aria-label={`${name} is on`}
            checked={rate.active}
            disabled={lock?.active ?? false}
            onChange={(event) => change.mutate({ active: event.currentTarget.checked })}
          />
        )}
      </Table.Td>
      <Table.Td>{lock ? <Caption>{lock.reason}</Caption> : <SavedNote saving={change} />}</Table.Td>
    </Table.Tr>
  );
}

function RateCard() {
  const { data, error, refetch } = useAnswer(['rates'], rates.list);
  if (error)
    return <ErrorPanel title="The rates could not be loaded" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={220} />;
  return (
    <Table.ScrollContainer minWidth={340}>
      <Table className={tableClasses.table} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Layer</Table.Th>
            <Table.Th>Credits</Table.Th>
            <Table.Th>On</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((rate) => (
            <RateRow key={rate.code} rate={rate} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface AccountLineProps {
  account: Account;
  isCurrent: boolean;
  onRename: () => void;
}

function AccountLine({ account, isCurrent, onRename }: AccountLineProps) {
  return (
    <Group justify="space-between" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
          {account.name}
        </Text>
        <Caption>created {showTime(account.created_at)}</Caption>
      </div>
      <Group gap="sm" wrap="nowrap">
        {isCurrent ? (
          <Badge variant="default" tt="none" flex="none">
            in use
          </Badge>
        ) : (
          <Button
            size="compact-sm"
            aria-label={`Use ${account.name}`}
            onClick={() => chooseAccount(account.id)}
          >
            Use
          </Button>
        )}
        <Button size="compact-sm" aria-label={`Rename ${account.name}`} onClick={onRename}>
          Rename
        </Button>
      </Group>
    </Group>
  );
}

function Accounts() {
  const { data: accounts, error, refetch } = useAccounts();
  const { data: state } = useAppState();
  const [renamed, setRenamed] = useState<Account | null>(null);
  const [isAsked, dialog] = useDisclosure(false);
  const ask = (account: Account | null) => {
    setRenamed(account);
    dialog.open();
  };
  if (error)
    return <ErrorPanel title="The accounts could not be loaded" error={error} onRetry={refetch} />;
  if (!accounts) return <Skeleton height={80} />;
  return (
    <Stack gap="md">
      {accounts.map((account) => (
        <AccountLine
          key={account.id}
          account={account}
          isCurrent={account.id === state?.account.id}
          onRename={() => ask(account)}
        />
      ))}
      <Button w="fit-content" onClick={() => ask(null)}>
        New account
      </Button>
      <AccountDialog account={renamed} opened={isAsked} onClose={dialog.close} />
    </Stack>
  );
}

function BrowserLine({ session }: { session: BrowserSession }) {
  const close = useChange((id: string) => ask(sessions.close, { id }), ['sessions'], {
    failed: 'The browser was not closed',
    done: 'The browser was closed.',
  });
  const { browser, opened_at, last_used_at, is_current } = session;
  return (
    <Group justify="space-between" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Text fw={550}>{browser}</Text>
        <Caption>
          opened {showTime(opened_at)}
          {!is_current && `, last used ${showTime(last_used_at)}`}
        </Caption>
      </div>
      <Group gap="sm" wrap="nowrap">
        {is_current && (
          <Badge variant="default" tt="none" flex="none">
            this browser
          </Badge>
        )}
        <Button
          size="compact-sm"
          aria-label={`Close ${browser}, opened ${showTime(opened_at)}`}
          loading={close.isPending}
          onClick={() => close.mutate(session.id)}
        >
          Close
        </Button>
      </Group>
    </Group>
  );
}

function Browsers() {
  const { data, error, refetch } = useAnswer(['sessions'], sessions.list);
  if (error)
    return <ErrorPanel title="The browsers could not be loaded" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={40} />;
  if (data.length === 0)
    return (
      <Text size="sm">
        None. The command “desk open” prints a link that opens the app in a browser.
      </Text>
    );
  return (
    <Stack gap="md">
      {data.map((session) => (
        <BrowserLine key={session.id} session={session} />
      ))}
    </Stack>
  );
}

const reasons: Readonly<Record<AutomaticReason, string>> = {
  migration: 'before the databases were migrated',
  update: 'before an update',
  repair: 'before a repair',
};

function BackupLine({ backup: { path, reason, made_at, bytes } }: { backup: AutomaticBackup }) {
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <Text fw={550}>{showTime(made_at)}</Text>
        <Caption style={{ overflowWrap: 'anywhere' }}>
          {reasons[reason]}, {showBytes(bytes)}: {path}
        </Caption>
      </div>
      <CopyButton value={path} label={`Copy the path of ${showTime(made_at)}`} />
    </Group>
  );
}

function Backups() {
  const { data, error, refetch } = useAnswer(['backups'], maintenanceCalls.backups);
  if (error)
    return <ErrorPanel title="The backups could not be loaded" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton height={40} />;
  return (
    <Stack gap="md">
      {data.length === 0 && <Text size="sm">There are no automatic backups yet.</Text>}
      {data.map((backup) => (
        <BackupLine key={backup.path} backup={backup} />
      ))}
      <Text size="sm">
        Make one yourself with <Code>desk backup FILE.tar.gz</Code>. To restore one, run{' '}
        <Code>desk restore FILE --while-running</Code>: the engine stops, restores it, and starts
        again.
      </Text>
    </Stack>
  );
}

function Background() {
  const [choice, setChoice] = useState<BackgroundChoice | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => void window.desk?.readBackground().then(setChoice), []);
  if (window.desk === undefined)
    return (
      <Text size="sm">
        This page runs in a browser. The engine runs as long as the command that started it.
      </Text>
    );
  if (!choice) return <Skeleton height={80} />;
  const change = async (part: Partial<BackgroundChoice>) => {
    setFault(null);
    try {
      setChoice((await window.desk?.chooseBackground({ ...choice, ...part })) ?? choice);
    } catch (error) {
      setFault(`Not saved: ${describeError(error)}`);
    }
  };
  return (
    <Stack gap="md">
      <Switch
        label="Keep running when the window is closed"
        aria-label="Keep running when the window is closed"
        description="Jobs and assistants keep working. Use the tray icon to open or quit the app."
        checked={choice.keepsRunning}
        onChange={({ currentTarget }) => void change({ keepsRunning: currentTarget.checked })}
      />
      <Switch
        label="Start when I log in"
        aria-label="Start when I log in"
        description="The app starts without a window, as an icon in the tray."
        checked={choice.opensAtLogin}
        onChange={({ currentTarget }) => void change({ opensAtLogin: currentTarget.checked })}
      />
      {fault !== null && (
        <Text role="alert" size="sm" c="var(--desk-failed)">
          {fault}
        </Text>
      )}
    </Stack>
  );
}

const looks: Readonly<Record<SecretKeyState['place'], { chip: ChipStatus; word: string }>> = {
  keychain: { chip: 'enriched', word: 'keychain' },
  file: { chip: 'ambiguous', word: 'file' },
  unavailable: { chip: 'failed', word: 'not available' },
};

function SecretKey() {
  const { data, error, refetch } = useAnswer(['secret-key'], webhooks.secretKey);
  if (error)
    return (
      <ErrorPanel
        title="The location of the key could not be loaded"
        error={error}
        onRetry={refetch}
      />
    );
  if (!data) return <Skeleton height={40} />;
  const { chip, word } = looks[data.place];
  const sentence = `${data.detail.charAt(0).toUpperCase()}${data.detail.slice(1)}`;
  return (
    <>
      <Group>
        <StatusChip status={chip} label={word} />
      </Group>
      <Text size="sm" mt="xs">
        {sentence.replace(/\.?$/, '.')}
      </Text>
    </>
  );
}

const refusal =
  'This browser blocks notifications from this address. Allow them in the browser’s site ' +
  'settings, then switch this on again.';

function Notifications() {
  const [isOn, setIsOn] = useState(wantsNotifications);
  const [isRefused, setIsRefused] = useState(false);
  const change = async (on: boolean) => {
    setIsRefused(!(await switchNotifications(on)));
    setIsOn(wantsNotifications());
  };
  return (
    <div>
      <Switch
        label="Notify me when a job finishes"
        aria-label="Notify me when a job finishes"
        description="For jobs of more than ten seconds, while this window is in the background."
        checked={isOn}
        onChange={({ currentTarget }) => void change(currentTarget.checked)}
      />
      {isRefused && (
        <Text role="alert" size="sm" c="var(--desk-failed)" mt={4}>
          {refusal}
        </Text>
      )}
    </div>
  );
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const density = useDensity();
  return (
    <Group gap="xl">
      <Choice
        label="Theme"
        value={colorScheme}
        onChange={setColorScheme}
        data={{ auto: 'Match system', light: 'Light', dark: 'Dark' }}
      />
      <Choice
        label="Rows of tables"
        value={density}
        onChange={chooseDensity}
        data={{ comfortable: 'Comfortable', compact: 'Compact' }}
      />
    </Group>
  );
}

/** Null for what the page keeps itself: it says where. */
const descriptions: Readonly<Record<SettingsPart, string | null>> = {
  appearance: null,
  notifications: null,
  background: 'What the desktop app does without its window.',
  rules: 'How sure a match must be, and what an enriched row costs. Changes apply to new jobs.',
  rates: 'Credits per enriched row. A job keeps the prices it started with.',
  accounts: 'Each account has its own wallet, jobs, keys and prices. All share the directory.',
  browsers: 'Browsers opened with a one-time link. Each signs out after 30 days without use.',
  retention: 'How many days results, logs and copies are kept. Leave empty to keep them.',
  backups: 'Made before an update and before the databases are migrated. Three are kept.',
  secrets: 'The key that encrypts this folder’s webhook secrets.',
  updates: 'New versions of the desktop app. Each is checked by its signature.',
  organisation: 'What your organisation sets for this app, and where each rule comes from.',
  audit: 'Who exported, showed, deleted, suppressed or changed what, and when.',
};

const contents: Readonly<Record<SettingsPart, ReactNode>> = {
  appearance: <Appearance />,
  notifications: <Notifications />,
  background: <Background />,
  rules: <AccountRules />,
  rates: <RateCard />,
  accounts: <Accounts />,
  browsers: <Browsers />,
  retention: <Retention />,
  backups: <Backups />,
  secrets: <SecretKey />,
  updates: <UpdateSettings />,
  organisation: <Organisation />,
  audit: <ScreenLink href="/settings/audit">Open the audit log</ScreenLink>,
};

const idOf = (group: string) => `settings-group-${group}`;

function showGroup(group: string): void {
  const heading = document.getElementById(idOf(group));
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

/** How a second account is added; the part about accounts follows then. */
function FurtherAccount() {
  const [isAsked, dialog] = useDisclosure(false);
  return (
    <Group gap="sm">
      <Button size="compact-sm" data-command="new-account" onClick={dialog.open}>
        New account…
      </Button>
      <Note>
        A second account has its own wallet, jobs, keys and prices, such as for another client.
      </Note>
      <AccountDialog account={null} opened={isAsked} onClose={dialog.close} />
    </Group>
  );
}

export function SettingsScreen() {
  const { data: state } = useAppState();
  const shown = useShownParts();
  const place = window.desk === undefined ? 'in this browser' : 'on this computer';
  const groups = settingsGroups
    .map((group) => ({ ...group, parts: group.parts.filter((part) => shown.has(part)) }))
    .filter(({ parts }) => parts.length > 0);
  return (
    <Page title="Settings" sentence="Each change is saved when you make it.">
      <Group component="nav" aria-label="Settings" gap="xs">
        {groups.map(({ id, title }) => (
          <Button key={id} size="compact-sm" onClick={() => showGroup(id)}>
            {title}
          </Button>
        ))}
      </Group>
      {groups.map(({ id, title, parts }) => (
        <Stack key={id} gap="md">
          <Note id={idOf(id)} tabIndex={-1} fw={600}>
            {title}
          </Note>
          {settingsParts
            .filter((part) => parts.includes(part.id))
            .map((part) => (
              <div key={part.id} data-command={`settings-${part.id}`}>
                <Section title={part.title} sentence={descriptions[part.id] ?? `Saved ${place}.`}>
                  {contents[part.id]}
                </Section>
              </div>
            ))}
        </Stack>
      ))}
      {shown.size > 0 && !shown.has('accounts') && <FurtherAccount />}
      <Caption>Enrichment Desk {state?.version}</Caption>
    </Page>
  );
}
