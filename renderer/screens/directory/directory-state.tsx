// What every part that shows people or companies says about the directory.
import { Alert, Button, Loader } from '@mantine/core';
import { IconDatabaseImport } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { DirectoryStats } from '../../../engine/contract/directory.ts';
import { useTask } from '../../api/live.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { showCount } from '../../components/numbers.ts';
import { Note } from '../../components/text.tsx';

export function IndexState({ data }: { data: DirectoryStats }) {
  const task = useTask('index');
  if (data.index === 'failed')
    return (
      <Alert color="red" title="The search index could not be built" role="alert">
        {data.index_error ?? 'No reason was given.'}
      </Alert>
    );
  if (data.index !== 'building') return null;
  const share = task?.total ? `, ${showCount(task.done)} of ${showCount(task.total)} people` : '';
  return (
    <Note role="status">
      <Loader size={14} mr={8} aria-hidden />
      Building the search index{share}. Jobs start when it is ready.
    </Note>
  );
}

export function EmptyDirectory() {
  return (
    <EmptyState
      Icon={IconDatabaseImport}
      title="Your directory is empty"
      sentence="Import a list of people or companies. Your rows are matched against it, offline."
      action={
        <Button variant="filled" component={Link} href="/directory/imports">
          Import a list
        </Button>
      }
    />
  );
}
