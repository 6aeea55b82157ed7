// The menu of a job: rename, run again, delete.
import { ActionIcon, Button, Group, Menu, Modal, TextInput } from '@mantine/core';
import { IconDots, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { jobList } from '../../../engine/contract/jobs/job-list.ts';
import { titleCharactersMax } from '../../../engine/contract/limits/jobs.ts';
import { useCall } from '../../api/live.ts';
import { ErrorPanel } from '../error-panel.tsx';
import { useDeleteJobs } from './delete-jobs.tsx';
import { jobQueries, nameOf } from './job-words.ts';
import { RunAgain } from './run-again.tsx';

function RenameForm({ job, onClose }: { job: StatusData; onClose: () => void }) {
  const [title, setTitle] = useState(job.title);
  const rename = useCall(jobList.rename, jobQueries);
  const isEmpty = title.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isEmpty) return;
    rename.mutate({ job_id: job.job_id, title }, { onSuccess: onClose });
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label="Name"
        data-autofocus
        maxLength={titleCharactersMax}
        value={title}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTitle(event.currentTarget.value)}
        error={isEmpty && 'Enter a name'}
      />
      <ErrorPanel title="The job was not renamed" error={rename.error} />
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="filled" type="submit" loading={rename.isPending}>
          Rename
        </Button>
      </Group>
    </form>
  );
}

function RenameJob(props: { job: StatusData; opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Rename job">
      <RenameForm job={props.job} onClose={props.onClose} />
    </Modal>
  );
}

interface JobMenuProps {
  job: StatusData;
  size?: number;
  onDeleted?: () => void;
}

export function JobMenu({ job, size = 28, onDeleted }: JobMenuProps) {
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
