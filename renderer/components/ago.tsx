/** A time as it is felt, "3 min ago"; the exact one on hover. */
import { showAgo, showTime } from './numbers.ts';

/** The time; `now` is milliseconds since 1970. */
export const Ago = ({ time, now }: { time: string; now: number }) => (
  <time dateTime={time} title={showTime(time)}>
    {showAgo(time, now)}
  </time>
);
