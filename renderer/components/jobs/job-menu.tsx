/** The menu of a job: rename, run again, delete. */
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { useDeleteJobs } from './delete-jobs.tsx';
import { nameOf } from './job-words.ts';
import { RenameJob } from './rename-job.tsx';
import { RunAgain } from './run-again.tsx';

/** The button of the menu, and the dialogs that it opens. */
export function JobMenu({
  job,
  size = 28,
  onDeleted,
}: {
  job: StatusData;
  size?: number;
  onDeleted?: () => void;
}) {
  const [dialog, setDialog] = useState<'rename' | 'again' | null>(null);
  const { ask, dialog: deletion } = useDeleteJobs(onDeleted);
  const close = () => setDialog(null);
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={size} aria-label={`Actions for ${nameOf(job)}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => setDialog('rename')}
          >
            Rename…
          </Menu.Item>
          {job.ready && (
            <Menu.Item
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={() => setDialog('again')}
            >
              Run again…
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={() => ask([job])}>
            {job.ready ? 'Delete' : 'Cancel and delete…'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RenameJob job={job} opened={dialog === 'rename'} onClose={close} />
      <RunAgain job={job} opened={dialog === 'again'} onClose={close} />
      {deletion}
    </>
  );
}
