// The JSON schema of the team configuration, for editors and for checks without the app.
import { z } from 'zod';
import { TeamConfigSchema } from '../contract/team/team-config.ts';

const title = 'Team configuration of Enrichment Desk';

export function writeTeamSchema(): string {
  const schema = z.toJSONSchema(TeamConfigSchema, { io: 'input' });
  return `${JSON.stringify({ ...schema, title }, null, 2)}\n`;
}
