// Connections → Team directory: the address of a shared directory, its test, and its state.
import {
  Alert,
  Button,
  Group,
  Modal,
  PasswordInput,
  Skeleton,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { EnvironmentName } from '../../../../engine/contract/ids.ts';
import {
  type SharedDirectory,
  type SharedTest,
  sharedDirectory,
} from '../../../../engine/contract/shared/settings.ts';
import { ask } from '../../../api/client.ts';
import { useAnswer, useChange } from '../../../api/live.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { DialogForm } from '../../../components/dialogs.tsx';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { countOf, showCount, showDuration } from '../../../components/numbers.ts';
import { Section } from '../../../components/section.tsx';
import { Note } from '../../../components/text.tsx';

const addressHelp =
  'The address of the PostgreSQL database, without the password. If it is on another machine, ' +
  'add sslmode=verify-full and sslrootcert.';
const example = 'postgres://desk@db.example.com/team?sslmode=verify-full&sslrootcert=/path/ca.pem';

const keptPassword = 'A password is saved. Leave this empty to keep it.';
const keptSecret = 'A secret is saved. Leave this empty to keep it.';
const secretHelp = 'The text of your team’s secret file. Only matching on this computer needs it.';

interface SecretInputProps {
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
}

function SecretInput({ onChange, ...field }: SecretInputProps) {
  return (
    <PasswordInput
      {...field}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function TeamDirectoryForm({ known, onClose }: { known: SharedDirectory; onClose: () => void }) {
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
    { done: 'The team directory was saved.' },
  );
  return (
    <DialogForm
      change={save}
      isWhole={isWhole}
      act="Save team directory"
      failed="The team directory was not saved"
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
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
    </DialogForm>
  );
}

const sentence =
  'Rows of a job that your own directory does not know are looked up in the directory that your ' +
  'team shares, before any data service is asked.';

const orNone = (count: number | null): string => (count === null ? '–' : showCount(count));

function describeLag({ waiting_batches: batches, lag_seconds: lag }: SharedTest): string {
  if (batches === null) return '–';
  if (batches === 0) return 'None';
  return `${countOf(batches, 'batch', 'batches')}, the oldest for ${showDuration(lag ?? 0)}`;
}

function State({ test }: { test: SharedTest }) {
  if (!test.is_ready)
    return (
      <Alert color="red" role="status" title="Not ready">
        {test.detail}
      </Alert>
    );
  const lines = [
    ['People', orNone(test.people)],
    ['Generation', orNone(test.generation)],
    ['Workers connected', orNone(test.workers)],
    ['Waiting rows', describeLag(test)],
    ['Answer time', test.answer_ms === null ? '–' : `${showCount(Math.ceil(test.answer_ms))} ms`],
  ] as const;
  return (
    <Stack gap="sm" role="status">
      {test.workers === 0 && (
        <Alert color="yellow" title="No worker is connected">
          Jobs wait until one is started: switch on “Match on this computer”, or run desk shared
          worker.
        </Alert>
      )}
      <Stack gap={4} component="dl" m={0}>
        {lines.map(([name, value]) => (
          <Group key={name} gap="sm" wrap="nowrap" align="baseline">
            <Text component="dt" size="sm" c="dimmed" w={150} flex="none">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0}>
              {value}
            </Text>
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}

function Actions({ known, onEdit }: { known: SharedDirectory; onEdit: () => void }) {
  const remove = useChange(() => ask(sharedDirectory.remove), ['shared-directory'], {
    failed: 'The team directory was not removed',
  });
  return (
    <Group gap="sm">
      <Button onClick={onEdit}>{known.address === null ? 'Add team directory' : 'Change'}</Button>
      {known.address !== null && (
        <ConfirmButton
          title="Remove the team directory?"
          sentence="Jobs then use only your own directory. The team directory does not change."
          act="Remove"
          loading={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          Remove
        </ConfirmButton>
      )}
    </Group>
  );
}

/** Whether this computer runs a worker, and what is wrong with it. */
function OwnWorker({ known, test }: { known: KnownDirectory; test: SharedTest | null }) {
  const { address } = known;
  const change = useChange(
    (matchesHere: boolean) => ask(sharedDirectory.change, { address, matches_here: matchesHere }),
    ['shared-directory'],
    { failed: 'The team directory was not changed' },
  );
  const refusal = known.matches_here && test?.own_worker.state === 'refused';
  return (
    <Stack gap="sm">
      <Switch
        label="Match on this computer"
        description={
          known.has_secret
            ? 'A worker runs while the app is open. It also matches rows for your colleagues.'
            : 'Enter the secret of the keys first, under Change.'
        }
        checked={known.matches_here}
        disabled={!known.has_secret || change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      {refusal && (
        <Alert color="red" role="status" title="This computer is not matching">
          {test.own_worker.detail}
        </Alert>
      )}
    </Stack>
  );
}

type KnownDirectory = SharedDirectory & { readonly address: string };

function Known({ known }: { known: KnownDirectory }) {
  const { address } = known;
  const change = useChange(
    (isOn: boolean) => ask(sharedDirectory.change, { address, is_on: isOn }),
    ['shared-directory'],
    { failed: 'The team directory was not changed' },
  );
  const { data, error, isFetching, refetch } = useAnswer(
    ['shared-directory', 'test', address, known.set_at],
    sharedDirectory.test,
  );
  return (
    <Stack gap="md">
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {address}
      </Text>
      <Group gap="lg">
        <Switch
          label="Used by jobs"
          checked={known.is_on}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
        />
        <Button size="compact-sm" loading={isFetching} onClick={() => refetch()}>
          Test
        </Button>
      </Group>
      <OwnWorker known={known} test={data?.test ?? null} />
      <ErrorPanel title="The test did not run" error={error} />
      {!data && !error && <Skeleton height={120} />}
      {data?.test && <State test={data.test} />}
    </Stack>
  );
}

/** The tab. Staging has no team directory. */
export function TeamDirectory({ environment }: { environment: EnvironmentName }) {
  const [isOpen, dialog] = useDisclosure(false);
  const { data: known, error } = useAnswer(['shared-directory'], sharedDirectory.read, {
    enabled: environment === 'live',
  });
  if (environment !== 'live')
    return (
      <Section title="Team directory" sentence={sentence}>
        <Note>Staging has its own people and does not use a team directory.</Note>
      </Section>
    );
  return (
    <Section title="Team directory" sentence={sentence}>
      <ErrorPanel title="The team directory cannot be shown" error={error} />
      {!known && !error && <Skeleton height={160} />}
      {known && (
        <Stack gap="md">
          {known.address === null ? (
            <Note>
              No team directory is set up. Your team first needs a PostgreSQL server with a shared
              directory.
            </Note>
          ) : (
            <Known known={{ ...known, address: known.address }} />
          )}
          <Actions known={known} onEdit={dialog.open} />
          <Modal opened={isOpen} onClose={dialog.close} title="Team directory" size="lg">
            <TeamDirectoryForm known={known} onClose={dialog.close} />
          </Modal>
        </Stack>
      )}
    </Section>
  );
}
