// The configuration of a team that is packed into the app.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Throws, naming the value, if the text is no configuration of a team. */
async function checkTeamText(root, path, text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${error.message}`);
  }
  const schema = join(root, 'engine/contract/team/team-config.ts');
  if (!existsSync(schema)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Error(`${path} is not a JSON object.`);
    return;
  }
  const { TeamConfigSchema } = await import(pathToFileURL(schema).href);
  const { error } = TeamConfigSchema.safeParse(value);
  if (error) {
    const lines = error.issues.map(
      (one) => `  ${one.path.join('.') || '(the file)'}: ${one.message}`,
    );
    throw new Error(`${path} is not a team configuration:\n${lines.join('\n')}`);
  }
}

/**
 * Checks a team's configuration and returns electron-builder's file set that packs it as
 * out/resources/team.json, inside app.asar, whose integrity is validated.
 * @param {string} root the project
 * @param {string} path absolute
 */
export async function packTeamFile(root, path) {
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  await checkTeamText(root, path, readFileSync(path, 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'desk-team-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  copyFileSync(path, join(folder, 'team.json'));
  return { from: folder, to: 'out/resources', filter: ['team.json'] };
}
