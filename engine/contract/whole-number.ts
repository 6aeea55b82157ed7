/** Whole numbers as queries and paths carry them: digits, and nothing else. */
import { z } from 'zod';
import { pageLimitDefault, pageLimitMax, pageLimitMin } from './limits/platform.ts';

const readDigits = (value: unknown): unknown =>
  typeof value === 'string' && /^[0-9]{1,20}$/.test(value) ? Number(value) : value;

/**
 * A whole number as text. Number() alone would take "1e2", "0x10" and " 5" as well.
 * @param max the largest exact integer where left out
 */
export const wholeNumberText = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z
    .preprocess(readDigits, z.int('send a whole number in digits').min(min).max(max))
    // The description of the API is made of what is sent, which the reading of digits hides.
    .meta({ type: 'integer', minimum: min, maximum: max });

/** How many entries a page holds at most: from 1, with a default. */
export const limitText = (byDefault = pageLimitDefault, max = pageLimitMax) =>
  wholeNumberText(pageLimitMin, max).default(byDefault);

/** Query of every paged list. */
export const PageQuerySchema = z.object({
  limit: limitText(),
  offset: wholeNumberText(0).default(0),
});
