// The outcomes of a job's rows: a bar of shares, and a filter for each, parts below their whole.
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { jobRows } from '../../../engine/contract/jobs/app-jobs.ts';
import type { Reason, StatusData } from '../../../engine/contract/jobs/job.ts';
import type { Outcomes, RowView } from '../../../engine/contract/jobs/row-view.ts';
import { ask } from '../../api/client.ts';
import { countOf, showCount } from '../../components/numbers.ts';
import { wordOfReason } from '../../components/words.ts';
import classes from './outcome-bar.module.css';
import type { OutcomeChoice } from './row-view.ts';

const refreshIntervalMs = 1_000;

/** The counts of the outcomes; of a running job, those of its finished rows. */
export const useOutcomes = ({ job_id: jobId, ready }: StatusData) =>
  useQuery({
    queryKey: ['rows', jobId, ready, 'outcomes'],
    queryFn: ({ signal }) => ask(jobRows.outcomes, { job_id: jobId }, { signal }),
    refetchInterval: ready ? false : refreshIntervalMs,
  }).data;

type Tone = 'enriched' | 'running' | 'ambiguous' | 'skipped' | 'failed';

interface Choice {
  readonly label: string;
  readonly count: number;
  readonly choice: OutcomeChoice;
  readonly tone?: Tone;
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const failedReasons: readonly Reason[] = ['source_error', 'source_uncertain'];

const toneOf = (reason: Reason): Tone => {
  if (failedReasons.includes(reason)) return 'failed';
  return reason === 'ambiguous' ? 'ambiguous' : 'skipped';
};

/** The reasons of rows, the most frequent first; those of failed rows are among the failed. */
function listReasons(outcomes: Outcomes, selected: RowView['reason']): Choice[] {
  const counted = Object.entries(outcomes.reasons) as [Exclude<Reason, ''>, number][];
  const known = counted.some(([reason]) => reason === selected);
  const all = known || !selected ? counted : [...counted, [selected, 0] as const];
  return all
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, count]) => ({
      label: capitalize(wordOfReason(reason)),
      count,
      choice: { reason },
      tone: toneOf(reason),
    }));
}

interface ChoiceGroup {
  readonly whole: Choice;
  readonly parts: readonly Choice[];
}

/** What found rows have. */
const listContents = ({ has }: Outcomes): Choice[] => [
  { label: 'With email', count: has.email, choice: { has: 'email' }, tone: 'enriched' },
  { label: 'Changed jobs', count: has.changed, choice: { has: 'changed' }, tone: 'running' },
  { label: 'Left their job', count: has.left, choice: { has: 'left' }, tone: 'ambiguous' },
];

/** The filters with their counts. The job's own counters are known before the others. */
function listGroups(job: StatusData, outcomes: Outcomes | undefined, view: RowView): ChoiceGroup[] {
  // A job that runs may still have failed rows: its filters do not move when the first one fails.
  const mayFail = !job.ready || job.failed_rows > 0 || view.status === 'failed';
  const reasons = outcomes ? listReasons(outcomes, view.reason) : [];
  const isOfFailed = ({ choice: { reason } }: Choice) =>
    reason !== undefined && failedReasons.includes(reason);
  // Parts without rows say nothing, unless one is chosen.
  const isShown = (one: Choice) => one.count > 0 || isChosen(one, view);
  const wholes = {
    enriched: job.enriched_rows,
    skipped: job.skipped_rows,
    failed: job.failed_rows,
  };
  const groupOf = (status: keyof typeof wholes, parts: readonly Choice[]): ChoiceGroup => ({
    whole: { label: capitalize(status), count: wholes[status], tone: status, choice: { status } },
    parts: parts.filter(isShown),
  });
  return [
    { whole: { label: 'All', count: job.total_rows, choice: {} }, parts: [] },
    groupOf('enriched', outcomes ? listContents(outcomes) : []),
    groupOf(
      'skipped',
      reasons.filter((one) => !isOfFailed(one)),
    ),
    ...(mayFail ? [groupOf('failed', reasons.filter(isOfFailed))] : []),
  ];
}

const isChosen = ({ choice }: Choice, { status, reason, has }: RowView): boolean =>
  choice.status === status && choice.reason === reason && choice.has === has;

function listParts(job: StatusData, outcomes: Outcomes | undefined): [Tone, string, number][] {
  const ambiguous = outcomes?.reasons.ambiguous ?? 0;
  return [
    ['enriched', 'enriched', job.enriched_rows],
    ['ambiguous', 'ambiguous', ambiguous],
    ['skipped', 'otherwise skipped', job.skipped_rows - ambiguous],
    ['failed', 'failed', job.failed_rows],
  ];
}

interface FilterProps {
  one: Choice;
  name: string;
  view: RowView;
  onChange: (change: OutcomeChoice) => void;
}

function Filter({ one, name, view, onChange }: FilterProps) {
  return (
    <label className={classes.choice} data-tone={one.tone}>
      <input
        type="radio"
        name={name}
        checked={isChosen(one, view)}
        onChange={() =>
          onChange({ status: undefined, reason: undefined, has: undefined, ...one.choice })
        }
      />
      <span className={classes.label}>{one.label}</span>{' '}
      <span key={one.count} className={classes.count}>
        {showCount(one.count)}
      </span>
    </label>
  );
}

interface OutcomeBarProps {
  job: StatusData;
  view: RowView;
  onChange: (change: OutcomeChoice) => void;
}

export function OutcomeBar({ job, view, onChange }: OutcomeBarProps) {
  const outcomes = useOutcomes(job);
  const name = useId();
  const parts = listParts(job, outcomes).filter(([, , count]) => count > 0);
  const shared = { name, view, onChange };
  const words = parts.map(([, word, count]) => `${showCount(count)} ${word}`);
  return (
    <section aria-label="Outcomes" className={classes.outcomes}>
      {/* The bar of the progress says the same while the job runs. */}
      {job.ready && (
        <div
          role="img"
          aria-label={`Of ${countOf(job.total_rows, 'row')}: ${words.join(', ')}`}
          className={classes.bar}
        >
          {parts.map(([tone, word, count]) => (
            <span
              key={word}
              data-tone={tone}
              title={`${showCount(count)} ${word}`}
              style={{ flexGrow: count / Math.max(1, job.total_rows) }}
            />
          ))}
        </div>
      )}
      <div role="radiogroup" aria-label="Rows shown" className={classes.groups}>
        {listGroups(job, outcomes, view).map(({ whole, parts: inner }) => (
          <fieldset key={whole.label} aria-label={whole.label} className={classes.group}>
            <Filter one={whole} {...shared} />
            {inner.length > 0 && (
              <div className={classes.parts}>
                {inner.map((one) => (
                  <Filter key={one.label} one={one} {...shared} />
                ))}
              </div>
            )}
          </fieldset>
        ))}
      </div>
    </section>
  );
}
