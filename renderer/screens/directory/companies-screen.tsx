/** The companies of the directory. */

import { Skeleton } from '@mantine/core';
import { useDirectory } from '../../api/directory.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { onlyDirectory } from './directory-choice.tsx';
import { DirectoryPage } from './directory-page.tsx';
import { EmptyDirectory, IndexState } from './directory-state.tsx';
import { SearchCompanies } from './search-companies.tsx';

export function CompaniesScreen() {
  const { data, error, refetch } = useDirectory();
  return (
    <DirectoryPage
      part="companies"
      sentence={
        data?.has_team
          ? 'The companies of your lists and of the team’s directory, and who works there.'
          : 'The companies of your lists, and who works there.'
      }
    >
      <ErrorPanel title="The directory could not be loaded" error={error} onRetry={refetch} />
      {data && <IndexState data={data} />}
      {!data && !error && <Skeleton height={420} radius="md" />}
      {data?.companies === 0 && <EmptyDirectory />}
      {data && (data.companies > 0 || data.has_team) && (
        <SearchCompanies
          generation={data.generation}
          only={onlyDirectory(data.has_team, data.companies)}
        />
      )}
    </DirectoryPage>
  );
}
