/** What a run has counted so far, each figure over its name. */
import run from './run.module.css';

/** The counts, each a name and a value as it is shown. */
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
