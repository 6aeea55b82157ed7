/** The facts of an audit entry in words. */
import type { AuditDetails } from './audit.ts';

const show = (value: unknown): string =>
  value === null ? 'none' : typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);

/** Such as `cap per day: none → 100; kind: email`. A list of two values is a change. */
export const describeDetails = (details: AuditDetails): string =>
  Object.entries(details)
    .map(([name, value]) => {
      const words = name.replaceAll('_', ' ');
      return `${words}: ${Array.isArray(value) ? value.map(show).join(' → ') : show(value)}`;
    })
    .join('; ');
