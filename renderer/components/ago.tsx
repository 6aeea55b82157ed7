// A relative time, "3 min ago", with the exact one on hover.
import { showAgo, showTime } from './numbers.ts';

/** @param now milliseconds since 1970 */
export const Ago = ({ time, now }: { time: string; now: number }) => (
  <time dateTime={time} title={showTime(time)}>
    {showAgo(time, now)}
  </time>
);
