// Formats of the system's locale. The words of the interface are English in every locale; numbers,
// dates and times are as the reader's system writes them.

/** Between the day and the time. */
const dateTimeSeparator = ', ';

const dateParts = { dateStyle: 'medium' } as const;

/** English has one style in every country: "22 Nov 2026", "1.3M". */
const styleOf = (locale: string, english: string): string =>
  new Intl.Locale(locale).language === 'en' ? english : locale;

/**
 * Isolates text that is written from right to left, or whose digits are, from the English words
 * around it. Otherwise a bidirectional paragraph would reorder them.
 */
const isolate = (text: string): string =>
  /[\u0590-\u08ff\ufb1d-\ufefc]/.test(text) ? `\u2068${text}\u2069` : text;

/** Creates the formats of a locale (BCP 47). */
function createFormats(locale: string) {
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const date = new Intl.DateTimeFormat(styleOf(locale, 'en-GB'), dateParts);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' });
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const compact = new Intl.NumberFormat(styleOf(locale, 'en-US'), {
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  const decimal = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const partOf = (type: Intl.NumberFormatPartTypes): string =>
    number.formatToParts(-1_234_567.5).find((part) => part.type === type)?.value ?? '';
  return {
    number: (value: number | Intl.StringNumericLiteral) => isolate(number.format(value)),
    decimal: (value: number) => isolate(decimal.format(value)),
    percent: (share: number) => isolate(percent.format(share)),
    compact: (value: number) => isolate(compact.format(value)),
    money: (value: number, currency: string) =>
      isolate(
        new Intl.NumberFormat(locale, {
          style: 'currency',
          currency,
          // A hit may cost less than the smallest coin.
          ...(value < 1 && { maximumFractionDigits: 4 }),
        }).format(value),
      ),
    date: (at: Date) => isolate(date.format(at)),
    dateTime: (at: Date) => isolate(date.format(at) + dateTimeSeparator + time.format(at)),
    /** The time of day: "09:00" is "9:00 AM" in the United States. */
    timeOfDay: (at: Date) => isolate(time.format(at)),
    /** The time of day with seconds. */
    clock: (at: Date) => isolate(clock.format(at)),
    separators: { group: partOf('group'), decimal: partOf('decimal') },
    /** The digits 0 to 9. */
    digits: [...new Intl.NumberFormat(locale, { useGrouping: false }).format(9_876_543_210)]
      .reverse()
      .join(''),
  };
}

let formats = createFormats(navigator.language);

export const inLocale = (): ReturnType<typeof createFormats> => formats;

/** Uses the formats of another locale; without one, those of the system. */
export function setLocale(locale: string = navigator.language): void {
  formats = createFormats(locale);
}

const english = new Intl.PluralRules('en');

/** The English word for a count: 1 row, 0 rows. */
export const pluralOf = (count: number, one: string, many: string): string =>
  english.select(count) === 'one' ? one : many;

/**
 * An amount that was typed in the way of the locale or with a decimal point, as a decimal number
 * with ASCII digits; "1.005,5" is 1005.5 in German. Text that is no amount is returned as it is.
 */
export function readAmount(text: string): string {
  const { digits, separators } = formats;
  const ascii = [...text.replace(/[\u2066-\u2069\u200e\u200f\u061c]/g, '').trim()]
    .map((one) => (digits.includes(one) ? String(digits.indexOf(one)) : one))
    .join('');
  // In India the groups above the thousands have two digits.
  const pattern = (group: string, decimal: string) =>
    new RegExp(`^-?(?:\\d{1,3}(?:[${group}]\\d{2,3})*[${group}]\\d{3}|\\d+)(?:[${decimal}]\\d*)?$`);
  const escapeInClass = (one: string) => one.replace(/[\\\]^-]/, '\\$&');
  // Spaces of any width separate groups in French, apostrophes of both forms in Swiss German.
  const group = /\s/.test(separators.group)
    ? '\\s'
    : /['’]/.test(separators.group)
      ? "'’"
      : escapeInClass(separators.group);
  const ways = [
    [group, escapeInClass(separators.decimal)],
    [',', '.'],
  ] as const;
  for (const [groups, decimal] of ways)
    if (pattern(groups, decimal).test(ascii))
      return ascii
        .replace(new RegExp(`[${groups}]`, 'g'), '')
        .replace(new RegExp(`[${decimal}]`), '.');
  return ascii;
}
