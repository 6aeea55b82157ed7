/** What a data service cost on each of the last thirty days (UTC), as bars. */
import { Text, VisuallyHidden } from '@mantine/core';
import { spendDaysMax } from '../../../engine/contract/limits/providers.ts';
import type { UserProvider } from '../../../engine/contract/providers.ts';
import { countOf, showDay } from '../../components/numbers.ts';
import { showCost, showProviderCredits } from './provider-words.ts';
import classes from './providers.module.css';

type Day = UserProvider['spend']['days'][number];

const describeDay = ({ day, credits, requests }: Day): string =>
  `${showDay(day)}: ${showProviderCredits(credits)} credits, ${countOf(requests, 'request')}`;

/** Every day of the period, oldest first; those without requests have none. */
function listDays(days: readonly Day[], now: number): Day[] {
  return Array.from({ length: spendDaysMax }, (_, nth) => {
    const at = now - (spendDaysMax - 1 - nth) * 86_400_000;
    const day = new Date(at).toISOString().slice(0, 10);
    return days.find((one) => one.day === day) ?? { day, credits: 0, requests: 0 };
  });
}

/** @param now milliseconds since 1970 */
export function SpendChart({
  spend,
  price,
  now,
}: Pick<UserProvider, 'spend' | 'price'> & { now: number }) {
  if (spend.days.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing was spent in the last {spendDaysMax} days.
      </Text>
    );
  const days = listDays(spend.days, now);
  const most = Math.max(...days.map(({ credits }) => credits));
  const credits = days.reduce((sum, day) => sum + day.credits, 0);
  const requests = days.reduce((sum, day) => sum + day.requests, 0);
  return (
    <>
      <ul className={classes.bars} aria-label="Credits per day">
        {days.map((day) => (
          <li key={day.day} title={describeDay(day)}>
            {day.requests > 0 && <VisuallyHidden>{describeDay(day)}</VisuallyHidden>}
            <span
              data-empty={day.requests === 0 || undefined}
              style={{ height: `${most > 0 ? (day.credits / most) * 100 : 0}%` }}
            />
          </li>
        ))}
      </ul>
      <div className={classes.axis} aria-hidden>
        <span>{showDay(days[0]?.day ?? '')}</span>
        <span>{showDay(days.at(-1)?.day ?? '')}</span>
      </div>
      <Text size="xs" c="dimmed">
        {showCost(credits, price)} in {spendDaysMax} days, {countOf(requests, 'request')}. The
        tallest day has {showProviderCredits(most)} credits.
      </Text>
    </>
  );
}
