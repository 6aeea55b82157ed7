/** The folders whose lists assistants can enrich; none by default. */
import { Button, Code, Group, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { assistants, type ListFolder } from '../../../engine/contract/assistants/assistants.ts';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { listPathCharactersMax } from '../../../engine/contract/limits/assistants.ts';
import { ask, describeError } from '../../api/client.ts';
import { useChange } from '../../api/live.ts';
import { Ago } from '../../components/ago.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { showFailure, showSuccess } from '../../components/toast.ts';
import classes from './connections.module.css';

/** Query key of all assistant data, which includes these folders. */
const changed = ['assistants'];

function FolderRow({
  item,
  now,
  environment,
}: {
  item: ListFolder;
  now: number;
  environment: EnvironmentName;
}) {
  const remove = useChange(
    () => ask(assistants.removeFolder, { id: item.id }, { environment: environment }),
    changed,
  );
  return (
    <Table.Tr>
      <Table.Td>
        <div className={classes.label}>{item.path}</div>
        {item.real_path !== item.path && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            resolves to <Code fz="xs">{item.real_path}</Code>
          </Text>
        )}
      </Table.Td>
      <Table.Td className={tableClasses.steady}>
        <Ago time={item.added_at} now={now} />
      </Table.Td>
      <Table.Td ta="right">
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Remove ${item.path}`}
          loading={remove.isPending}
          onClick={() =>
            remove.mutate(undefined, {
              onSuccess: () => showSuccess('The folder was removed.'),
              onError: (error) => showFailure('The folder was not removed', error),
            })
          }
        >
          Remove
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}

function FolderForm({ environment }: { environment: EnvironmentName }) {
  const [path, setPath] = useState('');
  const allow = useChange(
    () => ask(assistants.allowFolder, { path: path.trim() }, { environment: environment }),
    changed,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (path.trim() === '') return;
    allow.mutate(undefined, {
      onSuccess: () => {
        setPath('');
        showSuccess('The folder is allowed from the next call on.');
      },
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label="Folder to allow"
        description="The absolute path on this machine; ~/ is your home folder."
        placeholder="~/Lists"
        maxLength={listPathCharactersMax}
        value={path}
        error={allow.error && describeError(allow.error)}
        onChange={(event) => {
          setPath(event.currentTarget.value);
          allow.reset();
        }}
        inputContainer={(input) => (
          <Group gap="sm" wrap="nowrap">
            <div style={{ flex: 1 }}>{input}</div>
            <Button
              type="submit"
              variant="default"
              disabled={path.trim() === ''}
              loading={allow.isPending}
            >
              Allow
            </Button>
          </Group>
        )}
      />
    </form>
  );
}

export function AssistantsFolders({ environment }: { environment: EnvironmentName }) {
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['assistants', environment, 'folders'],
    queryFn: () => ask(assistants.folders, {}, { environment: environment }),
  });
  return (
    <Section
      title="Folders for assistants"
      sentence={
        'Assistants can enrich and import lists in these folders and their subfolders, and save ' +
        'results there as new files. They see the results, but not the content of the files.'
      }
    >
      <Stack gap="lg">
        <ErrorPanel title="The folders could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={80} />}
        {data?.length === 0 && (
          <Text size="sm" c="dimmed">
            No folder is allowed. Assistants can send rows, but cannot read or save files on this
            machine.
          </Text>
        )}
        {data && data.length > 0 && (
          <TableCard
            label="Allowed folders"
            columns={['Folder', 'Allowed', '>Actions']}
            widthMinPx={480}
          >
            {data.map((item) => (
              <FolderRow key={item.id} item={item} now={dataUpdatedAt} environment={environment} />
            ))}
          </TableCard>
        )}
        <FolderForm environment={environment} />
      </Stack>
    </Section>
  );
}
