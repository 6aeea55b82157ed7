/** The account's API keys: made here, shown once, ended here. */
import { Alert, Button, Code, Group, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Key } from '../../../engine/contract/app.ts';
import { labelCharactersMax } from '../../../engine/contract/limits.ts';
import { createKey, readKeys, revokeKey } from '../../api/engine.ts';
import { useChange } from '../../api/live.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showTime } from '../../components/numbers.ts';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { tellDone, tellRefused } from '../../components/tell.ts';

function NewKey() {
  const [label, setLabel] = useState('');
  const create = useChange(createKey, ['keys']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (label.trim()) create.mutate(label.trim(), { onSuccess: () => setLabel('') });
  };
  return (
    <>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Label"
            placeholder="nightly import"
            w={280}
            maxLength={labelCharactersMax}
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            disabled={!label.trim()}
            loading={create.isPending}
          >
            Make a key
          </Button>
        </Group>
      </form>
      {create.error && <ErrorPanel title="No key was made" error={create.error} />}
      {create.data && (
        <Alert
          color="indigo"
          title={`The key “${create.data.label}”, shown this once`}
          withCloseButton
          closeButtonLabel="Hide the key"
          onClose={() => create.reset()}
          role="status"
        >
          <Group gap="sm">
            <Code fz="sm" style={{ overflowWrap: 'anywhere' }}>
              {create.data.key}
            </Code>
            <CopyButton value={create.data.key} label="Copy the key" />
          </Group>
        </Alert>
      )}
    </>
  );
}

function RevokeButton({ item }: { item: Key }) {
  const revoke = useChange(revokeKey, ['keys']);
  return (
    <ConfirmButton
      size="compact-sm"
      title={`Revoke “${item.label}”?`}
      sentence="Programs that use it are refused from now on. Their jobs and results stay."
      act="Revoke the key"
      loading={revoke.isPending}
      onConfirm={() =>
        revoke.mutate(item.id, {
          onSuccess: () => tellDone(`“${item.label}” was revoked.`),
          onError: (error) => tellRefused('The key was not revoked', error),
        })
      }
    >
      Revoke
    </ConfirmButton>
  );
}

function KeysTable({ keys }: { keys: readonly Key[] }) {
  return (
    <TableCard
      label="API keys"
      columns={['Label', 'Begins with', 'Made', 'Last used', '>Revoke']}
      widthMinPx={600}
    >
      {keys.map((item) => (
        <Table.Tr key={item.id}>
          <Table.Td className={tableClasses.name}>{item.label}</Table.Td>
          <Table.Td>
            <Code>{item.prefix}</Code>
          </Table.Td>
          <Table.Td>{showTime(item.created_at)}</Table.Td>
          <Table.Td>{item.last_used_at ? showTime(item.last_used_at) : 'never'}</Table.Td>
          <Table.Td ta="right">
            {item.revoked_at ? (
              <Text size="sm" c="dimmed">
                revoked {showTime(item.revoked_at)}
              </Text>
            ) : (
              <RevokeButton item={item} />
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </TableCard>
  );
}

/** The keys. */
export function ApiKeys() {
  const { data, error, refetch } = useQuery({ queryKey: ['keys'], queryFn: readKeys });
  return (
    <Stack gap="lg">
      <NewKey />
      {error && (
        <ErrorPanel
          title="The keys could not be read"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <Skeleton height={80} />}
      {data && data.length > 0 && <KeysTable keys={data} />}
      {data?.length === 0 && (
        <Text size="sm" c="dimmed">
          No keys yet. The app itself needs none.
        </Text>
      )}
    </Stack>
  );
}
