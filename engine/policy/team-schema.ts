/** The JSON schema of the team configuration, for editors and for checks without the app. */
import { z } from 'zod';
import { TeamConfigSchema } from '../contract/team/team-config.ts';

/** The schema as the text of resources/team-config.schema.json. */
export const writeTeamSchema = (): string =>
  `${JSON.stringify({ ...z.toJSONSchema(TeamConfigSchema, { io: 'input' }), title: 'Team configuration of Enrichment Desk' }, null, 2)}\n`;
