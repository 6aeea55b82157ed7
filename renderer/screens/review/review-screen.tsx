/** The review of a job: the user decides, row by row, which candidate a row means. */
import { Anchor, Button, Card, Group, Kbd, Progress, Skeleton, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconArrowBackUp, IconChecks } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import type { ReviewRow } from '../../../engine/contract/jobs/review.ts';
import { rowInputFields } from '../../../engine/contract/jobs/row-input.ts';
import { useJob } from '../../api/live.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { countCredits, countOf, showCount } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { PageTitle } from '../../components/titles/page-title.tsx';
import { UnreadRecord } from '../../components/unread-record.tsx';
import { fieldLabels, reasonWords } from '../../components/words.ts';
import { CandidateCard } from './candidate-card.tsx';
import classes from './review.module.css';
import { type Review, useReview } from './use-review.ts';

/** The values of the row in the user's list. */
function InputRow({ row }: { row: ReviewRow }) {
  return (
    <Card component="section" aria-label="Your row">
      <Title order={2} size="h4" className="numbers">
        Row {showCount(row.row_index + 1)}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {reasonWords[row.reason].sentence}
      </Text>
      <dl className={classes.input}>
        {rowInputFields.map((field) => {
          const value = row.input[field];
          return value === undefined ? null : (
            <div key={field}>
              <dt>{fieldLabels[field]}</dt>
              <dd>{value}</dd>
            </div>
          );
        })}
      </dl>
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
      <InputRow row={row} />
      <ul className={classes.candidates} aria-label="Candidates">
        {row.candidates.map((candidate, at) => (
          <CandidateCard
            key={candidate.upstream_contact_uuid}
            candidate={candidate}
            number={at + 1}
            onChoose={() => review.choose(at)}
          />
        ))}
      </ul>
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
          ? 'The rows that you decided are in the result of the job, and in the CSV that you save.'
          : `${countOf(review.waiting, 'row')} that you skipped can be decided at any time.`
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

function Body({ job }: { job: StatusData }) {
  const review = useReview(job.job_id);
  useHotkeys([
    ['1', () => review.choose(0)],
    ['2', () => review.choose(1)],
    ['3', () => review.choose(2)],
    ['0', () => review.choose(null)],
    ['s', review.skip],
    ['u', () => review.undo?.()],
  ]);
  if (review.error)
    return (
      <ErrorPanel title="The rows could not be read" error={review.error} onRetry={review.retry} />
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
          {'. A matched row is charged like any enriched row. Charged so far: '}
          {countCredits(job.credits_charged)}.
        </>
      }
    >
      <PageTitle title={`Review · ${job.title || 'Untitled job'}`} />
      {job.status === 'completed' ? (
        <Body job={job} />
      ) : (
        <Text>Rows can be reviewed when the job has completed.</Text>
      )}
    </Page>
  );
}
