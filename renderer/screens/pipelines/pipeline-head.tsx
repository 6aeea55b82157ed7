/**
 * The head of a pipeline: steps, speed, time left and credits while it runs; a sentence at its end,
 * and what to do about locked values.
 */
import { Alert, Anchor, Progress, Text } from '@mantine/core';
import { IconCheck, IconLock } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Pipeline } from '../../../engine/contract/pipelines/pipeline.ts';
import type { PipelineProgress } from '../../../engine/contract/pipelines/pipeline-progress.ts';
import { ApiError } from '../../api/client.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import {
  countCredits,
  countOf,
  showCount,
  showCredits,
  showDuration,
  showShare,
  unitsOf,
} from '../../components/numbers.ts';
import { RunCounts } from '../../components/run-counts.tsx';
import { describeEnd, isVerified, shareOf, stepWords } from './pipeline-words.ts';
import classes from './pipelines.module.css';

function Counts({ pipeline, progress }: { pipeline: Pipeline; progress: PipelineProgress }) {
  const counts: [string, string][] = [
    ['known', showCount(pipeline.matched)],
    ['shown', showCount(pipeline.unlocked)],
    ['not shown', showCount(pipeline.locked)],
    ...(isVerified(progress)
      ? [['verified', showCount(pipeline.verified)] as [string, string]]
      : []),
    ['credits reserved', showCredits(pipeline.credits_held)],
    ['to be charged so far', showCredits(progress.charged_so_far)],
  ];
  return <RunCounts counts={counts} />;
}

function Steps({ steps }: Pick<PipelineProgress, 'steps'>) {
  const inHand = steps.find(({ done, total }) => done < total)?.step;
  return (
    <ol className={classes.steps}>
      {steps.map(({ step, done, total }) => (
        <li key={step} data-state={step === inHand ? 'now' : done < total ? 'later' : 'done'}>
          <span className={classes.stepName}>
            {done === total && <IconCheck size={14} stroke={2.4} aria-hidden />}
            {stepWords[step].name}
          </span>
          <span className="numbers">
            {showCount(done)} of {showCount(total)}
          </span>
          <Progress
            value={shareOf({ done, total }) * 100}
            size="sm"
            aria-label={`${stepWords[step].name}: contacts done`}
            transitionDuration={150}
          />
        </li>
      ))}
    </ol>
  );
}

function describeNow({ steps, contacts_per_second: speed, seconds_left: left }: PipelineProgress) {
  const inHand = steps.find(({ done, total }) => done < total);
  if (!inHand) return 'Ending …';
  const of = countOf(inHand.total, 'contact');
  return [
    `${stepWords[inHand.step].now} ${showCount(inHand.done)} of ${of}`,
    showShare(shareOf(inHand)),
    ...(speed > 0 ? [`${showCount(speed)} contacts/s`] : []),
    ...(left === null ? [] : [`${showDuration(left)} left of this step`]),
  ].join(' · ');
}

function Running({
  pipeline,
  progress,
}: {
  pipeline: Pipeline;
  progress: PipelineProgress | undefined;
}) {
  return (
    <section aria-label="Progress" className={classes.head}>
      <Text className="numbers">
        {pipeline.status === 'queued' && 'Waiting to start. '}
        {progress && describeNow(progress)}
      </Text>
      {progress && (
        <>
          <Steps steps={progress.steps} />
          <Counts pipeline={pipeline} progress={progress} />
        </>
      )}
    </section>
  );
}

/** Locked values: the reason, and how to unlock them. */
function Locked({ pipeline }: { pipeline: Pipeline }) {
  return (
    <Alert
      color="yellow"
      icon={<IconLock size={18} />}
      title={`${countOf(pipeline.locked, 'contact has', 'contacts have')} hidden values`}
    >
      <Text size="sm">
        The credits ran out, or the API key reached a cap. Locked values cost nothing.{' '}
        <Anchor component={Link} underline="always" href="/wallet" size="sm">
          Add credits
        </Anchor>
        , then show the same people again. Values that you own are free.
      </Text>
    </Alert>
  );
}

function Cancelled({ pipeline }: { pipeline: Pipeline }) {
  const kept =
    pipeline.unlocked === 1
      ? '1 contact that was shown before stays yours'
      : `${showCount(pipeline.unlocked)} contacts that were shown before stay yours`;
  return (
    <Text role="status" className="numbers">
      Cancelled. {kept}: {countCredits(pipeline.credits_charged)} charged,{' '}
      {showCredits(pipeline.credits_released)} returned to the wallet.{' '}
      <Anchor component={Link} underline="always" href="/directory/contacts/new">
        Show the same people again
      </Anchor>{' '}
      to see the values that you own, at no cost.
    </Text>
  );
}

export function PipelineHead({
  pipeline,
  progress,
}: {
  pipeline: Pipeline;
  progress: PipelineProgress | undefined;
}) {
  if (!pipeline.ready) return <Running pipeline={pipeline} progress={progress} />;
  if (pipeline.status === 'cancelled') return <Cancelled pipeline={pipeline} />;
  if (pipeline.status === 'failed') {
    const isFree = unitsOf(pipeline.credits_charged) === 0;
    const charged = `${countCredits(pipeline.credits_charged)} were charged`;
    const why = pipeline.error_detail ?? pipeline.error ?? 'No reason was given.';
    return (
      <ErrorPanel
        title={`The list failed; ${isFree ? 'nothing was charged' : charged}`}
        error={new ApiError(pipeline.error ?? '', why, 0)}
      />
    );
  }
  return (
    <>
      <Text role="status" className="numbers">
        {describeEnd(pipeline, progress !== undefined && isVerified(progress))}
      </Text>
      {pipeline.locked > 0 && <Locked pipeline={pipeline} />}
    </>
  );
}
