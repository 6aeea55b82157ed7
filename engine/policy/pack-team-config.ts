// Packs a team configuration into the app when it is built.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRuleFile, refuseRules } from './rule-file.ts';

/**
 * Writes `team.json` into the folder of resources, or removes the one of an earlier build. Throws
 * `policy_invalid` for a file that an engine would refuse.
 * @param path the file; undefined for an app without rules
 */
export function packTeamConfig(path: string | undefined, resources: string): void {
  const target = join(resources, 'team.json');
  rmSync(target, { force: true });
  if (!path) return;
  const config = readRuleFile(path);
  if (config === null) throw refuseRules(path, 'there is no such file.');
  mkdirSync(resources, { recursive: true });
  writeFileSync(target, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o644 });
}
