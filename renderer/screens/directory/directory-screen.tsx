/** The directory: its content, imports, their effects, and undo. */
import { Alert, Anchor, Group, Loader, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { DirectoryStats } from '../../../engine/contract/directory.ts';
import { useDirectory, useTask } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Figures } from '../../components/figures.tsx';
import { showBytes, showCount } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { ImportForm } from './import-form.tsx';
import { ImportList } from './import-list.tsx';
import { SampleCard } from './sample-card.tsx';
import { SearchPeople } from './search-people.tsx';

const countIf = (count: number | undefined) => (count === undefined ? undefined : showCount(count));

function Stats({ data }: { data: DirectoryStats | undefined }) {
  return (
    <Figures
      figures={[
        { label: 'People', value: countIf(data?.people) },
        { label: 'Companies', value: countIf(data?.companies) },
        { label: 'Employments', value: countIf(data?.employments) },
        { label: 'With email', value: countIf(data?.people_with_email) },
        { label: 'With profile', value: countIf(data?.people_with_profile_url) },
        { label: 'With phone', value: countIf(data?.people_with_phone) },
        { label: 'On disk', value: data && showBytes(data.bytes) },
      ]}
    />
  );
}

/** Whether the directory can be searched now. */
function IndexState({ data }: { data: DirectoryStats }) {
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
    <Text size="sm" c="dimmed" role="status">
      <Loader size={14} mr={8} aria-hidden />
      The search index is being built{share}. Jobs use the previous one until it is ready.
    </Text>
  );
}

export function DirectoryScreen() {
  const { data, error, refetch } = useDirectory();
  return (
    <Page
      title="Directory"
      sentence={
        'Your own lists. Every row is matched against them, offline. ' +
        'Every value keeps its source, date and history.'
      }
    >
      {error && (
        <ErrorPanel
          title="The directory could not be loaded"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      <Stats data={data} />
      <Group gap="lg">
        <Anchor component={Link} href="/directory/suppression" size="sm">
          Open the suppression list
        </Anchor>
        <Anchor component={Link} href="/directory/person-data" size="sm">
          A person’s data
        </Anchor>
        <Anchor component={Link} href="/directory/duplicates" size="sm">
          Find duplicates
        </Anchor>
      </Group>
      {data && <IndexState data={data} />}
      {data && data.people > 0 && <SearchPeople generation={data.generation} />}
      <ImportForm />
      {data && <SampleCard />}
      {data && data.imports.length > 0 && <ImportList imports={data.imports} />}
    </Page>
  );
}
