// What a run waits for, and its counters with their labels.
import { Alert } from '@mantine/core';
import { useAppState, useTask, useWaiting } from '../api/live.ts';
import { showCount } from './numbers.ts';
import run from './run.module.css';

/** What a queued run waits for; '' once it has started. @param ahead what it says of its turn */
export function useStart(isQueued: boolean, ahead: string): string {
  const directory = useAppState().data?.directory;
  const task = useTask('index');
  if (!isQueued) return '';
  if (directory?.index === 'failed') return `${directory.index_error ?? ''} `;
  if (directory?.index !== 'building') return ahead;
  const share = task?.total ? `: ${showCount(task.done)} of ${showCount(task.total)} people` : '';
  return `Starts when the directory is indexed${share}. `;
}

/** Why a run that has started is paused, and what to do. */
export function PausedRun({ id }: { id: string | number }) {
  const waiting = useWaiting(id);
  return waiting == null ? null : <Alert color="yellow">{waiting}</Alert>;
}

export const RunCounts = ({ counts }: { counts: readonly (readonly [string, string])[] }) => (
  <dl className={run.counts}>
    {counts.map(([name, value]) => (
      <div key={name}>
        <dd>{value}</dd>
        <dt>{name}</dt>
      </div>
    ))}
  </dl>
);
