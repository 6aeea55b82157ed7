/** Requests for retention and automatic backups. */
import { z } from 'zod';
import { AutomaticBackupSchema } from '../../../engine/contract/engine.ts';
import {
  type RetentionChange,
  RetentionPreviewSchema,
  RetentionSchema,
} from '../../../engine/contract/retention/retention.ts';
import { call } from '../client.ts';
import { paths } from '../transport/first-requests.ts';

/** The days in force, and the current or the last run. */
export const readRetention = () => call(RetentionSchema, paths.retention);

/** What would be deleted at these days; kinds that are left out keep theirs. */
export const previewRetention = (body: RetentionChange) =>
  call(RetentionPreviewSchema, '/app/v1/retention-previews', { method: 'POST', body });

/** Sets days, which starts a run. */
export const changeRetention = (body: RetentionChange) =>
  call(RetentionSchema, paths.retention, { method: 'PATCH', body });

/** Starts a run now. `confirm_clock`: the person has confirmed the date of this computer. */
export const runRetention = (body: { readonly confirm_clock: boolean }) =>
  call(RetentionSchema, '/app/v1/retention-runs', { method: 'POST', body });

/** The automatic backups, newest first. */
export const readBackups = () => call(z.array(AutomaticBackupSchema), '/app/v1/backups');
