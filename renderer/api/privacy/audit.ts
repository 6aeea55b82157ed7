// The audit log and its export, by filters of the page.
import type { z } from 'zod';
import type { AuditAction } from '../../../engine/contract/audit/actions.ts';
import { type AuditExportRequestSchema, audit } from '../../../engine/contract/audit/audit.ts';
import { ask } from '../client.ts';

export interface AuditFilters {
  readonly action: AuditAction | null;
  readonly actor: string | null;
  /** A day, such as 2026-11-01; '' for all. */
  readonly since: string;
}

const queryOf = ({ action, actor, since }: AuditFilters) => ({
  ...(action !== null && { action }),
  ...(actor !== null && { actor }),
  ...(since !== '' && { since }),
});

/** A page of entries, newest first. `before`: the `next` of the page before, or null. */
export const readAudit = (filters: AuditFilters, before: number | null, limit: number) =>
  ask(audit.list, { ...queryOf(filters), limit, before: before ?? undefined });

/** Exports the log, or only the entries of a filter. */
export const exportAudit = (
  filters: AuditFilters | null,
  options: Partial<Pick<z.input<typeof AuditExportRequestSchema>, 'path' | 'format' | 'for_excel'>>,
) => ask(audit.exportLog, { ...(filters && queryOf(filters)), ...options });
