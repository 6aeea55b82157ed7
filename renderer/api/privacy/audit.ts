/** Requests for the audit log. */
import type { z } from 'zod';
import type { AuditAction } from '../../../engine/contract/audit/actions.ts';
import {
  type AuditExportRequestSchema,
  AuditPageSchema,
  AuditStateSchema,
} from '../../../engine/contract/audit/audit.ts';
import { ExportAnswerSchema } from '../../../engine/contract/jobs/app-jobs.ts';
import { call } from '../client.ts';

/** Which entries are shown. */
export interface AuditFilters {
  readonly action: AuditAction | null;
  readonly actor: string | null;
  /** A day, such as 2026-11-01; '' for all. */
  readonly since: string;
}

const queryOf = ({ action, actor, since }: AuditFilters): Record<string, string> => ({
  ...(action !== null && { action }),
  ...(actor !== null && { actor }),
  ...(since !== '' && { since }),
});

/** A page of entries, newest first. `before`: the `next` of the page before, or null. */
export function readAudit(filters: AuditFilters, before: number | null, limit: number) {
  const query = new URLSearchParams({
    ...queryOf(filters),
    limit: String(limit),
    ...(before !== null && { before: String(before) }),
  });
  return call(AuditPageSchema, `/app/v1/audit?${query}`);
}

/** Checks the chain. */
export const readAuditState = () => call(AuditStateSchema, '/app/v1/audit-state');

/** Exports the log, or only the entries of a filter. */
export const exportAudit = (
  filters: AuditFilters | null,
  options: Partial<Pick<z.input<typeof AuditExportRequestSchema>, 'path' | 'format' | 'for_excel'>>,
) =>
  call(ExportAnswerSchema, '/app/v1/audit-exports', {
    method: 'POST',
    body: { ...(filters && queryOf(filters)), ...options },
  });
