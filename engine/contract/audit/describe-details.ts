// The facts of an audit entry in words.
import type { AuditDetails } from './audit.ts';

const show = (value: unknown): string =>
  value === null ? 'none' : typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);

/** What showed emails and phones, by the value of `by`. */
const showers = new Map([
  ['pipeline', 'request of emails and phones'],
  ['email_lookup', 'email lookup'],
  ['phone_lookup', 'phone lookup'],
  ['tool', 'assistant'],
]);

/** Such as `cap per day: none → 100; kind: email`. A list of two values is a change. */
export const describeDetails = (details: AuditDetails): string =>
  Object.entries(details)
    .map(([name, value]) => {
      const words = name.replaceAll('_', ' ');
      const shown = Array.isArray(value) ? value.map(show).join(' → ') : show(value);
      return `${words}: ${(name === 'by' && showers.get(shown)) || shown}`;
    })
    .join('; ');
