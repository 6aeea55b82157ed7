/** The jobs that wait to start, in order: moved by dragging, or with the buttons of each. */
import {
  ActionIcon,
  Anchor,
  Button,
  Card,
  Group,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type JobQueue, jobList } from '../../../engine/contract/jobs/job-list.ts';
import { ask } from '../../api/client.ts';
import type { JobPulse } from '../../api/event-stream.ts';
import { useCall, useIsLive } from '../../api/live.ts';
import { nameOf } from '../../components/jobs/job-words.ts';
import { countOf, showDuration } from '../../components/numbers.ts';
import { isolate } from '../../components/titles/isolate.ts';
import { showFailure } from '../../components/toast.ts';
import classes from './jobs.module.css';

/** Rows a second of the running job; 0 if it is not known. */
function useSpeed(): number {
  const pulses = useQueryClient().getQueriesData<JobPulse>({ queryKey: ['pulse'] });
  const running = pulses.find(([, pulse]) => pulse?.status === 'running');
  return running?.[1]?.rowsPerSecond ?? 0;
}

/** A guess needs no seconds next to minutes. */
const roundDuration = (seconds: number): string =>
  seconds < 60 ? showDuration(Math.ceil(seconds / 5) * 5) : `${Math.ceil(seconds / 60)} min`;

const describeStart = (rowsAhead: number, speed: number): string => {
  if (rowsAhead === 0) return 'starts next';
  return speed > 0
    ? `starts in about ${roundDuration(rowsAhead / speed)}`
    : `starts after ${countOf(rowsAhead, 'row')}`;
};

interface QueuedProps {
  readonly queue: JobQueue;
  readonly at: number;
  readonly speed: number;
  readonly onMove: (at: number, place: number) => void;
}

function MoveButtons({ queue, at, onMove }: QueuedProps) {
  const name = nameOf(queue[at]?.job ?? { title: '' });
  const isFirst = at === 0;
  const isLast = at === queue.length - 1;
  // A disabled button would lose the focus when its job arrives at the end.
  const arrow = (label: string, isOff: boolean, place: number, Icon: typeof IconArrowUp) => (
    <ActionIcon
      variant="default"
      size={28}
      aria-label={`${label} ${name}`}
      aria-disabled={isOff}
      {...(isOff && { 'data-disabled': true })}
      onClick={() => !isOff && onMove(at, place)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
  return (
    <Group gap={6} wrap="nowrap">
      {arrow('Move up:', isFirst, at, IconArrowUp)}
      {arrow('Move down:', isLast, at + 2, IconArrowDown)}
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Run next: ${name}`}
        aria-disabled={isFirst}
        {...(isFirst && { 'data-disabled': true })}
        onClick={() => !isFirst && onMove(at, 1)}
      >
        Run next
      </Button>
    </Group>
  );
}

function Queued(props: QueuedProps) {
  const { queue, at, speed, onMove } = props;
  const [isOver, setOver] = useState(false);
  const queued = queue[at];
  if (!queued) return null;
  const { job, rows_ahead: rowsAhead } = queued;
  return (
    <li
      draggable
      data-over={isOver || undefined}
      onDragStart={(event) => event.dataTransfer.setData('text/x-desk-place', String(at))}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('text/x-desk-place')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const from = Number(event.dataTransfer.getData('text/x-desk-place'));
        if (from !== at) onMove(from, at + 1);
      }}
    >
      <IconGripVertical size={16} className={classes.grip} aria-hidden />
      <div className={classes.queued}>
        <Anchor component={Link} href={`/jobs/${job.job_id}`} fw={550} size="sm">
          <bdi>{nameOf(job)}</bdi>
        </Anchor>
        <span className={`${classes.caption} numbers`}>
          {countOf(job.total_rows, 'row')} · {describeStart(rowsAhead, speed)}
        </span>
      </div>
      <MoveButtons {...props} />
    </li>
  );
}

/** The queue. Renders nothing if no job waits. */
export function QueueCard() {
  const client = useQueryClient();
  const isLive = useIsLive();
  const speed = useSpeed();
  const [said, setSaid] = useState('');
  const { data: queue = [] } = useQuery({
    queryKey: ['job-queue'],
    queryFn: () => ask(jobList.queue),
    refetchInterval: ({ state }) => (isLive && !state.data?.length ? false : 2_000),
  });
  const move = useCall(jobList.move, ['job-list']);
  if (queue.length === 0) return null;
  const onMove = (at: number, place: number) => {
    const job = queue[at]?.job;
    if (!job) return;
    move.mutate(
      { job_id: job.job_id, place },
      {
        onSuccess(next) {
          client.setQueryData(['job-queue'], next);
          setSaid(
            `${isolate(nameOf(job))} is now number ${place} of ${queue.length} in the queue.`,
          );
        },
        onError: (error) => showFailure('The queue was not changed', error),
      },
    );
  };
  return (
    <Card component="section" p={0} aria-label="Queue">
      <Group justify="space-between" px={12} py={8}>
        <Title order={2} size={14}>
          Queue
        </Title>
        <Text size="xs" c="dimmed">
          One job runs at a time. Drag to change the order.
        </Text>
      </Group>
      <ol className={classes.queue}>
        {queue.map(({ job }, at) => (
          <Queued key={job.job_id} queue={queue} at={at} speed={speed} onMove={onMove} />
        ))}
      </ol>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </Card>
  );
}
