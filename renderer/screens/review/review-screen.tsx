/** The review of a job: the user decides, row by row, which candidate a row means. */
import { Anchor, Button, Card, Group, Kbd, Progress, Skeleton, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconArrowBackUp, IconChecks } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useSearch } from 'wouter';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { type ReviewRow, unlikelyReasons } from '../../../engine/contract/jobs/review.ts';
import { useJob } from '../../api/live.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countCredits, countOf, showCount } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { StatusChip } from '../../components/status-chip.tsx';
import { PageTitle } from '../../components/titles/page-title.tsx';
import { UnreadRecord } from '../../components/unread-record.tsx';
import { reasonWords } from '../../components/words.ts';
import { EvidenceTable } from './evidence-table.tsx';
import classes from './review.module.css';
import { type Review, useReview } from './use-review.ts';

/** The row, why it waits, and its candidates side by side. */
function RowCard({ row, onChoose }: { row: ReviewRow; onChoose: (at: number) => void }) {
  const isUnlikely = unlikelyReasons.includes(row.reason);
  return (
    <Card component="section" aria-label="Your row">
      <div className={classes.head}>
        <Title order={2} size="h4" className="numbers">
          Row {showCount(row.row_index + 1)}
        </Title>
        <StatusChip
          status="ambiguous"
          label={isUnlikely ? 'low confidence' : reasonWords[row.reason].short}
        />
        <Text size="sm" c="dimmed">
          {isUnlikely
            ? 'No person matches with enough confidence. These are the closest.'
            : reasonWords[row.reason].sentence}
        </Text>
      </div>
      <EvidenceTable row={row} onChoose={onChoose} />
    </Card>
  );
}

function KeyButton({
  label,
  keyName,
  onClick,
  icon,
}: {
  label: string;
  keyName: string;
  onClick: (() => void) | null;
  icon?: ReactNode;
}) {
  return (
    <Button
      variant="default"
      disabled={onClick === null}
      onClick={() => onClick?.()}
      leftSection={icon}
      aria-keyshortcuts={keyName}
      rightSection={
        <Kbd size="xs" aria-hidden>
          {keyName}
        </Kbd>
      }
    >
      {label}
    </Button>
  );
}

function OpenRow({ review, row }: { review: Review; row: ReviewRow }) {
  return (
    <>
      <RowCard row={row} onChoose={review.choose} />
      <Group gap="sm">
        <KeyButton label="None of them" keyName="0" onClick={() => review.choose(null)} />
        <KeyButton label="Skip for now" keyName="S" onClick={review.skip} />
        <KeyButton
          label="Undo"
          keyName="U"
          onClick={review.undo}
          icon={<IconArrowBackUp size={16} aria-hidden />}
        />
      </Group>
    </>
  );
}

function NothingLeft({ review, jobId }: { review: Review; jobId: string }) {
  return (
    <EmptyState
      Icon={IconChecks}
      title={review.waiting === 0 ? 'No row waits for a decision' : 'You have seen every row'}
      sentence={
        review.waiting === 0
          ? 'Your decisions are in the result of the job and in every file that you save.'
          : `You can decide ${countOf(review.waiting, 'skipped row')} at any time.`
      }
      action={
        <Group gap="sm">
          <Button component={Link} href={`/jobs/${jobId}`}>
            See the result
          </Button>
          <KeyButton
            label="Undo"
            keyName="U"
            onClick={review.undo}
            icon={<IconArrowBackUp size={16} aria-hidden />}
          />
        </Group>
      }
    />
  );
}

/** The row that the address names, as in `?row=12`; the first one otherwise. */
function useNamedRow(): number {
  const row = new URLSearchParams(useSearch()).get('row') ?? '';
  return /^\d{1,9}$/.test(row) ? Number(row) : 0;
}

function Body({ job }: { job: StatusData }) {
  const review = useReview(job.job_id, useNamedRow());
  useHotkeys([
    ['1', () => review.choose(0)],
    ['2', () => review.choose(1)],
    ['3', () => review.choose(2)],
    ['0', () => review.choose(null)],
    ['s', review.skip],
    ['u', () => review.undo?.()],
    ['mod+z', () => review.undo?.()],
  ]);
  if (review.error)
    return (
      <ErrorPanel
        title="The rows could not be loaded"
        error={review.error}
        onRetry={review.retry}
      />
    );
  if (review.isLoading) return <Skeleton height={320} />;
  const total = review.decided + review.waiting;
  return (
    <>
      <section aria-label="Progress">
        <Text size="sm" className="numbers" role="status">
          {showCount(review.decided)} of {countOf(total, 'row')} decided
        </Text>
        <Progress
          mt={6}
          size="sm"
          value={total > 0 ? (review.decided / total) * 100 : 100}
          aria-label="Rows decided"
        />
      </section>
      {review.row ? (
        <OpenRow review={review} row={review.row} />
      ) : (
        <NothingLeft review={review} jobId={job.job_id} />
      )}
    </>
  );
}

export function ReviewScreen({ jobId }: { jobId: string }) {
  const { data: job, error, refetch } = useJob(jobId);
  if (!job)
    return <UnreadRecord name="job" list="/jobs" error={error} onRetry={() => void refetch()} />;
  return (
    <Page
      title="Review"
      sentence={
        <>
          <Anchor component={Link} href={`/jobs/${jobId}`} size="sm">
            {job.title || 'Untitled job'}
          </Anchor>
          {'. A row that you match is charged like any enriched row. Charged so far: '}
          {countCredits(job.credits_charged)}.
        </>
      }
    >
      <PageTitle title={`Review · ${job.title || 'Untitled job'}`} />
      {job.status === 'completed' ? (
        <Body job={job} />
      ) : (
        <Text>You can review rows when the job is complete.</Text>
      )}
    </Page>
  );
}
