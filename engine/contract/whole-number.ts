// Whole numbers in queries and paths: digits only.
import { z } from 'zod';
import { pageLimitDefault, pageLimitMax, pageLimitMin } from './limits/platform.ts';

const readDigits = (value: unknown): unknown =>
  typeof value === 'string' && /^[0-9]{1,20}$/.test(value) ? Number(value) : value;

/**
 * A whole number as text. Number() alone would also accept "1e2", "0x10" and " 5".
 * @param max defaults to the largest exact integer
 */
export const wholeNumberText = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z
    .preprocess(readDigits, z.int('send a whole number in digits').min(min).max(max))
    // The API description shows the type that is sent; the preprocessing step would hide it.
    .meta({ type: 'integer', minimum: min, maximum: max });

/** Page size of a list: from 1, with a default. */
export const limitText = (byDefault = pageLimitDefault, max = pageLimitMax) =>
  wholeNumberText(pageLimitMin, max).default(byDefault);

export const PageQuerySchema = z.object({
  limit: limitText(),
  offset: wholeNumberText(0).default(0),
});
