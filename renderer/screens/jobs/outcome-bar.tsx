/** The outcomes of a job's rows as one bar: enriched, skipped, failed, and those left. */
import type { StatusData } from '../../../engine/contract/jobs/job.ts';
import { showCount, showShare } from '../../components/numbers.ts';
import classes from './jobs.module.css';

/** The bar with its main figure. */
export function OutcomeBar({ job }: { job: StatusData }) {
  const parts = [
    ['enriched', job.enriched_rows],
    ['skipped', job.skipped_rows],
    ['failed', job.failed_rows],
  ] as const;
  const left = job.total_rows - job.processed_rows;
  const words = [...parts, ['left', left] as const].filter(([, rows]) => rows > 0);
  const label = words.map(([name, rows]) => `${showCount(rows)} ${name}`).join(', ');
  const share = job.total_rows > 0 ? job.enriched_rows / job.total_rows : 0;
  return (
    <>
      <span className={classes.outcome} role="img" aria-label={label} title={label}>
        {parts.map(
          ([name, rows]) =>
            rows > 0 && (
              <span
                key={name}
                data-part={name}
                style={{ width: `${(rows / job.total_rows) * 100}%` }}
              />
            ),
        )}
      </span>
      <span className={classes.caption}>
        {showCount(job.enriched_rows)} enriched ({showShare(share)})
      </span>
    </>
  );
}
