/** Imports: a new one, the sample directory, and the list of all with undo. */
import { useDirectory } from '../../../api/directory.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { DirectoryPage } from '../directory-page.tsx';
import { IndexState } from '../directory-state.tsx';
import { ImportForm } from './import-form.tsx';
import { ImportList } from './import-list.tsx';
import { SampleCard } from './sample-card.tsx';

export function ImportsScreen() {
  const { data, dataUpdatedAt, error, refetch } = useDirectory();
  return (
    <DirectoryPage
      part="imports"
      sentence="Add people and companies from your files. Importing a list again updates it."
    >
      <ErrorPanel title="The imports could not be loaded" error={error} onRetry={refetch} />
      {data && <IndexState data={data} />}
      <ImportForm />
      {data && data.imports.length > 0 && <ImportList imports={data.imports} now={dataUpdatedAt} />}
      {data && <SampleCard />}
    </DirectoryPage>
  );
}
