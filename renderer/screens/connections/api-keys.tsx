// The account's API keys: create, show once, limit, rename and revoke.
import { Button, Collapse, Modal, Skeleton, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { type Key, keys } from '../../../engine/contract/keys.ts';
import { ask } from '../../api/client.ts';
import { useAnswer, useChange } from '../../api/live.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countOf } from '../../components/numbers.ts';
import { Pager } from '../../components/pager.tsx';
import { Section } from '../../components/section.tsx';
import { showSuccess } from '../../components/toast.ts';
import { type KeyFields, KeyForm } from './key-form.tsx';
import { KeysTable } from './keys-table.tsx';
import { MakeOnceDialog, ShownOnce } from './shown-once.tsx';

interface EditKeyProps {
  item: Key | null;
  environment: EnvironmentName;
  onClose: () => void;
}

/** The dialog; closed while `item` is null. */
function EditKey({ item, environment, onClose }: EditKeyProps) {
  const change = useChange(
    ({ id, fields }: { id: string; fields: KeyFields }) =>
      ask(keys.change, { id, ...fields }, { environment }),
    ['keys', 'assistants'],
  );
  const close = () => {
    onClose();
    change.reset();
  };
  const save = (fields: KeyFields) =>
    item &&
    change.mutate(
      { id: item.id, fields },
      {
        onSuccess: ({ label }) => {
          close();
          showSuccess(`“${label}” was changed. The change applies from its next request.`);
        },
      },
    );
  return (
    <Modal opened={item !== null} onClose={close} title="Edit key">
      {item && (
        <KeyForm
          key={item.id}
          initial={item}
          act="Save"
          change={change}
          failed="The key was not changed"
          onSubmit={save}
          onClose={close}
        />
      )}
    </Modal>
  );
}

interface NewKeyProps {
  opened: boolean;
  environment: EnvironmentName;
  onClose: () => void;
}

function NewKey({ opened, environment, onClose }: NewKeyProps) {
  const create = useChange(
    (fields: KeyFields) => ask(keys.create, fields, { environment }),
    ['keys'],
  );
  return (
    <MakeOnceDialog
      opened={opened}
      onClose={onClose}
      make={create}
      title={(made) => (made ? `The key “${made.label}”` : 'New key')}
      form={(close) => (
        <KeyForm
          initial={null}
          act="Create key"
          change={create}
          failed="The key was not created"
          onSubmit={(fields) => create.mutate(fields)}
          onClose={close}
        />
      )}
      shown={({ key }, onKept) => (
        <ShownOnce
          secret={key}
          name="key"
          sentence={
            'Only its hash is stored. Save the key where your program reads it. If you lose it, ' +
            'revoke it and create a new one.'
          }
          usage="Send it as Authorization: Token <API_KEY> with every request."
          onKept={onKept}
        />
      )}
    />
  );
}

/** The engine records the use of a key once a minute; this screen polls for it. */
const refreshIntervalMs = 3_000;
const pageKeys = 50;
/** Number of keys from which the section has a search field. */
const searchedKeysMin = 11;

interface ActiveKeysProps {
  keys: readonly Key[];
  now: number;
  environment: EnvironmentName;
}

function ActiveKeys({ keys, now, environment }: ActiveKeysProps) {
  const [words, setWords] = useState('');
  const [offset, setOffset] = useState(0);
  const [edited, setEdited] = useState<Key | null>(null);
  const wanted = words.trim().toLowerCase();
  const found = keys.filter(
    ({ label, prefix }) => label.toLowerCase().includes(wanted) || prefix.includes(words.trim()),
  );
  // A search or a revocation may remove the current page.
  const start = offset < found.length ? offset : 0;
  return (
    <Stack gap="md">
      {keys.length >= searchedKeysMin && (
        <TextInput
          aria-label="Find a key"
          placeholder="Find a key by its label"
          w={320}
          maw="100%"
          value={words}
          onChange={(event) => {
            setWords(event.currentTarget.value);
            setOffset(0);
          }}
        />
      )}
      <KeysTable
        label="Keys in use"
        keys={found.slice(start, start + pageKeys)}
        now={now}
        environment={environment}
        onEdit={setEdited}
      />
      <Pager count={found.length} offset={start} limit={pageKeys} onOffset={setOffset} />
      <EditKey item={edited} environment={environment} onClose={() => setEdited(null)} />
    </Stack>
  );
}

interface RevokedKeysProps {
  keys: readonly Key[];
  now: number;
  environment: EnvironmentName;
}

function RevokedKeys({ keys, now, environment }: RevokedKeysProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <Stack gap="md" align="stretch">
      <Button size="compact-sm" w="fit-content" onClick={toggle} aria-expanded={isOpen}>
        {isOpen ? 'Hide' : 'Show'} {countOf(keys.length, 'revoked key')}
      </Button>
      <Collapse expanded={isOpen} transitionDuration={0}>
        <KeysTable
          label="Revoked API keys"
          keys={keys}
          now={now}
          environment={environment}
          onEdit={null}
        />
      </Collapse>
    </Stack>
  );
}

const sentences: Readonly<Record<EnvironmentName, string>> = {
  live: 'A key acts for this account. Changes to its limits apply from the next request.',
  staging: 'Staging keys begin with sk_test_ and work only in staging.',
};

export function ApiKeys({ environment }: { environment: EnvironmentName }) {
  const [isMaking, making] = useDisclosure(false);
  const { data, error, refetch, dataUpdatedAt } = useAnswer(['keys', environment], keys.list, {
    environment,
    refetchInterval: refreshIntervalMs,
  });
  const newestFirst = data?.toReversed() ?? [];
  const active = newestFirst.filter((key) => key.revoked_at === null);
  const revoked = newestFirst.filter((key) => key.revoked_at !== null);
  const make = (
    <Button variant="filled" data-command="new-key" onClick={making.open}>
      New key
    </Button>
  );
  return (
    <Section
      title="API keys"
      sentence={sentences[environment]}
      action={active.length > 0 ? make : undefined}
    >
      <Stack gap="lg">
        <ErrorPanel title="The keys could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={140} />}
        {data && active.length === 0 && (
          <EmptyState
            Icon={IconKey}
            title="No key yet"
            sentence="Each program needs its own key. The app and the command line need none."
            action={make}
          />
        )}
        {active.length > 0 && (
          <ActiveKeys keys={active} now={dataUpdatedAt} environment={environment} />
        )}
        {revoked.length > 0 && (
          <RevokedKeys keys={revoked} now={dataUpdatedAt} environment={environment} />
        )}
      </Stack>
      <NewKey opened={isMaking} environment={environment} onClose={making.close} />
    </Section>
  );
}
