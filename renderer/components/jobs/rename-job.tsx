/** A dialog that changes the name of a job. */
import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { jobList } from '../../../engine/contract/jobs/job-list.ts';
import { titleCharactersMax } from '../../../engine/contract/limits/jobs.ts';
import { useCall } from '../../api/live.ts';
import { ErrorPanel } from '../error-panel.tsx';
import { jobQueries } from './job-words.ts';

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
      {rename.error && <ErrorPanel title="The job was not renamed" error={rename.error} />}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={rename.isPending}>
          Rename
        </Button>
      </Group>
    </form>
  );
}

/** The dialog. */
export function RenameJob(props: { job: StatusData; opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title="Rename job"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <RenameForm job={props.job} onClose={props.onClose} />
    </Modal>
  );
}
