// A job without a network, or with a slow service (docs/rules.md, "Without a network").
import { z } from 'zod';
import { TimestampSchema } from '../ids.ts';

/** Whether rows wait for the data services, or end without them. */
export const whenOfflineChoices = ['wait', 'leave_out'] as const;
export type WhenOffline = (typeof whenOfflineChoices)[number];

export const WhenOfflineSchema = z.enum(whenOfflineChoices);

/** Why rows wait: the network, the server of the team's directory, or its workers are missing. */
export const waitingReasons = ['no_connection', 'no_team_directory', 'no_worker'] as const;

/** Why the team's directory was not asked: it cannot be reached, or it has no worker. */
export const teamFailures = ['unavailable', 'no_worker'] as const;
export type TeamFailure = (typeof teamFailures)[number];

/** The part of a job's status that is about rows which are done again. */
export const offlineShape = {
  when_offline: WhenOfflineSchema.describe(
    'What rows do whose data services cannot be asked without a network.',
  ),
  waiting_rows: z
    .int()
    .describe(
      'Rows whose data services could not be asked without a network. They are processed, and a ' +
        'running job repeats them once there is a network.',
    ),
  waiting_since: TimestampSchema.nullable().describe('When the first of them was found.'),
  waiting_reason: z
    .enum(waitingReasons)
    .nullable()
    .describe(
      'Why they wait: `no_connection`, `no_team_directory` if the directory of the team cannot ' +
        'be reached, or `no_worker` if no worker answers for it.',
    ),
  unanswered_rows: z
    .int()
    .describe(
      'Rows that a data service has not answered yet. They are processed, and the job repeats ' +
        'them once the service has answered.',
    ),
};
