/** Spending per period as stacked bars, with a legend. A table has the same amounts. */
import type { SpendStep } from '../../../engine/contract/wallet/wallet-spend.ts';
import { namePeriod, type Series } from './spend-series.ts';
import classes from './wallet.module.css';

const height = 100;

const colourOf = (at: number) => `var(--series-${at})`;

function Bar({
  at,
  title,
  series,
  most,
}: {
  at: number;
  title: string;
  series: readonly Series[];
  most: number;
}) {
  let top = height;
  return (
    <g>
      <title>{title}</title>
      <rect data-hit x={at * 10} y={0} width={10} height={height} />
      {series.map((one, nth) => {
        const size = (Math.max(0, one.amounts[at] ?? 0) / most) * height;
        top -= size;
        return size === 0 ? null : (
          <rect key={one.id} x={at * 10 + 1} y={top} width={8} height={size} fill={colourOf(nth)} />
        );
      })}
    </g>
  );
}

/** The chart. `show` writes an amount. */
export function SpendChart({
  label,
  periods,
  step,
  series,
  show,
}: {
  label: string;
  periods: readonly string[];
  step: SpendStep;
  series: readonly Series[];
  show: (amount: number) => string;
}) {
  const sums = periods.map((_start, at) =>
    series.reduce((sum, one) => sum + Math.max(0, one.amounts[at] ?? 0), 0),
  );
  const most = Math.max(...sums);
  const scale = most > 0 ? most : 1;
  const describe = (at: number) =>
    [
      `${namePeriod(periods[at] ?? '', step)}: ${show(sums[at] ?? 0)}`,
      ...series.flatMap(({ name, amounts }) =>
        (amounts[at] ?? 0) === 0 ? [] : `${name} ${show(amounts[at] ?? 0)}`,
      ),
    ].join('\n');
  return (
    <figure className={classes.chart} style={{ margin: 0 }} aria-label={label}>
      <div className={classes.scale} aria-hidden>
        <span>{show(most)}</span>
      </div>
      <svg
        className={classes.plot}
        viewBox={`0 0 ${periods.length * 10} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}. The table has every amount.`}
      >
        {[0, 50, 100].map((y) => (
          <line key={y} x1={0} x2={periods.length * 10} y1={y} y2={y} />
        ))}
        {periods.map((start, at) => (
          <Bar key={start} at={at} title={describe(at)} series={series} most={scale} />
        ))}
      </svg>
      <div className={classes.axis} aria-hidden>
        <span>{namePeriod(periods[0] ?? '', step)}</span>
        <span>{namePeriod(periods.at(-1) ?? '', step)}</span>
      </div>
      <ul className={classes.legend}>
        {series.map((one, at) => (
          <li key={one.id}>
            <span className={classes.swatch} style={{ background: colourOf(at) }} aria-hidden />
            {one.name} <strong className="numbers">{show(one.total)}</strong>
          </li>
        ))}
      </ul>
    </figure>
  );
}
