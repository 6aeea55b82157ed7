// The tools that read monitors and their findings (docs/api.md, "Tools").
import { z } from 'zod';
import { TimestampSchema } from '../../ids.ts';
import { toolResultRowsDefault, toolResultRowsMax } from '../../limits/assistants.ts';
import {
  FindingSchema,
  findingStatuses,
  monitorJobStatuses,
} from '../../monitors/career-monitor.ts';
import { freeHints, type ToolDefinitions } from './tool-definition.ts';

export const ListedMonitorsSchema = z.object({
  monitors: z.array(
    z.object({
      id: z.int(),
      title: z.string(),
      total_records: z.int(),
      next_run_at: TimestampSchema.nullable().describe('null while it is paused.'),
      problem: z.string().nullable(),
      last_run: z
        .object({
          job_id: z.int(),
          status: z.enum(monitorJobStatuses),
          completed_at: TimestampSchema.nullable(),
          counts: z.record(z.enum(findingStatuses), z.int()),
        })
        .nullable(),
    }),
  ),
});

export const ListJobChangesSchema = z.strictObject({
  job_id: z.int().min(1).describe('The job_id of the last_run of list_monitors.'),
  status: z.enum(findingStatuses).default('changed'),
  limit: z.int().min(1).max(toolResultRowsMax).default(toolResultRowsDefault),
  offset: z.int().min(0).default(0),
});

export const JobChangesSchema = z.object({
  total: z.int(),
  results: z.array(
    FindingSchema.pick({
      row_index: true,
      first_name: true,
      last_name: true,
      status: true,
      changes: true,
    }),
  ),
});

export const monitorTools = {
  list_monitors: {
    title: 'List monitors',
    description: 'Returns the lists that are checked for job changes on a schedule. Free.',
    input: z.strictObject({}),
    output: ListedMonitorsSchema,
    ...freeHints,
  },
  list_job_changes: {
    title: 'List job changes',
    description:
      'Returns the people that a run of a monitor found with a new employer, title or work email ' +
      '(changed), without the former job (left), or unchanged. Free.',
    input: ListJobChangesSchema,
    output: JobChangesSchema,
    ...freeHints,
  },
} as const satisfies ToolDefinitions;
