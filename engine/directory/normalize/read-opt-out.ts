// Whether a cell says that a contact wants to be left alone.
import { readFlag } from '../../spreadsheet/column-values.ts';
import { normalizeDate } from './normalize-date.ts';

const left =
  /unsubscri|opt(?:ed)?[\s_-]*out|do[\s_-]*not|don'?t|never|\bdn[cem]\b|suppress|block|black|objected|withdrawn|withdrew|revoked|denied|declined|abgemeldet|abbestellt|widerruf|widerspr|gesperrt|désabonn|desabonn|désinscri|opposition|refus|retiré|baja|rechaz|revoc|disiscri|rifiut|descadastr|cancel|uitgeschreven|afgemeld|ingetrokken|wypisan|wycofan|sprzeciw|avregistr|avanmäl|afmeldt|avmeldt|odhlá|leiratkoz|dezabon|отпис|отказ|відпис|停止|拒否|不要|希望しない|退订|拒|수신거부|거부/i;
const writtenDay = /^(?!0000)\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/;
/** A day as a number: of a spreadsheet, or in seconds or milliseconds since 1970. */
const numberedDay = /^\d{5}(?:\.\d+)?$|^\d{9,13}(?:\.\d+)?$/;

/**
 * Whether a cell of a column of opt-outs says that the contact must not be contacted: yes, the day
 * of it, a channel, or words such as "unsubscribed".
 * @param kind what the column holds: opt-outs, consents (where no means opted out), or a status in
 * words
 */
export function readOptOut(text: string, kind: 'opt_out' | 'consent' | 'status'): boolean {
  const trimmed = text.trim();
  if (trimmed === '') return false;
  const flag = readFlag(trimmed);
  if (kind === 'consent') return flag === null ? left.test(trimmed) : !flag;
  if (flag !== null) return flag;
  // The day of an opt-out: never.
  if (/^never$/i.test(trimmed)) return false;
  if (left.test(trimmed)) return true;
  // "Subscribed" in a column of opt-outs says the opposite; a day says when the contact opted out.
  return (
    kind === 'opt_out' &&
    (normalizeDate(trimmed) !== null ||
      writtenDay.test(trimmed) ||
      numberedDay.test(trimmed) ||
      /^(?:all|both|e-?mail|phone|calls?|alle)\b/i.test(trimmed))
  );
}
