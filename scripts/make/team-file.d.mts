// Types of team-file.mjs.
export function packTeamFile(
  root: string,
  path: string,
): Promise<{ from: string; to: string; filter: string[] }>;
