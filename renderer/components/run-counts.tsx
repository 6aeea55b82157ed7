// Counters of a run with their labels.
import run from './run.module.css';

/** The counters, each a name and a formatted value. */
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
