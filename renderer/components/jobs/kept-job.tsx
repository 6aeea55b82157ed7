// What is left of a job without results: its list and settings, to run them again.
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconListDetails, IconRefresh } from '@tabler/icons-react';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { EmptyState } from '../empty-state.tsx';
import { countOf } from '../numbers.ts';
import { RunAgain } from './run-again.tsx';

export function KeptJob({ job }: { job: StatusData }) {
  const [opened, { open, close }] = useDisclosure(false);
  const { length } = job.selected_layers;
  return (
    <>
      <EmptyState
        Icon={IconListDetails}
        title="Your list is kept"
        sentence={
          `All ${countOf(job.total_rows, 'row')}, the column mapping and ` +
          `${length === 1 ? 'the layer' : `the ${length} layers`} are kept, so you can run them ` +
          'again.'
        }
        action={
          <Button
            variant="filled"
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={open}
          >
            Run again…
          </Button>
        }
      />
      <RunAgain job={job} opened={opened} onClose={close} />
    </>
  );
}
