/** What a data service cost on each of the last thirty days, as bars. */
import { Text, VisuallyHidden } from '@mantine/core';
import type { UserProvider } from '../../../engine/contract/providers.ts';
import { countOf } from '../../components/numbers.ts';
import { showProviderCredits } from './provider-words.ts';
import classes from './providers.module.css';

type Day = UserProvider['spend']['days'][number];

const describeDay = ({ day, credits, requests }: Day): string =>
  `${day}: ${showProviderCredits(credits)} credits, ${countOf(requests, 'request')}`;

export function SpendChart({ spend: { days } }: Pick<UserProvider, 'spend'>) {
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last)
    return (
      <Text size="sm" c="dimmed">
        Nothing was spent in the last 30 days.
      </Text>
    );
  const most = Math.max(...days.map(({ credits }) => credits));
  const credits = days.reduce((sum, day) => sum + day.credits, 0);
  const requests = days.reduce((sum, day) => sum + day.requests, 0);
  return (
    <>
      <ul className={classes.bars} aria-label="Credits per day">
        {days.map((day) => (
          <li key={day.day} title={describeDay(day)}>
            <VisuallyHidden>{describeDay(day)}</VisuallyHidden>
            <span style={{ height: `${most > 0 ? (day.credits / most) * 100 : 0}%` }} />
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed">
        {first.day} to {last.day}: {showProviderCredits(credits)} credits,{' '}
        {countOf(requests, 'request')}. The tallest day has {showProviderCredits(most)} credits.
      </Text>
    </>
  );
}
