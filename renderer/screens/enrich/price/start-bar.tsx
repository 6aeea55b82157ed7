// The bar at the foot of the window: the price, what prevents a start, and the button.
import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { creditUnits } from '../../../../engine/contract/credits.ts';
import type { AppEstimate } from '../../../../engine/contract/jobs/app-jobs.ts';
import { useAppState } from '../../../api/live.ts';
import { countCredits, countOf, countUnits, unitsOf } from '../../../components/numbers.ts';
import { StickyFoot } from '../../../components/sticky-foot.tsx';
import { Caption, Note, ScreenLink } from '../../../components/text.tsx';
import { showExpected } from './expectation.tsx';
import classes from './start-bar.module.css';

/** Why a priced job cannot be started, if it cannot. */
export type Obstacle = 'empty_directory' | 'short_of_credits' | null;

/** The exact shortfall and a link to add credits. */
function Shortfall({ estimate }: { estimate: AppEstimate }) {
  const needed = unitsOf(estimate.credits_needed);
  const missing = creditUnits(needed - unitsOf(estimate.available_credits));
  return (
    <Text size="sm" c="var(--desk-failed)" role="alert">
      You’re {countUnits(missing)} short.{' '}
      <ScreenLink underline="always" href="/wallet">
        Add credits in the wallet
      </ScreenLink>
      , choose fewer layers, or split the file. Your setup is kept.
    </Text>
  );
}

const EmptyDirectory = () => (
  <Text size="sm" role="status">
    Your directory is empty, so nothing can be found yet.{' '}
    <ScreenLink underline="always" href="/directory/imports">
      Import people or load the sample
    </ScreenLink>
    . Your setup is kept.
  </Text>
);

/** Why the start holds more than what is expected. */
const fullPriceSentence =
  'At most is every row in full. Only enriched rows are charged, and repeats are free.';

function Sums({ estimate, isFresh }: { estimate: AppEstimate; isFresh: boolean }) {
  const hasBudget = useAppState().data?.account.has_budget === true;
  const { preview, row_count: rows, credits_needed: most } = estimate;
  return (
    <>
      <Text size="sm" fw={600} className="numbers">
        At most {countCredits(most)}
        {preview && `, expected ${showExpected(preview, rows)}`}
        {preview?.has_team && ' without the team’s directory'}
      </Text>
      <Caption className="numbers">
        {hasBudget && `${countCredits(estimate.available_credits)} available. `}
        {isFresh ? fullPriceSentence : 'Counting…'}
      </Caption>
    </>
  );
}

const labelStart = ({ row_count: rows, credits_needed: most }: AppEstimate): string =>
  `Enrich ${countOf(rows, 'row')}, at most ${countCredits(most)}`;

/** @param estimate undefined if nothing is priced yet; `waiting` then says why */
export function StartBar({
  estimate,
  waiting,
  obstacle,
  isFresh,
  isStarting,
  onStart,
  trial,
}: {
  estimate: AppEstimate | undefined;
  waiting: string;
  obstacle: Obstacle;
  isFresh: boolean;
  isStarting: boolean;
  onStart: () => void;
  trial: ReactNode;
}) {
  return (
    <StickyFoot
      label="Price and start"
      className={classes.bar}
      above={
        <>
          {!estimate && <Note>{waiting}</Note>}
          {estimate && obstacle === null && <Sums estimate={estimate} isFresh={isFresh} />}
          {estimate && obstacle === 'short_of_credits' && <Shortfall estimate={estimate} />}
          {estimate && obstacle === 'empty_directory' && <EmptyDirectory />}
        </>
      }
    >
      {trial}
      <Button
        variant="filled"
        className={classes.start}
        disabled={!estimate || !isFresh || obstacle !== null}
        loading={isStarting}
        onClick={onStart}
      >
        {estimate ? labelStart(estimate) : 'Enrich'}
      </Button>
    </StickyFoot>
  );
}
