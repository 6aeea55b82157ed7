/** The people of the directory: figures, search, freshness and sources. */

import { Skeleton } from '@mantine/core';
import type { DirectoryStats } from '../../../engine/contract/directory.ts';
import { useDirectory } from '../../api/directory.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Figures } from '../../components/figures.tsx';
import { showBytes, showCount } from '../../components/numbers.ts';
import { onlyDirectory } from './directory-choice.tsx';
import { DirectoryPage } from './directory-page.tsx';
import { EmptyDirectory, IndexState } from './directory-state.tsx';
import { Origins } from './origins.tsx';
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

export function DirectoryScreen() {
  const { data, error, refetch } = useDirectory();
  return (
    <DirectoryPage
      part="people"
      sentence={'Your lists, matched offline. Every value shows its source and date.'}
    >
      <ErrorPanel title="The directory could not be loaded" error={error} onRetry={refetch} />
      {!error && data?.people !== 0 && <Stats data={data} />}
      {data && <IndexState data={data} />}
      {!data && !error && <Skeleton height={420} radius="md" />}
      {data?.people === 0 && <EmptyDirectory />}
      {data && (data.people > 0 || data.has_team) && (
        <SearchPeople
          generation={data.generation}
          only={onlyDirectory(data.has_team, data.people)}
        />
      )}
      {data && data.people > 0 && <Origins generation={data.generation} />}
    </DirectoryPage>
  );
}
