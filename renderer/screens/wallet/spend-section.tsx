// What was spent over time: by layer, by client, or by data service.
import { Box, Button, Group, SegmentedControl, Skeleton, Stack, Table, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { creditUnits, unitsPerCredit } from '../../../engine/contract/credits.ts';
import { providerCalls } from '../../../engine/contract/providers.ts';
import {
  type SpendReport,
  type SpendStep,
  spendSteps,
  walletSpend,
} from '../../../engine/contract/wallet/wallet-spend.ts';
import { nameSpendPart } from '../../../engine/contract/wallet/wallet-words.ts';
import { useAnswer } from '../../api/live.ts';
import { oneOf, useAddressQuery } from '../../components/address/address-query.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCredits, showUnits } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { Note } from '../../components/text.tsx';
import classes from './wallet.module.css';

type SpendView = 'parts' | 'clients' | 'providers';

/** One line of the legend, with an amount per period. */
interface Series {
  readonly id: string;
  readonly name: string;
  readonly total: number;
  readonly amounts: readonly number[];
}

/** Series with a colour of their own; the smaller ones are one. */
const coloursMax = 6;

const largestFirst = (series: readonly Series[]): Series[] =>
  [...series].sort((one, other) => other.total - one.total);

/** The series of a view, the largest first. Credits as numbers, for bars only. */
function listSeries(
  report: SpendReport,
  view: SpendView,
  titles: ReadonlyMap<string, string>,
): Series[] {
  if (view === 'providers')
    return largestFirst(
      report.providers.map(({ provider, total, by_period: amounts }) => ({
        id: provider,
        name: titles.get(provider) ?? provider,
        total,
        amounts,
      })),
    );
  const named =
    view === 'parts'
      ? report.parts.map((one) => ({ ...one, id: one.part, name: nameSpendPart(one.part) }))
      : report.clients.map((one) => ({ ...one, name: one.name ?? 'You, in this app' }));
  return largestFirst(
    named.map(({ id, name, total, by_period }) => ({
      id,
      name,
      total: Number(total),
      amounts: by_period.map(Number),
    })),
  );
}

/** The series that are drawn: the largest, and the sum of the others. */
function groupSeries(series: readonly Series[]): readonly Series[] {
  if (series.length <= coloursMax + 1) return series;
  const rest = series.slice(coloursMax);
  const amounts = (rest[0]?.amounts ?? []).map((_amount, at) =>
    rest.reduce((sum, one) => sum + (one.amounts[at] ?? 0), 0),
  );
  const total = rest.reduce((sum, one) => sum + one.total, 0);
  return [...series.slice(0, coloursMax), { id: 'other', name: 'Other', total, amounts }];
}

const dayMs = 86_400_000;
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const shownPeriods: Readonly<Record<SpendStep, number>> = { day: 30, week: 26, month: 12 };

/** The days that the chart covers, in UTC. */
function rangeOf(step: SpendStep, now: number): { since: string; until: string } {
  const until = isoDay(now);
  if (step === 'month') {
    const [year = 0, month = 0] = until.split('-').map(Number);
    return { since: isoDay(Date.UTC(year, month - shownPeriods.month, 1)), until };
  }
  const days = (shownPeriods[step] - 1) * (step === 'week' ? 7 : 1);
  return { since: isoDay(now - days * dayMs), until };
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "Nov 2026", "Week of 23 Nov 2026", "23 Nov 2026". */
function namePeriod(start: string, step: SpendStep): string {
  const at = new Date(start);
  if (step === 'month') return monthFormat.format(at);
  return step === 'week' ? `Week of ${dayFormat.format(at)}` : dayFormat.format(at);
}

const height = 100;

const colourOf = (at: number) => `var(--series-${at})`;

interface BarProps {
  at: number;
  title: string;
  series: readonly Series[];
  most: number;
}

function Bar({ at, title, series, most }: BarProps) {
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

interface SpendChartProps {
  label: string;
  periods: readonly string[];
  step: SpendStep;
  series: readonly Series[];
  show: (amount: number) => string;
}

/** The chart. `show` writes an amount. */
function SpendChart({ label, periods, step, series, show }: SpendChartProps) {
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

const views: readonly { value: SpendView; label: string }[] = [
  { value: 'parts', label: 'By layer' },
  { value: 'clients', label: 'By client' },
  { value: 'providers', label: 'By data service' },
];
const stepWords: Readonly<Record<SpendStep, string>> = { day: 'Day', week: 'Week', month: 'Month' };

/** Credits of the wallet have at most four decimals, so that their sums are exact here. */
const showAmount = (amount: number): string =>
  showUnits(creditUnits(Math.round(amount * unitsPerCredit)));

/** Every amount of the chart, the newest period first. */
function Amounts({ report, series }: { report: SpendReport; series: readonly Series[] }) {
  return (
    // A component of the library, so that the region can scroll by keyboard.
    <Box
      component="section"
      className={classes.amounts}
      tabIndex={0}
      aria-label="Spending per period"
    >
      <Table className={tableClasses.table} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Period (UTC)</Table.Th>
            {series.map(({ id, name }) => (
              <Table.Th key={id} ta="right">
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {report.periods
            .map((start, at) => (
              <Table.Tr key={start}>
                <Table.Th scope="row">{namePeriod(start, report.step)}</Table.Th>
                {series.map(({ id, amounts }) => (
                  <Table.Td key={id} className={tableClasses.number}>
                    {showAmount(amounts[at] ?? 0)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))
            .reverse()}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

function Report({ report, view }: { report: SpendReport; view: SpendView }) {
  const [hasTable, setHasTable] = useState(false);
  const id = useId();
  const services = useAnswer(['providers'], providerCalls.list, { enabled: view === 'providers' });
  const titles = new Map(services.data?.providers.map((one) => [one.id, one.title]));
  const series = listSeries(report, view, titles);
  const label = views.find(({ value }) => value === view)?.label ?? '';
  const periods = `${shownPeriods[report.step]} ${stepWords[report.step].toLowerCase()}s`;
  if (series.length === 0)
    return (
      <Note>
        {view === 'providers' ? 'No data service was asked' : 'Nothing was spent'} in the last{' '}
        {periods}.
      </Note>
    );
  return (
    <div>
      <Text size="sm" mb="xs">
        {view === 'providers'
          ? 'In each data service’s own credits, which are not paid from your wallet.'
          : `${showCredits(report.total)} credits in the last ${periods}.`}
      </Text>
      <SpendChart
        label={`Spending ${label.toLowerCase()}`}
        periods={report.periods}
        step={report.step}
        series={groupSeries(series)}
        show={showAmount}
      />
      <Button
        size="compact-sm"
        aria-expanded={hasTable}
        aria-controls={id}
        onClick={() => setHasTable(!hasTable)}
      >
        {hasTable ? 'Hide table' : 'Show as table'}
      </Button>
      <div id={id}>{hasTable && <Amounts report={report} series={series} />}</div>
    </div>
  );
}

export function SpendSection() {
  const [query, changeQuery] = useAddressQuery(['by', 'period']);
  const view = views.find(({ value }) => value === query.by)?.value ?? 'parts';
  const step = oneOf(spendSteps, query.period) ?? 'week';
  const range = { step, ...rangeOf(step, Date.now()) };
  const { data, error, refetch } = useAnswer(['spend', range], walletSpend.read, {
    input: range,
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="Spending" sentence="What your credits were spent on. Days are in UTC.">
      <Stack gap="md">
        <Group gap="md" justify="space-between">
          <SegmentedControl
            aria-label="Compare"
            data={[...views]}
            value={view}
            onChange={(by) => changeQuery({ by })}
          />
          <SegmentedControl
            aria-label="Period"
            data={spendSteps.map((value) => ({ value, label: stepWords[value] }))}
            value={step}
            onChange={(period) => changeQuery({ period })}
          />
        </Group>
        <ErrorPanel title="The spending could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={230} />}
        {data && <Report report={data} view={view} />}
      </Stack>
    </Section>
  );
}
