// Deletes jobs: asks if some must be cancelled first, and offers an undo afterwards.
import { Button, Group, Modal, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { creditUnits, formatCredits } from '../../../engine/contract/credits.ts';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { jobList } from '../../../engine/contract/jobs/job-list.ts';
import { ask } from '../../api/client.ts';
import { useCall } from '../../api/live.ts';
import { invalidate } from '../../api/query-cache.ts';
import { countCredits, countOf, unitsOf } from '../numbers.ts';
import { isolate } from '../titles/isolate.ts';
import { showFailure, showSuccess } from '../toast.ts';
import { jobQueries, nameOf } from './job-words.ts';

const undoShownMs = 10_000;

const nameJobs = (jobs: readonly StatusData[]): string =>
  jobs.length === 1 && jobs[0] ? `“${isolate(nameOf(jobs[0]))}”` : countOf(jobs.length, 'job');

function offerUndo(client: QueryClient, jobs: readonly StatusData[]): void {
  const undo = (id: string) => {
    notifications.hide(id);
    ask(jobList.restore, { job_ids: jobs.map(({ job_id }) => job_id) })
      .then(() => showSuccess(`Restored ${nameJobs(jobs)}`))
      .catch((error: unknown) => showFailure(`${nameJobs(jobs)} could not be restored`, error))
      .finally(() => void invalidate(client, ...jobQueries));
  };
  const id = notifications.show({
    autoClose: undoShownMs,
    color: 'gray',
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>Deleted {nameJobs(jobs)}</span>
        <Button size="compact-sm" onClick={() => undo(id)}>
          Undo
        </Button>
      </Group>
    ),
  });
}

interface CancelFirstProps {
  jobs: readonly StatusData[];
  onClose: () => void;
  onConfirm: () => void;
}

function CancelFirst({ jobs, onClose, onConfirm }: CancelFirstProps) {
  const open = jobs.filter(({ ready }) => !ready);
  const held = creditUnits(open.reduce((sum, job) => sum + unitsOf(job.credits_held), 0));
  return (
    <Modal
      opened={open.length > 0}
      onClose={onClose}
      title={`Cancel and delete ${nameJobs(jobs)}?`}
    >
      <Text>
        {open.length === 1 ? 'A job has' : `${countOf(open.length, 'job')} have`} not finished.
        Cancelling returns the {countCredits(formatCredits(held))} reserved. You can undo the
        deletion, but not the cancellation.
      </Text>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button onClick={onClose} data-autofocus>
          Keep running
        </Button>
        <Button variant="filled" color="red.9" onClick={onConfirm}>
          Cancel and delete
        </Button>
      </Group>
    </Modal>
  );
}

export function useDeleteJobs(onDeleted?: () => void): {
  readonly ask: (jobs: readonly StatusData[]) => void;
  readonly isPending: boolean;
  readonly dialog: ReactNode;
} {
  const client = useQueryClient();
  const remove = useCall(jobList.remove, jobQueries);
  const [open, setOpen] = useState<readonly StatusData[]>([]);
  const run = (jobs: readonly StatusData[]) =>
    remove.mutate(
      { job_ids: jobs.map(({ job_id }) => job_id), cancel: jobs.some(({ ready }) => !ready) },
      {
        onSuccess() {
          offerUndo(client, jobs);
          onDeleted?.();
        },
        onError: (error) => showFailure(`${nameJobs(jobs)} could not be deleted`, error),
      },
    );
  return {
    ask: (jobs) => (jobs.every(({ ready }) => ready) ? run(jobs) : setOpen(jobs)),
    isPending: remove.isPending,
    dialog: (
      <CancelFirst
        jobs={open}
        onClose={() => setOpen([])}
        onConfirm={() => {
          run(open);
          setOpen([]);
        }}
      />
    ),
  };
}
