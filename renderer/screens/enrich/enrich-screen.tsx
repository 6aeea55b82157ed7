// The first page offers the sample, a list and an assistant, and shows a file while it opens.
import { Group } from '@mantine/core';
import { Page } from '../../components/page.tsx';
import { FileStep } from './file-step.tsx';
import { Welcome } from './first-run/welcome.tsx';
import { useFlow } from './flow.tsx';
import { ReopenList } from './leave-list.tsx';
import { useOpenFiles } from './open-files.tsx';
import { PasteButton, usePaste } from './paste-list.tsx';
import { WaitingFiles } from './several/waiting-files.tsx';

export function EnrichScreen() {
  const { flow } = useFlow();
  const openFiles = useOpenFiles();
  usePaste();
  return (
    <Page
      title="Enrich"
      sentence={
        'Your list comes back with what your own data knows: the current job, email and phone of ' +
        'each person, the profile and address of each company.'
      }
      action={
        flow.name === null && (
          <Group gap="sm">
            <ReopenList />
            <PasteButton />
          </Group>
        )
      }
    >
      <WaitingFiles />
      {flow.name === null ? <Welcome /> : <FileStep onFiles={openFiles} />}
    </Page>
  );
}
